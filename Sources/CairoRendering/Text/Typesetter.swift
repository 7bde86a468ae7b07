#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo

    /// A line of a layout.
    struct TextLine {
        struct Mark {
            /// Which run of the rich text it is.
            let run: Int
            var rect: Rect
        }

        var rect: Rect
        let baseline: Double
        /// Where its characters are in the text, in bytes, without what ends a paragraph.
        var range: Range<Int>
        var isRightToLeft = false
        /// From the left; empty if no carets are recorded.
        var carets: [CaretPart] = []
        var pieces: [GlyphPiece] = []
        var marks: [Mark] = []
        /// What of the room beside it is left of it, from 0 to 1. Only without a width, where Pango knows one
        /// paragraph.
        var indent = 0.0
    }

    /// Makes the lines of a text, a stretch at a time.
    ///
    /// Pango lays out what it is given in one call, which cannot be interrupted, takes time that in the worst
    /// case grows with the square of the text, and adds in 32 bits. So it is given a paragraph at a time, and
    /// of a long paragraph about 16 lines at a time:
    ///
    ///     stretch 1    [line 1 … line 15, line 16 …]     line 16 is not taken: more text may change it
    ///     stretch 2             [line 15, line 16 … line 30, line 31 …]
    ///
    /// The last line or lines before a stretch are its context. They are laid out again but not taken again:
    /// letters join, and numbers and punctuation take their direction, from what is before them. So lines are
    /// the same as if Pango were given the whole paragraph, with four exceptions. Explicit embeddings (U+202A
    /// to U+202E, U+2066 to U+2069) and pairs of brackets that reach over more than a stretch end with it.
    /// Tab stops depend on the first font of what Pango is given, and so does the width that it leaves for a
    /// hyphen. Where a line has a few letters, a stretch has too few to place digits and signs beside a
    /// change of direction always alike.
    ///
    /// Itemizing a whole paragraph and breaking its lines here, which PangoLayout does, was the alternative:
    /// a thousand lines for the rules that Pango has, to spare the line that is laid out twice.
    struct Typesetter {
        private let text: StyledText
        private let runs: [RichText.Run]
        private let options: TextLayoutOptions
        private let limits: TextLayoutLimits
        /// In points; nil for no bound.
        private let width: Double?
        private let spacing: Double
        private let lineLimit: Int
        /// The most work in one call of Pango's, unless one line takes more.
        private let stretchCost: Int

        private var lines: [TextLine] = []
        private var isTruncated = false
        private var cost = 0
        private var fonts: Set<StyledText.Font> = []

        /// - Parameter stretchCost: tests make it small or large, which must not change lines.
        init(_ text: RichText, width: Double, _ options: TextLayoutOptions, stretchCost: Int = 2_048) {
            self.text = StyledText(text)
            runs = text.runs
            self.options = options
            limits = options.limits.clamped
            self.width = width <= 1_000_000 ? max(width, 0) : nil
            let spacing = options.lineSpacing.isNaN ? 0 : min(max(options.lineSpacing, -1_024), 1_024)
            self.spacing = PangoLines.points(PangoLines.units(spacing))
            lineLimit = options.lineLimit.flatMap { $0 > 0 ? $0 : nil } ?? .max
            self.stretchCost = stretchCost
        }

        /// Makes the lines.
        ///
        /// - Parameter isCancelled: called before each call of Pango's.
        /// - Throws: `TextLayoutError`, or `CancellationError` if `isCancelled` returns true.
        consuming func makeLines(isCancelled: () -> Bool) throws -> TextLayout.Lines {
            // Known before any work: without a limit all characters are laid out.
            if lineLimit == .max,
                StyledText.lineCost + text.cost(of: 0..<text.count, atMost: limits.layoutCost)
                    > limits.layoutCost
            {
                throw TextLayoutError(code: .layoutCost, limit: limits.layoutCost)
            }
            // Neutral paragraphs have the direction of the one before, and the first ones that of the text.
            var isRightToLeft =
                switch options.direction {
                case .automatic:
                    text.isRightToLeft(from: 0, atMost: limits.layoutCost, endsAtParagraph: false) ?? false
                case .leftToRight: false
                case .rightToLeft: true
                }
            var start: Int? = 0
            while let paragraph = start {
                if options.direction == .automatic {
                    isRightToLeft =
                        text.isRightToLeft(from: paragraph, atMost: limits.layoutCost, endsAtParagraph: true)
                        ?? isRightToLeft
                }
                start = try layOutParagraph(from: paragraph, isRightToLeft, isCancelled)
            }
            return joinLines()
        }

        // MARK: Paragraphs

        /// Takes a paragraph's lines. Returns where the next one begins; nil if none does or the limit is
        /// reached.
        private mutating func layOutParagraph(
            from paragraph: Int, _ isRightToLeft: Bool, _ isCancelled: () -> Bool
        ) throws -> Int? {
            // Where the next line begins, and before it the lines that Pango may lay out again.
            var (contexts, next) = ([Int](), paragraph)
            var measure = firstMeasure
            while true {
                if isCancelled() { throw CancellationError() }
                let stretch = try text.stretch(from: next, measure)
                try charge(stretch.surcharge)
                try chargeFonts(of: next..<stretch.end)
                let context = contexts.first ?? next
                switch try takeLines(
                    of: stretch, context..<stretch.end, from: next, isRightToLeft, isCancelled)
                {
                case .all: return stretch.nextParagraph
                case .limit: return nil
                case .some(let newContexts, let newNext):
                    (contexts, next) = (newContexts, newNext)
                    measure = firstMeasure
                case .none where context < next:
                    // Lines need their room, or the lines before break at other places.
                    contexts.removeFirst()
                case .none:
                    if measure.grow(to: longestCost) { continue }
                    guard lines.count == lineLimit - 1, options.truncation != .none, width != nil else {
                        throw TextLayoutError(code: .lineCost, limit: limits.lineCost)
                    }
                    try takeShortenedLine(from: next, isRightToLeft, isCancelled)
                    return nil
                }
            }
        }

        private enum Taken {
            /// All of the paragraph's.
            case all
            /// As many as the limit allows.
            case limit
            /// Some. The next one begins at `next`, and what it may be laid out with at each of `contexts`.
            case some(contexts: [Int], next: Int)
            case none
        }

        /// Takes the lines of a stretch that more text would not change.
        ///
        /// - Parameters:
        ///   - range: what Pango is given: the stretch, and the context before it.
        ///   - start: where the first line begins that is to be taken.
        private mutating func takeLines(
            of stretch: StyledText.Stretch, _ range: Range<Int>, from start: Int, _ isRightToLeft: Bool,
            _ isCancelled: () -> Bool
        ) throws -> Taken {
            let pango = PangoLines(text, range, width: width, isRightToLeft: isRightToLeft, options)
            let end = stretch.end - min(Self.contextLength, (stretch.end - start) / 4)
            let contextLength = min(Self.contextLength, (stretch.end - start) / 2)
            var starts: [Int] = []
            repeat {
                let line = pango.range
                guard line.lowerBound >= start else { continue }
                guard !starts.isEmpty || line.lowerBound == start else { return .none }
                let isLast = pango.isAtLastLine
                if !stretch.isParagraphEnd, isLast || line.upperBound > end {
                    guard let last = starts.last else { return .none }
                    let next = line.lowerBound
                    let first = starts.first { $0 >= next - contextLength } ?? last
                    let contexts = first == last ? [last] : [first, last]
                    return .some(contexts: contexts.filter { next - $0 <= Self.longestContext }, next: next)
                }
                isTruncated = lines.count == lineLimit - 1 && (!isLast || stretch.nextParagraph != nil)
                if isTruncated, options.truncation != .none {
                    try takeShortenedLine(from: line.lowerBound, isRightToLeft, isCancelled)
                    return .limit
                }
                try charge(line)
                take(try pango.takeLine(top: top), isRightToLeft)
                if lines.count == lineLimit { return .limit }
                starts.append(line.lowerBound)
            } while pango.moveToNextLine()
            return stretch.isParagraphEnd ? .all : .none
        }

        /// Takes the line that the limit makes the last, with an ellipsis for the characters that do not fit.
        ///
        /// None of Pango's limits is this one: that of lines holds for each paragraph, that of height goes by
        /// a guess at the next line's, and both only shorten a line that is too wide. So the last line is a
        /// layout of its own: what is left of its paragraph, in one line. Of a long rest, only as much as
        /// fits many times is given to Pango.
        private mutating func takeShortenedLine(
            from start: Int, _ isRightToLeft: Bool, _ isCancelled: () -> Bool
        ) throws {
            let end = text.endOfLine(from: start)
            var measure = firstMeasure
            while true {
                if isCancelled() { throw CancellationError() }
                let head = start..<min(try text.stretch(from: start, measure).end, end)
                let isWhole = head.upperBound == end
                // The end is there also where the ellipsis stands for it, which is put where the end would
                // be.
                let tail = text.tail(of: head.upperBound..<end, atMost: head.count)
                for part in [head, tail] { try chargeFonts(of: part) }
                let ellipsis =
                    switch options.truncation {
                    case .none: PANGO_ELLIPSIZE_NONE
                    case .start: PANGO_ELLIPSIZE_START
                    case .middle: PANGO_ELLIPSIZE_MIDDLE
                    case .end: PANGO_ELLIPSIZE_END
                    }
                let rest = StyledText(
                    text, [head, tail],
                    ellipsisBehind: isWhole && end < text.count ? max(start, end - 1) : nil)
                // A cluster may also begin in the tail.
                _ = try rest.stretch(
                    from: 0, Measure(cost: .max, width: nil, clusterLength: limits.clusterLength))
                let pango = PangoLines(
                    rest, 0..<rest.count, width: width, isRightToLeft: isRightToLeft, options,
                    ellipsis: ellipsis)
                if isWhole || pango.isShortened {
                    isTruncated = end < text.count || pango.isShortened
                    try charge(head)
                    var line = try pango.takeLine(top: top)
                    line.moveOffsets { offset in
                        // Behind both parts is an ellipsis, which stands for all that follows.
                        if offset > head.count + tail.count { return text.count }
                        return offset < head.count
                            ? head.lowerBound + offset : tail.lowerBound + offset - head.count
                    }
                    return take(line, isRightToLeft)
                }
                guard measure.grow(to: longestCost) else {
                    throw TextLayoutError(code: .lineCost, limit: limits.lineCost)
                }
            }
        }

        // MARK: Measures

        private typealias Measure = StyledText.Measure

        /// In bytes: the context is the lines that begin within so many, or one line that is at most so long.
        /// At a stretch's end, lines that end within as many are not taken. Of a short stretch both are a
        /// part.
        private static let (contextLength, longestContext) = (128, 2_048)

        /// Of a stretch that is one line, and some of the next one, without which it is not known where the
        /// line ends.
        private var longestCost: Int { limits.lineCost + 2 * Self.contextLength }

        private var firstMeasure: Measure {
            Measure(
                cost: width == nil ? longestCost : min(stretchCost, longestCost),
                width: stretchCost == .max ? nil : width,
                clusterLength: limits.clusterLength)
        }

        private mutating func charge(_ line: Range<Int>) throws(TextLayoutError) {
            let lineCost = text.cost(of: line, atMost: limits.lineCost)
            guard lineCost <= limits.lineCost else {
                throw TextLayoutError(code: .lineCost, limit: limits.lineCost)
            }
            try charge(StyledText.lineCost + lineCost)
        }

        /// Charges fonts that are made now. A few are free.
        private mutating func chargeFonts(of bytes: Range<Int>) throws(TextLayoutError) {
            for font in text.fonts(of: bytes) where fonts.insert(font).inserted && fonts.count > 8 {
                try charge(StyledText.fontCost)
            }
        }

        private mutating func charge(_ work: Int) throws(TextLayoutError) {
            cost += work
            guard cost <= limits.layoutCost else {
                throw TextLayoutError(code: .layoutCost, limit: limits.layoutCost)
            }
        }

        // MARK: Joining

        /// Where the next line begins. Not above the last one: with negative spacing lines would lie outside
        /// the layout, whose height could be negative.
        private var top: Double { lines.last.map { max($0.rect.maxY + spacing, $0.rect.minY) } ?? 0 }

        private mutating func take(_ line: consuming TextLine, _ isRightToLeft: Bool) {
            if width == nil {
                switch options.alignment {
                case .start, .justified: line.indent = isRightToLeft ? 1 : 0
                case .center: line.indent = 0.5
                case .end: line.indent = isRightToLeft ? 0 : 1
                }
            }
            line.isRightToLeft = isRightToLeft
            lines.append(line)
        }

        private consuming func joinLines() -> TextLayout.Lines {
            let extent = lines.map(\.rect.size.width).max() ?? 0
            var result = TextLayout.Lines()
            result.isTruncated = isTruncated
            result.count = lines.count
            result.firstBaseline = lines.first?.baseline ?? 0
            // With negative spacing a low last line may end above the one before.
            result.size.height = lines.map(\.rect.maxY).max() ?? 0
            var rects: [[Rect]] = runs.map { _ in [] }
            for index in lines.indices where lines[index].indent > 0 {
                lines[index].move(by: lines[index].indent * (extent - lines[index].rect.size.width))
            }
            for line in lines {
                // From the layout's left edge, so that what is drawn lies within.
                result.size.width = max(result.size.width, line.rect.size.width, line.rect.maxX)
                result.pieces += line.pieces
                for mark in line.marks { rects[mark.run].append(mark.rect) }
            }
            for (run, rects) in zip(runs, rects) {
                guard let mark = run.mark else { continue }
                result.marks.append(
                    TextLayout.MarkedRange(mark: mark, index: result.marks.count, rects: rects))
            }
            if options.recordsCarets { result.carets = makeCarets() }
            return result
        }

        private func makeCarets() -> TextCarets {
            let string = text.isChanged ? runs.map(\.text).joined() : text.string
            let ends = lines.map { text.endOfContent(of: $0.range) }
            var isWrapped = false
            return TextCarets(
                string: string,
                lines: lines.indices.map { number in
                    let next = number + 1 < lines.count ? lines[number + 1].range.lowerBound : text.count
                    let continues = isWrapped
                    isWrapped = number + 1 < lines.count && ends[number] == next
                    return TextCarets.Line(
                        lines[number], end: ends[number], next: next, continues: continues,
                        isWrapped: isWrapped
                    ) { string.utf8.index(string.startIndex, offsetBy: text.givenOffset($0)) }
                })
        }
    }

    extension TextLine {
        fileprivate mutating func move(by distance: Double) {
            // As Pango does: in its units, and whole points stay whole.
            let distance = PangoLines.points(PangoLines.units(distance))
            rect.origin.x += distance
            pieces = pieces.map { $0.moved(by: distance) }
            for index in marks.indices { marks[index].rect.origin.x += distance }
            for index in carets.indices {
                carets[index].left += distance
                carets[index].right += distance
            }
        }

        /// Takes offsets of another text to those of this one.
        fileprivate mutating func moveOffsets(_ offset: (Int) -> Int) {
            range = offset(range.lowerBound)..<offset(range.upperBound)
            for index in carets.indices { carets[index].offset = offset(carets[index].offset) }
        }
    }
#endif
