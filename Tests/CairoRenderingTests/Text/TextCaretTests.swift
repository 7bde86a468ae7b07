#if Cairo
    import AsyncLayers
    import Testing

    @testable import CairoRendering

    /// The carets of a text, in one line unless it has a width.
    func carets(
        of text: RichText, width: Double = .infinity, _ set: (inout TextLayoutOptions) -> Void = { _ in }
    ) throws -> TextCarets {
        var options = TextLayoutOptions()
        options.recordsCarets = true
        set(&options)
        return try #require(TextLayout(text, width: width, options: options).carets)
    }

    func carets(
        of text: String, width: Double = .infinity, _ set: (inout TextLayoutOptions) -> Void = { _ in }
    ) throws -> TextCarets {
        try carets(of: RichText(text), width: width, set)
    }

    extension TextCarets {
        /// The index behind so many characters.
        func index(_ count: Int) -> String.Index { string.index(string.startIndex, offsetBy: count) }

        func offset(of index: String.Index) -> Int { string.distance(from: string.startIndex, to: index) }

        func x(_ count: Int, _ affinity: Affinity = .downstream) -> Double {
            caretRect(at: Position(index(count), affinity: affinity)).minX
        }

        /// The carets that arrow keys reach from a position.
        func indices(from start: Position, toLeft: Bool = false) -> [String.Index] {
            var (position, indices) = (Optional(start), [String.Index]())
            while let reached = position, indices.count < 10_000 {
                indices.append(reached.index)
                position = toLeft ? self.position(leftOf: reached) : self.position(rightOf: reached)
            }
            return indices
        }

        /// How many characters are before each of them.
        func walk(from start: Position, toLeft: Bool = false) -> [Int] {
            indices(from: start, toLeft: toLeft).map(offset)
        }
    }

    @Suite("Carets and selections in text", .timeLimit(.minutes(15)))
    struct TextCaretTests {
        @Test("they are recorded only on request, and counted in the layout's memory")
        func onRequest() throws {
            let plain = try TextLayout(RichText("some words"))
            var options = TextLayoutOptions()
            options.recordsCarets = true
            let recorded = try TextLayout(RichText("some words"), options: options)
            #expect(plain.carets == nil && recorded.carets?.string == "some words")
            #expect(recorded.byteCount >= plain.byteCount + 10 * 32)
            #expect(recorded.size == plain.size && recorded.pieces.map(\.rect) == plain.pieces.map(\.rect))
        }

        @Test("a point is nearest to one side of the character below it")
        func points() throws {
            let carets = try carets(of: "wide")
            let middle = (carets.x(1) + carets.x(2)) / 2
            for (x, expected) in [(middle - 0.5, 1), (middle + 0.5, 2), (-50, 0), (5_000, 4)] {
                for y in [-100.0, 5, 100] {
                    let position = carets.closestPosition(to: Point(x: x, y: y))
                    #expect(position == TextCarets.Position(carets.index(expected)))
                }
            }
            let rect = carets.caretRect(at: TextCarets.Position(carets.index(2)))
            #expect(rect.size.width == 0 && rect.size.height == carets.lines[0].rect.size.height)
        }

        @Test("an empty text has one caret, and so has the empty line behind a line break")
        func empty() throws {
            let empty = try carets(of: "")
            #expect(empty.lines.count == 1 && empty.lines[0].range == empty.index(0)..<empty.index(0))
            let only = empty.closestPosition(to: Point(x: 20, y: 20))
            #expect(only == empty.lines[0].start && only == empty.lines[0].end)
            #expect(empty.caretRect(at: only).size.height > 10 && empty.wordRange(at: only.index).isEmpty)
            #expect(empty.position(leftOf: only) == nil && empty.position(rightOf: only) == nil)
            #expect(empty.position(above: only) == nil && empty.position(below: only) == nil)

            for (ending, alignment) in [("\n", 0.0), ("\r\n", 1), ("\u{2029}", 0.5), ("\n\n", 0)] {
                let carets = try carets(of: "a" + ending, width: 100) {
                    $0.alignment = alignment == 0 ? .start : alignment == 1 ? .end : .center
                }
                let last = try #require(carets.lines.last)
                let end = TextCarets.Position(carets.string.endIndex)
                #expect(carets.lines.count == (ending == "\n\n" ? 3 : 2) && last.start == end)
                #expect(carets.caretRect(at: end).minY == last.rect.minY)
                #expect(abs(carets.caretRect(at: end).minX - 100 * alignment) < 0.01)
                #expect(carets.closestPosition(to: Point(x: 50, y: 1_000)) == end)
                #expect(carets.selectionRects(of: last.range).isEmpty)
            }
        }

        @Test(
            "no caret stands within what is drawn as one character",
            arguments: [
                "👩‍👩‍👧‍👦🇩🇪👍🏽", "e\u{301}o\u{308}\u{323}", "שָׁלוֹם", "a\r\nb\n\rc", "a\tb\t\tc", "a\u{2028}b\u{2028}",
                "\u{0}a\u{0}\u{0}b\n\u{0}", "office ffi", "漢字\u{200B}か", "a\u{AD}b\u{200F}c",
            ])
        func clusters(text: String) throws {
            for style in [nil, TextStyle(weight: .bold)] {
                var rich = RichText()
                // Each character in a style of its own, so that a cluster is in several runs.
                if let style {
                    for (number, scalar) in text.unicodeScalars.enumerated() {
                        rich.append(String(scalar), style: number % 2 == 0 ? style : TextStyle())
                    }
                } else {
                    rich.append(text)
                }
                let carets = try carets(of: rich) { $0.direction = .leftToRight }
                let found = carets.walk(from: carets.lines[0].start)
                #expect(found.sorted() == Array(0...text.count), "\(text.debugDescription)")
                for offset in 0..<text.utf8.count {
                    let index = text.utf8.index(text.startIndex, offsetBy: offset)
                    let rounded = carets.roundedDown(TextCarets.Position(index)).index
                    #expect(rounded <= index && text.indices.contains(rounded))
                    #expect(text.distance(from: rounded, to: index) == 0)
                }
            }
        }

        @Test("where directions meet an index has two places, and a click means the character below it")
        func mixed() throws {
            // Shown as abcגבא, the Hebrew read from the right.
            let carets = try carets(of: "abcאבג")
            let end = carets.x(6)
            #expect(carets.x(3, .upstream) < carets.x(3) && abs(carets.x(3) - end) < 0.01)
            #expect(carets.x(6, .upstream) == carets.x(3, .upstream))
            let split = carets.splitCaret(at: TextCarets.Position(carets.index(3)))
            #expect(split.strong.minX == carets.x(3, .upstream) && split.weak?.minX == carets.x(3))
            #expect(carets.splitCaret(at: TextCarets.Position(carets.index(1))).weak == nil)
            let boundary = carets.x(3, .upstream)
            let hits = [-0.5, 0.5].map { carets.closestPosition(to: Point(x: boundary + $0, y: 5)) }
            #expect(hits.map { carets.offset(of: $0.index) } == [3, 6])
            #expect(hits.map(\.affinity) == [.upstream, .upstream])
            #expect(carets.caretRect(at: hits[0]) == carets.caretRect(at: hits[1]))
            // c and the first letter of the Hebrew are apart, the last letter is beside c.
            #expect(carets.selectionRects(of: carets.index(2)..<carets.index(4)).count == 2)
            #expect(carets.selectionRects(of: carets.index(2)..<carets.index(6)).count == 1)
            #expect(carets.walk(from: carets.lines[0].start) == [0, 1, 2, 3, 5, 4, 6])
            #expect(carets.walk(from: carets.lines[0].end, toLeft: true) == [6, 4, 5, 3, 2, 1, 0])
        }

        @Test("at a soft wrap the affinity chooses the line, and arrows pass both ends at once")
        func wraps() throws {
            let carets = try carets(of: "one two three", width: 40)
            let lines = carets.lines
            #expect(lines.count == 3 && lines.map(\.isWrapped) == [true, true, false])
            let next = lines[1].range.lowerBound
            #expect(lines[0].end == TextCarets.Position(next, affinity: .upstream))
            #expect(lines[1].start == TextCarets.Position(next))
            #expect(carets.lineIndex(of: lines[0].end) == 0 && carets.lineIndex(of: lines[1].start) == 1)
            #expect(carets.caretRect(at: lines[0].end).minX > carets.caretRect(at: lines[1].start).minX)
            #expect(carets.closestPosition(to: Point(x: 1_000, y: 1)) == lines[0].end)
            #expect(carets.walk(from: lines[0].start) == Array(0...13))
            #expect(carets.walk(from: lines[2].end, toLeft: true) == (0...13).reversed())
            #expect(carets.position(rightOf: .init(carets.index(3))) == lines[1].start)
            #expect(carets.position(rightOf: lines[0].end)?.index == carets.index(5))
            #expect(carets.position(leftOf: lines[1].start)?.index == carets.index(3))
        }

        @Test(
            "the end of a line is before the characters that end it",
            arguments: ["\n", "\r\n", "\u{1C}", "\u{1D}", "\u{1E}", "\u{85}", "\u{2028}", "\u{2029}"])
        func lineBreaks(ending: String) throws {
            let carets = try carets(of: "a" + ending + "b")
            #expect(carets.lines.map(\.isWrapped) == [false, false])
            #expect(carets.lines.map(\.start.index) == [carets.index(0), carets.index(2)])
            #expect(carets.lines.map(\.end.index) == [carets.index(1), carets.index(3)])
            #expect(carets.lineIndex(of: .init(carets.index(2), affinity: .upstream)) == 1)
        }

        @Test("text that is read from the right begins at its right, and continues there in the next line")
        func rightToLeft() throws {
            let carets = try carets(of: "אחת שתיים\nשלוש", width: 300)
            #expect(abs(carets.x(0) - 300) < 0.01 && carets.lines.allSatisfy(\.isRightToLeft))
            #expect(carets.walk(from: carets.lines[0].start, toLeft: true) == Array(0...14))
            #expect(carets.walk(from: carets.lines[1].end) == (0...14).reversed())
            #expect(carets.x(1) < carets.x(0) && carets.closestPosition(to: .zero).index == carets.index(9))
        }

        @Test("carets go up and down by lines, and keep to a place beside short ones")
        func vertical() throws {
            let carets = try carets(of: "a long line\nb\nanother line")
            let start = TextCarets.Position(carets.index(8))
            let x = carets.caretRect(at: start).minX
            let second = try #require(carets.position(below: start, x: x))
            let third = try #require(carets.position(below: second, x: x))
            #expect(second.index == carets.index(13) && carets.lineIndex(of: third) == 2)
            #expect(abs(carets.caretRect(at: third).minX - x) < 6)
            #expect(carets.position(above: second, x: x) == start)
            #expect(carets.position(above: second)?.index != start.index)
            let apart = try CairoRenderingTests.carets(of: "a\nb") { $0.lineSpacing = 20 }
            let gap = apart.lines[0].rect.maxY
            #expect(apart.lineIndex(of: apart.closestPosition(to: Point(x: 0, y: gap + 9))) == 0)
            #expect(apart.lineIndex(of: apart.closestPosition(to: Point(x: 0, y: gap + 11))) == 1)
            #expect(carets.position(below: third) == nil && carets.position(above: start) == nil)
        }

        @Test("a word is found by any index within, also across lines")
        func words() throws {
            let carets = try carets(of: "two words, done")
            func word(_ index: Int) -> Substring { carets.string[carets.wordRange(at: carets.index(index))] }
            #expect(
                [0, 2, 3, 4, 9, 10, 15].map { word($0) } == ["two", "two", " ", "words", ",", " ", "done"])
            let broken = try CairoRenderingTests.carets(of: "Donaudampfschifffahrt x", width: 50)
            #expect(broken.lines.count > 3)
            for line in broken.lines.dropLast() {
                #expect(broken.wordRange(at: line.range.lowerBound) == broken.index(0)..<broken.index(21))
            }
        }

        @Test("moves by words stop at their ends and beginnings, where the paragraph's direction has them")
        func wordMoves() throws {
            func stops(_ text: String, toLeft: Bool, width: Double = .infinity) throws -> [Int] {
                let carets = try carets(of: text, width: width)
                let lines = carets.lines
                var position = lines[0].isRightToLeft == toLeft ? lines[0].start : lines[lines.count - 1].end
                var stops: [Int] = []
                while let next = toLeft
                    ? carets.position(wordLeftOf: position) : carets.position(wordRightOf: position),
                    stops.count < 100
                {
                    stops.append(carets.offset(of: next.index))
                    position = next
                }
                return stops
            }
            #expect(try stops(" two words, done. ", toLeft: false) == [4, 10, 16, 18])
            #expect(try stops(" two words, done. ", toLeft: true) == [12, 5, 1, 0])
            #expect(try stops("two\n\nwords", toLeft: false) == [3, 10])
            #expect(try stops("two\n\nwords", toLeft: true) == [5, 0])
            #expect(try stops("two words here", toLeft: false, width: 40) == [3, 9, 14])
            #expect(try stops("two words here", toLeft: true, width: 40) == [10, 4, 0])
            #expect(try stops("אחת שתיים שלוש", toLeft: true) == [3, 9, 14])
            #expect(try stops("אחת שתיים שלוש", toLeft: false) == [10, 4, 0])
            // In the order of reading, also where the line has words of the other direction.
            #expect(try stops("one אחת שתיים two", toLeft: false) == [3, 7, 13, 17])
            #expect(try stops("אחת one two שתיים", toLeft: true) == [3, 7, 11, 17])
            for text in ["", " ", "\n", "..."] {
                #expect(try stops(text, toLeft: false) == (text.isEmpty ? [] : [text.count]))
                #expect(try stops(text, toLeft: true) == (text.isEmpty ? [] : [0]))
            }
            // Beside the word that it has passed.
            let mixed = try carets(of: "one אחת")
            let end = mixed.position(wordRightOf: .init(mixed.index(4)))
            #expect(end.map { mixed.caretRect(at: $0).minX } == mixed.x(7, .upstream))
        }

        @Test("what an ellipsis stands for is one character, and what is left out belongs to the last line")
        func truncated() throws {
            let text = "The quick brown fox jumps over the lazy dog\nand\nmore"
            for truncation in [TextLayoutOptions.Truncation.none, .start, .middle, .end] {
                for limit in [1, 2] {
                    let carets = try carets(of: text, width: 130) {
                        $0.lineLimit = limit
                        $0.truncation = truncation
                    }
                    let last = try #require(carets.lines.last)
                    #expect(carets.lines.count == limit && last.range.upperBound == text.endIndex)
                    let end = carets.roundedDown(TextCarets.Position(text.endIndex))
                    #expect(end == last.end && carets.lineIndex(of: end) == limit - 1)
                    #expect(carets.caretRect(at: end).minX <= 130.01)
                    let found = carets.walk(from: carets.lines[0].start)
                    #expect(Set(found).count == found.count && found.count < 44)
                    let jumps = zip(found, found.dropFirst()).filter { $1 - $0 > 1 }
                    // One more stands for the paragraphs that are left out.
                    #expect(jumps.count == (truncation == .none ? 0 : truncation == .end ? 1 : 2))
                    let widths = carets.selectionRects(of: last.range).map(\.size.width)
                    #expect(abs(widths.reduce(0, +) - last.rect.size.width) < 0.01)
                    guard let (before, behind) = jumps.first else { continue }
                    let within = TextCarets.Position(carets.index((before + behind) / 2))
                    #expect(carets.roundedDown(within).index == carets.index(before))
                }
            }
            let long = String(repeating: "word ", count: 2_000) + "end"
            for truncation in [TextLayoutOptions.Truncation.start, .middle] {
                let carets = try carets(of: long, width: 130) {
                    $0.lineLimit = 1
                    $0.truncation = truncation
                }
                #expect(carets.walk(from: carets.lines[0].start).suffix(3) == [10_001, 10_002, 10_003])
            }
            let short = try carets(of: "one\ntwo", width: 130) { $0.lineLimit = 1 }
            #expect(short.walk(from: short.lines[0].start) == [0, 1, 2, 3, 7])
        }

        @Test("foreign indices and nonsense points give the nearest caret")
        func nonsense() throws {
            let long = String(repeating: "long ", count: 50)
            for text in ["", "ab", "a\u{301}אב\n", "👩‍👩‍👧‍👦"] {
                let carets = try carets(of: text, width: 100)
                let end = TextCarets.Position(text.endIndex)
                #expect(carets.roundedDown(TextCarets.Position(long.endIndex)) == carets.roundedDown(end))
                #expect(carets.selectionRects(of: long.startIndex..<long.endIndex).count <= 2)
                #expect(carets.selectionRects(of: long.endIndex..<long.endIndex).isEmpty)
                _ = carets.wordRange(at: long.endIndex)
                if let surrogate = "👩".utf16.indices.last {
                    #expect(carets.roundedDown(TextCarets.Position(surrogate)).index == text.startIndex)
                }
                for x in [Double.nan, .infinity, -.infinity, 1e300, -0.0] {
                    for y in [Double.nan, .infinity, -.infinity, 1e300, -0.0] {
                        let position = carets.closestPosition(to: Point(x: x, y: y))
                        #expect(carets.lineIndex(of: position) == (y > 1 ? carets.lines.count - 1 : 0))
                        #expect(carets.roundedDown(position) == position)
                        _ = carets.position(above: position, x: x)
                        _ = carets.position(below: position, x: x)
                    }
                }
            }
            var style = TextStyle()
            style.letterSpacing = -40
            let backward = try carets(of: RichText("backward", style: style))
            #expect(backward.walk(from: backward.lines[0].start) == Array(0...8))
        }

        @Test("selections of lines that overlap do not")
        func overlappingLines() throws {
            let carets = try carets(of: "one\ntwo\nthree") { $0.lineSpacing = -6 }
            let rects = carets.selectionRects(of: carets.index(0)..<carets.string.endIndex)
            #expect(rects.count == 3)
            #expect(zip(rects, rects.dropFirst()).allSatisfy { $0.maxY == $1.minY })
            let none = try CairoRenderingTests.carets(of: "one\ntwo") { $0.lineSpacing = -1_000 }
            #expect(none.selectionRects(of: none.index(0)..<none.string.endIndex).count == 1)
        }
    }
#endif
