#if Cairo
    import CQueuePoolsCairo

    /// A text as it is laid out: all characters in one string, and which run of the ``RichText`` each one is
    /// of.
    ///
    /// Offsets are in bytes of UTF-8, as Pango counts.
    struct StyledText {
        /// Characters of one run.
        struct Segment {
            /// The run's style, and its mark if the segment has one.
            let run: RichText.Run
            /// Which run of the rich text it is.
            let index: Int
            let hasMark: Bool
            /// Whether it is a mark of an isolate, which the run does not have.
            var isMark = false
            /// Where it ends; it begins where the one before ends.
            var end: Int
        }

        private(set) var string = ""
        private(set) var segments: [Segment] = []
        /// Where characters stand for zero characters, in the order of the text.
        private var zeros: [Int] = []
        /// Where marks of isolates are that no run has, in the order of the text.
        private var marks: [Int] = []
        private var hasFlags = false
        /// The largest font, with its spacing between letters, in points.
        private(set) var widest = 0.0

        /// Narrower lines may end between any two characters, since they may be narrower than a flag or a
        /// skin tone. If such characters are mixed with others that join them, Pango finds no place between
        /// words or characters to end a line, and ends the process (1.50, an assertion of `process_line`).
        /// Where only characters count, it finds one.
        var leastWidth: Double { hasFlags ? 4 * widest : 0 }

        /// How many tabs are in some bytes. O(bytes).
        func tabCount(in range: Range<Int>) -> Int {
            string.utf8[index(range.lowerBound)..<index(range.upperBound)].lazy.filter { $0 == 0x09 }.count
        }

        init(_ text: RichText) {
            segments.reserveCapacity(text.runs.count)
            for (index, run) in text.runs.enumerated() {
                let marks = Self.marks(around: run)
                if let marks { appendMarks(marks.start, of: run, index) }
                append(run.text, of: run, index, hasMark: run.mark != nil)
                if let marks { appendMarks(marks.end, of: run, index) }
            }
        }

        /// Parts of a text, and behind them an ellipsis in the style of the character before `ellipsis`, or
        /// none.
        init(_ text: StyledText, _ parts: [Range<Int>], ellipsisBehind ellipsis: Int?) {
            widest = text.widest
            for part in parts where !part.isEmpty {
                for index in text.segment(at: part.lowerBound)..<text.segments.count {
                    let bytes = text.range(of: index).clamped(to: part)
                    guard !bytes.isEmpty else { break }
                    let segment = text.segments[index]
                    append(
                        text.string[text.index(bytes.lowerBound)..<text.index(bytes.upperBound)],
                        of: segment.run,
                        segment.index, hasMark: segment.hasMark, isMark: segment.isMark)
                }
            }
            if let ellipsis, !text.segments.isEmpty {
                let segment = text.segments[text.segment(at: ellipsis)]
                append("\u{2026}", of: segment.run, segment.index, hasMark: false)
            }
        }

        /// The marks that make a run an isolate; nil if it is none.
        ///
        /// A run may have marks of its own, and more of one kind than of the other. As many more are added
        /// around it, or it would end too soon, or not where it ends.
        private static func marks(around run: RichText.Run) -> (start: String, end: String)? {
            guard let isolate = run.isolate else { return nil }
            let (end, first) = (
                "\u{2069}", [.leftToRight: "\u{2066}", .rightToLeft: "\u{2067}"][isolate] ?? "\u{2068}"
            )
            var (open, unopened) = (0, 0)
            for scalar in run.text.unicodeScalars {
                switch scalar.value {
                case 0x2066...0x2068: open += 1
                case 0x2069 where open > 0: open -= 1
                case 0x2069: unopened += 1
                default: break
                }
            }
            return (String(repeating: first, count: unopened + 1), String(repeating: end, count: open + 1))
        }

        /// Without spacing, which would be seen.
        private mutating func appendMarks(_ characters: String, of run: RichText.Run, _ index: Int) {
            var style = run.style
            style.letterSpacing = 0
            marks += stride(from: string.utf8.count, to: string.utf8.count + characters.utf8.count, by: 3)
            append(
                characters, of: RichText.Run(text: "", style: style, mark: nil, isolate: nil), index,
                hasMark: false, isMark: true)
        }

        private mutating func append(
            _ characters: some StringProtocol, of run: RichText.Run, _ index: Int, hasMark: Bool,
            isMark: Bool = false
        ) {
            // Pango's text ends at a zero character.
            if characters.utf8.contains(0) {
                // Not appended to the string's own scalars: that copies the string.
                var offset = string.utf8.count
                for scalar in characters.unicodeScalars {
                    if scalar == "\0" { zeros.append(offset) }
                    offset += scalar == "\0" ? 3 : UTF8.width(scalar)
                }
                var shown = String.UnicodeScalarView()
                shown.append(contentsOf: characters.unicodeScalars.lazy.map { $0 == "\0" ? "\u{FFFD}" : $0 })
                string += String(shown)
            } else {
                string += characters
            }
            widest = max(widest, run.style.pangoSize + abs(run.style.pangoLetterSpacing))
            hasFlags =
                hasFlags
                || characters.utf8.contains(0xF0)
                    && characters.unicodeScalars.contains {
                        0x1F1E6...0x1F1FF ~= $0.value || 0x1F3FB...0x1F3FF ~= $0.value
                    }
            segments.append(
                Segment(run: run, index: index, hasMark: hasMark, isMark: isMark, end: string.utf8.count))
        }

        var count: Int { string.utf8.count }

        /// Whether it differs from the text as it was given.
        var isChanged: Bool { !zeros.isEmpty || !marks.isEmpty }

        /// Where an offset is in the text as it was given, in which a zero character takes one byte and not
        /// three, and a mark of an isolate none. O(log zero characters + log isolates).
        func givenOffset(_ offset: Int) -> Int {
            offset - 2 * TextCarets.count(of: zeros.count) { zeros[$0] < offset }
                - 3 * TextCarets.count(of: marks.count) { marks[$0] < offset }
        }

        func index(_ offset: Int) -> String.Index { string.utf8.index(string.startIndex, offsetBy: offset) }

        func withBytes(_ range: Range<Int>, _ body: (UnsafePointer<CChar>?) -> Void) {
            let part = string.utf8[index(range.lowerBound)..<index(range.upperBound)]
            let isContiguous: Void? = part.withContiguousStorageIfAvailable { bytes in
                bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress) }
            }
            precondition(isContiguous != nil, "a native string's UTF-8 is contiguous")
        }

        /// Which segment a byte is in; the last one for those behind the end; 0 without segments. O(log
        /// segments).
        func segment(at offset: Int) -> Int {
            var (low, high) = (0, max(segments.count, 1))
            while high - low > 1 {
                let middle = (low + high) / 2
                if segments[middle - 1].end <= offset { low = middle } else { high = middle }
            }
            return low
        }

        func range(of segment: Int) -> Range<Int> {
            (segment == 0 ? 0 : segments[segment - 1].end)..<segments[segment].end
        }

        /// The work of a new line, of a change of style and of a tab, in characters.
        static let lineCost = 16

        /// The work of laying some bytes out, as ``TextLayoutLimits`` counts it, without that of a line; or
        /// more than a limit. O(bytes).
        func cost(of bytes: Range<Int>, atMost limit: Int) -> Int {
            var cost =
                Self.lineCost
                * (segment(at: max(bytes.upperBound - 1, bytes.lowerBound)) - segment(at: bytes.lowerBound))
            var scripts = ScriptChanges()
            for scalar in string.unicodeScalars[index(bytes.lowerBound)..<index(bytes.upperBound)] {
                cost += scripts.cost(of: scalar)
                if cost > limit { break }
            }
            return cost
        }

        /// Counts the work of characters, one after the other.
        private struct ScriptChanges {
            private var last: GUnicodeScript?

            /// One; three where letters are joined or make clusters; two for emoji; and five more if the
            /// script is another one than that of the last character that has one, or for a mark of
            /// direction: Pango shapes what is beside them apart.
            @inline(__always)
            mutating func cost(of scalar: Unicode.Scalar) -> Int {
                let cost: Int
                switch scalar.value {
                case 0x09: return StyledText.lineCost
                case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: return 6
                case 0x590..<0x1E00: cost = 3  // from Hebrew to Mongolian
                case 0xE000...: cost = 2  // private use, presentation forms, and all other planes
                default: cost = 1
                }
                guard let script = Self.script(of: scalar) else { return cost }
                defer { last = script }
                return last == nil || last == script ? cost : cost + 5
            }

            /// The script; nil for what goes with any, such as a space, a digit or a mark. Symbols and emoji
            /// do not: they have fonts of their own.
            @inline(__always)
            private static func script(of scalar: Unicode.Scalar) -> GUnicodeScript? {
                if scalar.value < 0x80 {
                    return 0x61...0x7A ~= scalar.value | 0x20 ? G_UNICODE_SCRIPT_LATIN : nil
                }
                let script = g_unichar_get_script(scalar.value)
                guard script == G_UNICODE_SCRIPT_COMMON || script == G_UNICODE_SCRIPT_INHERITED else {
                    return script
                }
                switch scalar.value {
                case 0x2190...0x2FFF, 0x1F000...0x1FAFF: return G_UNICODE_SCRIPT_COMMON
                default: return nil
                }
            }
        }

        /// What makes a font of its own.
        struct Font: Hashable {
            let family: String
            let size: Double
            let weight: TextStyle.Weight
            let isItalic: Bool
        }

        /// The work that a new font takes, in characters.
        static let fontCost = 512

        /// The fonts of some bytes, or of where they would be. O(segments in them).
        func fonts(of bytes: Range<Int>) -> some Sequence<Font> {
            let last = segment(at: max(bytes.upperBound - 1, bytes.lowerBound))
            let part = segments[segment(at: bytes.lowerBound)..<min(last + 1, segments.count)]
            return part.lazy.map(\.run.style).map {
                Font(family: $0.family, size: $0.pangoSize, weight: $0.weight, isItalic: $0.isItalic)
            }
        }

        /// Where the first line ends that the text itself ends, from an offset on; the text's end if there is
        /// none. O(bytes).
        func endOfLine(from offset: Int) -> Int {
            string.unicodeScalars[index(offset)...].firstIndex { $0 == "\u{2028}" || Self.endsParagraph($0) }
                .map { string.utf8.distance(from: string.startIndex, to: $0) } ?? count
        }

        /// Where a line's characters end, without the U+2028 that Pango counts as the line's. One that ends
        /// the text stays, since no line is behind it. O(1).
        func endOfContent(of line: Range<Int>) -> Int {
            guard line.upperBound < count else { return count }
            let start = max(line.lowerBound, line.upperBound - 3)
            return string.utf8[index(start)..<index(line.upperBound)].elementsEqual([0xE2, 0x80, 0xA8])
                ? start : line.upperBound
        }

        /// The last bytes of a range, about as many, from the beginning of a character on.
        func tail(of range: Range<Int>, atMost count: Int) -> Range<Int> {
            guard range.count > count else { return range }
            let end = index(range.upperBound)
            var start = index(range.upperBound - count)
            while start < end, string.utf8[start] & 0xC0 == 0x80 { start = string.utf8.index(after: start) }
            return string.utf8.distance(from: string.startIndex, to: start)..<range.upperBound
        }

        /// The direction of the first character that has one and is in no isolate, within so many bytes; nil
        /// if none has.
        ///
        /// - Parameter endsAtParagraph: whether only the paragraph at `offset` is looked at.
        func isRightToLeft(from offset: Int, atMost limit: Int, endsAtParagraph: Bool) -> Bool? {
            let end = count - offset > limit ? offset + limit : count
            var isolates = 0
            for scalar in string.unicodeScalars[index(offset)..<index(end)] {
                switch scalar.value {
                case 0x2066...0x2068: isolates += 1
                case 0x2069: isolates = max(isolates - 1, 0)
                case _ where Self.endsParagraph(scalar):
                    if endsAtParagraph { return nil }
                    isolates = 0
                // For Pango these have a direction; for the algorithm they are no letters.
                case 0x202A...0x202E: break
                case _ where isolates > 0: break
                default:
                    let direction = cqp_direction(scalar.value)
                    if direction != PANGO_DIRECTION_NEUTRAL { return direction == PANGO_DIRECTION_RTL }
                }
            }
            return nil
        }

        /// Whether it separates paragraphs for Unicode's bidirectional algorithm. Of these, Pango's own
        /// paragraphs do not end at U+001C to U+001E and U+0085: behind one, it does not respect the
        /// paragraph's direction.
        static func endsParagraph(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x0A, 0x0D, 0x1C...0x1E, 0x85, 0x2029: true
            default: false
            }
        }
    }

    // MARK: Stretches

    extension StyledText {
        /// Part of a paragraph that Pango lays out in one call.
        struct Stretch {
            var end: Int
            /// The work of laying it out, in characters, without that of its lines.
            var cost = 0
            /// What of it long clusters take more than their characters say.
            var surcharge = 0
            /// Whether the paragraph ends where the stretch does.
            var isParagraphEnd = false
            /// Where the paragraph behind it begins; nil if none does, or the stretch is not this one's end.
            var nextParagraph: Int?
        }

        /// How long a stretch may be.
        struct Measure {
            /// The most work, in characters.
            var cost: Int
            /// The lines' width: breaking a word takes time that grows with its length times its lines, so a
            /// stretch has about ``lines`` lines of it, by a guess. Nil for no guess.
            var width: Double?
            var clusterLength: Int

            static let lines = 16.0

            /// Makes stretches longer. Returns false if they have the greatest cost already.
            mutating func grow(to greatest: Int) -> Bool {
                guard width != nil || cost < greatest else { return false }
                // What a guess has made of it is not known, and at least one character for each line.
                cost = min(4 * (width == nil ? cost : Int(Self.lines)), greatest)
                width = nil
                return true
            }
        }

        /// The stretch that begins at an offset. It ends between two characters as they are drawn, never
        /// within one.
        ///
        /// - Throws: `TextLayoutError` for a cluster that is too long.
        func stretch(from start: Int, _ measure: Measure) throws(TextLayoutError) -> Stretch {
            var stretch = Stretch(end: start)
            var lines = 0.0
            var segment = segment(at: start)
            var scripts = ScriptChanges()
            for character in string[index(start)...] {
                let length = character.utf8.count
                if length <= 3, let scalar = character.unicodeScalars.first, Self.endsParagraph(scalar) {
                    stretch.isParagraphEnd = true
                    stretch.nextParagraph = stretch.end + length
                    return stretch
                }
                let scalars = length == 1 ? 1 : character.unicodeScalars.count
                guard scalars <= measure.clusterLength else {
                    throw TextLayoutError(code: .clusterLength, limit: measure.clusterLength)
                }
                // Pango shapes a word again for each place where it might break: long clusters are expensive.
                let surcharge = scalars > 8 ? 7 * scalars : 0
                var cost = stretch.cost + surcharge
                for scalar in character.unicodeScalars { cost += scripts.cost(of: scalar) }
                while segment + 1 < segments.count, segments[segment].end <= stretch.end {
                    segment += 1
                    cost += Self.lineCost
                }
                if let width = measure.width {
                    let style = segments[segment].run.style
                    lines += (style.pangoSize / 2 + max(style.pangoLetterSpacing, 0)) / max(width, 1)
                }
                guard cost <= measure.cost, lines <= Measure.lines || cost <= Int(Measure.lines) else {
                    return stretch
                }
                stretch.cost = cost
                stretch.surcharge += surcharge
                stretch.end += length
            }
            stretch.isParagraphEnd = true
            return stretch
        }
    }
#endif
