#if Cairo
    public import AsyncLayers

    /// Where carets stand in a layout, and selections, for text that is edited.
    ///
    /// Recorded while a layout is made if ``TextLayoutOptions/recordsCarets`` asks for it, so that no object
    /// of Pango's is needed afterwards:
    ///
    ///     var position = carets.closestPosition(to: point)          // a click
    ///     let rect = carets.caretRect(at: position)
    ///     position = carets.position(rightOf: position) ?? position  // an arrow key
    ///
    /// A caret stands between two characters as users see them (grapheme clusters, by Pango), never within
    /// one. Letters that are drawn as one glyph share its width. What an ellipsis stands for is one
    /// character. In mixed text a line of n characters has n + 1 places for a caret and as many indices, but
    /// where the direction changes an index has two places, and a place two indices.
    ///
    /// Indices are those of ``string``. An index that is no place for a caret, or that is of another string,
    /// counts as the nearest place before it; no index and no point is an error. A value that never changes.
    /// *Thread-safe.*
    public struct TextCarets: Sendable {
        /// To which of its neighbours a caret belongs where these are apart. Beside the first or the last
        /// character of a paragraph the other neighbour is the line's edge.
        public enum Affinity: Hashable, Sendable {
            /// To the character before: at the end of a wrapped line.
            case upstream
            /// To the character behind: at the beginning of the line that continues the paragraph.
            case downstream
        }

        /// A place for a caret.
        public struct Position: Equatable, Sendable {
            /// What is typed goes before this character.
            public var index: String.Index
            /// Where the caret is if the index has two places. Positions that a ``TextCarets`` returns are
            /// downstream wherever that is the same place.
            public var affinity: Affinity

            /// Makes a position; downstream by default.
            public init(_ index: String.Index, affinity: Affinity = .downstream) {
                self.index = index
                self.affinity = affinity
            }
        }

        /// The text that is laid out, equal to ``RichText/string``.
        public let string: String
        /// The lines from the top. There is at least one, and one more behind a line break at the text's end.
        public let lines: [Line]

        // MARK: Points

        /// The position nearest to a point: in the line at its height or else the nearest one, at the nearer
        /// side of the character there. Beside a line it is that side's end of the line. A coordinate that is
        /// NaN counts as 0. O(log lines + log characters of the line).
        public func closestPosition(to point: Point) -> Position {
            let y = point.y.isNaN ? 0 : point.y
            let line = max(Self.count(of: lines.count) { lines[$0].rect.minY <= y } - 1, 0)
            let (below, bottom) = (line + 1, lines[line].rect.maxY)
            let isBelow = below < lines.count && y > bottom && lines[below].rect.minY - y < y - bottom
            return lines[isBelow ? below : line].closestPosition(to: point.x)
        }

        /// The caret at a position: as high as the line, of zero width, in points. O(log lines + log
        /// characters of the line).
        public func caretRect(at position: Position) -> Rect {
            let place = place(of: position)
            return lines[place.line].caret(at: place.slot)
        }

        /// Where the next character appears: `strong` one of the paragraph's direction, and `weak` one of the
        /// other, if that is elsewhere. The affinity chooses only the line. O(log lines + log characters of
        /// the line).
        public func splitCaret(at position: Position) -> (strong: Rect, weak: Rect?) {
            let place = place(of: position)
            let line = lines[place.line]
            let strong = line.caret(at: line.strongSlot(of: place.boundary))
            let weak = [line.upstreamSlot(of: place.boundary), line.downstreamSlot(of: place.boundary)]
                .lazy.map { line.caret(at: $0) }.first { $0 != strong }
            return (strong, weak)
        }

        /// What a selection covers, in points: a rectangle for each run of neighbours in a line, from the
        /// left, as high as the line, or up to the next line's top where lines overlap. A line break has
        /// none. O(log lines + characters of the lines).
        public func selectionRects(of range: Range<String.Index>) -> [Rect] {
            let (first, last) = (place(of: Position(range.lowerBound)), place(of: Position(range.upperBound)))
            return (first.line...last.line).flatMap { line in
                let start = line == first.line ? first.boundary : 0
                let end = line == last.line ? last.boundary : lines[line].cells.count
                let bottom = line + 1 < lines.count ? lines[line + 1].rect.minY : .infinity
                return lines[line].selection(of: start..<max(start, end), above: bottom)
            }
        }

        // MARK: Indices

        /// The position of a caret that is asked for at `position`: at the nearest place before it, and
        /// downstream if that is the same place. O(log lines + log characters of the line).
        public func roundedDown(_ position: Position) -> Position {
            let place = place(of: position)
            return lines[place.line].position(of: place.boundary, at: place.slot)
        }

        /// Which of the ``lines`` the caret is in. O(log lines).
        public func lineIndex(of position: Position) -> Int {
            let line = max(
                Self.count(of: lines.count) { lines[$0].range.lowerBound <= position.index } - 1, 0)
            guard position.affinity == .upstream, lines[line].continues, line > 0,
                position.index == lines[line].range.lowerBound
            else { return line }
            return line - 1
        }

        /// The word that begins at an index or contains it, or the space or the sign there (Unicode's
        /// standard 29); behind a line's last character, the last one. Empty in an empty line. O(log lines +
        /// log characters of the line + characters of the word).
        public func wordRange(at index: String.Index) -> Range<String.Index> {
            let place = place(of: Position(index))
            let line = lines[place.line]
            guard !line.cells.isEmpty else { return line.range.lowerBound..<line.range.lowerBound }
            var first = (line: place.line, cell: min(place.boundary, line.cells.count - 1))
            var last = first
            while !lines[first.line].cells[first.cell].boundaries.contains(.segment),
                let before = cell(before: first)
            {
                first = before
            }
            while let next = cell(behind: last),
                !lines[next.line].cells[next.cell].boundaries.contains(.segment)
            { last = next }
            return lines[first.line].index(of: first.cell)..<lines[last.line].index(of: last.cell + 1)
        }

        /// The character before one in its paragraph.
        private func cell(before cell: (line: Int, cell: Int)) -> (line: Int, cell: Int)? {
            if cell.cell > 0 { return (cell.line, cell.cell - 1) }
            guard lines[cell.line].continues, !lines[cell.line - 1].cells.isEmpty else { return nil }
            return (cell.line - 1, lines[cell.line - 1].cells.count - 1)
        }

        /// The character behind one in its paragraph.
        private func cell(behind cell: (line: Int, cell: Int)) -> (line: Int, cell: Int)? {
            if cell.cell + 1 < lines[cell.line].cells.count { return (cell.line, cell.cell + 1) }
            guard lines[cell.line].isWrapped, !lines[cell.line + 1].cells.isEmpty else { return nil }
            return (cell.line + 1, 0)
        }

        // MARK: Movement

        /// The next position to the left, as arrow keys move a caret: each of a line once. From a line's left
        /// end it is in the line before, or behind if the paragraph is read from the right; nil if there is
        /// none. The end of a wrapped line and the beginning of the next one count as one position. O(log
        /// lines + log characters of the line).
        public func position(leftOf position: Position) -> Position? {
            let place = place(of: position)
            return step(from: place.slot, of: place.line, by: -1)
        }

        /// The next position to the right; otherwise as ``position(leftOf:)``.
        public func position(rightOf position: Position) -> Position? {
            let place = place(of: position)
            return step(from: place.slot, of: place.line, by: 1)
        }

        /// The next position to the left at a word's edge, as of Control and an arrow key: a word's beginning
        /// in a line that is read from the left, a word's end in one that is read from the right.
        ///
        /// It passes words in the order of reading, also those of the other direction, so that a selection by
        /// words is one range. Spaces and signs are no words (Pango's `is_word_start` and `is_word_end`).
        /// Before the first word it is the text's beginning and behind the last one its end; nil if the caret
        /// is there. Like arrow keys it turns around between paragraphs of different directions. O(log lines
        /// + characters that it passes).
        public func position(wordLeftOf position: Position) -> Position? {
            let place = place(of: position)
            return lines[place.line].isRightToLeft
                ? wordEnd(behind: place.boundary, of: place.line)
                : wordStart(before: place.boundary, of: place.line)
        }

        /// The next position to the right at a word's edge: a word's end in a line that is read from the
        /// left, a word's beginning in one that is read from the right. Otherwise as
        /// ``position(wordLeftOf:)``.
        public func position(wordRightOf position: Position) -> Position? {
            let place = place(of: position)
            return lines[place.line].isRightToLeft
                ? wordStart(before: place.boundary, of: place.line)
                : wordEnd(behind: place.boundary, of: place.line)
        }

        private func wordStart(before boundary: Int, of number: Int) -> Position? {
            for line in (0...number).reversed() {
                let cells = lines[line].cells[..<(line == number ? boundary : lines[line].cells.count)]
                if let start = cells.last(where: { $0.boundaries.contains(.wordStart) }) {
                    return roundedDown(Position(start.index))
                }
            }
            return number == 0 && boundary == 0 ? nil : lines[0].start
        }

        private func wordEnd(behind boundary: Int, of number: Int) -> Position? {
            for line in number..<lines.count {
                let cells = lines[line].cells[(line == number ? boundary : 0)...]
                if let end = cells.firstIndex(where: { $0.boundaries.contains(.wordEnd) }) {
                    // Beside the word, also where the next character is elsewhere.
                    return roundedDown(Position(lines[line].index(of: end + 1), affinity: .upstream))
                }
            }
            let last = lines.count - 1
            return number == last && boundary == lines[last].cells.count ? nil : lines[last].end
        }

        /// The position in the line above that is nearest to `x`; nil in the first line. In a row of such
        /// movements `x` stays the same, in points, so that a short line between does not change it; nil is
        /// where the caret is. O(log lines + log characters of the lines).
        public func position(above position: Position, x: Double? = nil) -> Position? {
            let line = lineIndex(of: position)
            guard line > 0 else { return nil }
            return lines[line - 1].closestPosition(to: x ?? caretRect(at: position).minX)
        }

        /// The position in the line below that is nearest to `x`; nil in the last line. Otherwise as
        /// ``position(above:x:)``.
        public func position(below position: Position, x: Double? = nil) -> Position? {
            let line = lineIndex(of: position)
            guard line + 1 < lines.count else { return nil }
            return lines[line + 1].closestPosition(to: x ?? caretRect(at: position).minX)
        }

        private func step(from slot: Int, of number: Int, by distance: Int) -> Position? {
            let line = lines[number]
            let next = slot + distance
            if 0...line.cells.count ~= next {
                guard line.isWrapped, next == line.endSlot else { return line.position(at: next) }
                return lines[number + 1].start
            }
            if slot == line.endSlot, line.isRightToLeft == (distance < 0) {
                guard number + 1 < lines.count else { return nil }
                guard line.isWrapped else { return lines[number + 1].start }
                return step(from: lines[number + 1].startSlot, of: number + 1, by: distance)
            }
            guard number > 0 else { return nil }
            guard line.continues else { return lines[number - 1].end }
            return step(from: lines[number - 1].endSlot, of: number - 1, by: distance)
        }

        // MARK: Places

        /// A line, which of its characters are before the caret in the order of reading, and which on its
        /// left.
        private func place(of position: Position) -> (line: Int, boundary: Int, slot: Int) {
            let number = lineIndex(of: position)
            let boundary = lines[number].boundary(at: position.index)
            return (number, boundary, lines[number].slot(of: boundary, position.affinity))
        }

        /// How many of a row's first members satisfy a condition that no later one does.
        static func count(of all: Int, while condition: (Int) -> Bool) -> Int {
            var (low, high) = (0, all)
            while low < high {
                let middle = (low + high) / 2
                if condition(middle) { low = middle + 1 } else { high = middle }
            }
            return low
        }

        var byteCount: Int {
            lines.reduce(string.utf8.count) {
                $0 + MemoryLayout<Line>.stride + $1.cells.count * (MemoryLayout<Line.Cell>.stride + 4)
            }
        }
    }
#endif
