#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Text that a line limit cuts off", .timeLimit(.minutes(15)))
    struct LineLimitTests {
        private static let sentence =
            "The quick brown fox jumps over the lazy dog, and over the hedge behind it."
        private static let ellipsis = (try? TextLayout(RichText("…")))?.pieces[0].glyphs[0].index ?? 0

        private func layout(
            _ text: RichText, width: Double = .infinity, limit: Int,
            _ set: (inout TextLayoutOptions) -> Void = { _ in }
        ) throws -> TextLayout {
            var options = TextLayoutOptions()
            options.lineLimit = limit
            set(&options)
            return try TextLayout(text, width: width, options: options)
        }

        private func lines(_ layout: TextLayout) -> [[GlyphPiece]] {
            let tops = Set(layout.pieces.map(\.rect.minY)).sorted()
            return tops.map { top in layout.pieces.filter { $0.rect.minY == top } }
        }

        private func glyphs(_ pieces: [GlyphPiece]) -> [UInt] { pieces.flatMap { $0.glyphs.map(\.index) } }

        /// Texts whose lines differ in height, or come from short paragraphs, with a width and space between
        /// lines.
        private static var texts: [(text: RichText, width: Double, spacing: Double)] {
            var title = RichText("A title\n", style: TextStyle(size: 24))
            title.append(sentence + " " + sentence, style: TextStyle(size: 12))
            var large = RichText("Big ", style: TextStyle(size: 30))
            large.append(sentence + sentence, style: TextStyle(size: 12))
            var late = RichText(sentence + " ", style: TextStyle(size: 12))
            late.append("Big " + sentence, style: TextStyle(size: 30))
            return [
                (RichText("first\nsecond\nthird\n\nfifth"), 200, 0),
                (RichText("first\r\nsecond\u{2028}third\u{2029}fourth\n"), 200, 0),
                (title, 150, 0), (large, 150, 0), (late, 150, 0),
                (RichText(sentence), 120, -1), (RichText(sentence), 120, -14), (RichText(sentence), 120, 30),
                (RichText("One short line\n" + sentence + "\nthe end"), 120, 0),
            ]
        }

        @Test(
            "as many lines are there as the limit says, the last ends in an ellipsis, and those before are unchanged",
            arguments: 0..<9)
        func count(index: Int) throws {
            let (text, width, spacing) = Self.texts[index]
            func set(_ options: inout TextLayoutOptions) { options.lineSpacing = spacing }
            let full = try layout(text, width: width, limit: 0, set)
            try #require(full.lineCount > 2 && !full.isTruncated)
            for limit in 1..<full.lineCount {
                let cut = try layout(text, width: width, limit: limit, set)
                #expect(cut.lineCount == limit && cut.isTruncated)
                #expect(cut.size.width <= width + 0.01)
                let (all, shown) = (lines(full), lines(cut))
                // A line without glyphs has no pieces.
                let last = try #require(shown.last)
                #expect(glyphs(last).last == Self.ellipsis, "limit \(limit)")
                #expect(glyphs(last).count { $0 == Self.ellipsis } == 1)
                for (before, now) in zip(all, shown.dropLast()) {
                    #expect(before.map(\.rect) == now.map(\.rect) && glyphs(before) == glyphs(now))
                }
                let bottom = try #require(last.map(\.rect.maxY).max())
                #expect(abs(cut.size.height - bottom) < 0.01)
                let above = shown.dropLast().last?.map(\.rect.maxY).max() ?? -spacing
                if shown.count == limit { #expect(abs(last[0].rect.minY - above - spacing) < 0.01) }
            }
            #expect(try !layout(text, width: width, limit: full.lineCount, set).isTruncated)
        }

        @Test(
            "where whole paragraphs are left out the last line is itself and an ellipsis",
            arguments: [200, .infinity] as [Double])
        func paragraphs(width: Double) throws {
            let text = RichText("first\nsecond\nthird")
            for truncation in [TextLayoutOptions.Truncation.start, .middle, .end] {
                for (limit, shown) in [(1, "first…"), (2, "first\nsecond…")] {
                    let cut = try layout(text, width: width, limit: limit) { $0.truncation = truncation }
                    let expected = try TextLayout(RichText(shown), width: width)
                    #expect(cut.isTruncated && cut.lineCount == limit)
                    #expect(glyphs(cut.pieces) == glyphs(expected.pieces))
                    #expect(
                        abs(cut.size.width - expected.size.width) < 0.1
                            && cut.size.height == expected.size.height)
                }
                let plain = try layout(text, width: width, limit: 1) { $0.truncation = .none }
                #expect(glyphs(plain.pieces) == glyphs(try TextLayout(RichText("first")).pieces))
            }
        }

        @Test("an ellipsis at the beginning or in the middle of the last line leaves its end there")
        func beginningAndMiddle() throws {
            let end = glyphs(try TextLayout(RichText("behind it.")).pieces)
            for truncation in [TextLayoutOptions.Truncation.start, .middle] {
                for limit in 1...3 {
                    let cut = try layout(RichText(Self.sentence), width: 150, limit: limit) {
                        $0.truncation = truncation
                        $0.lineSpacing = -1
                    }
                    let last = glyphs(try #require(lines(cut).last))
                    #expect(cut.lineCount == limit && last.suffix(5) == end.suffix(5))
                    #expect(last.firstIndex(of: Self.ellipsis).map { $0 == 0 } == (truncation == .start))
                }
            }
        }

        @Test("links are where they are in the whole text, and an ellipsis is none")
        func marks() throws {
            var text = RichText("before ")
            text.append("one", mark: .link("1"))
            text.append("\nand ")
            text.append("two", mark: .link("2"))
            text.append("\n")
            text.append("three", mark: .link("3"))
            let full = try TextLayout(text, width: 300)
            let cut = try layout(text, width: 300, limit: 2)
            #expect(cut.marks.map(\.mark) == full.marks.map(\.mark))
            #expect(cut.marks[0].rects == full.marks[0].rects && cut.marks[1].rects == full.marks[1].rects)
            #expect(cut.marks[2].rects.isEmpty)
            #expect(glyphs(cut.pieces).last == Self.ellipsis)

            var long = RichText("See ")
            long.append(
                Self.sentence, style: TextStyle(color: Color(red: 1, green: 0, blue: 0)), mark: .link("x"))
            long.append(Self.sentence)
            for limit in 1...3 {
                let cut = try layout(long, width: 150, limit: limit)
                let rects = cut.marks[0].rects
                #expect(rects.count == limit)
                let point = Point(x: rects[limit - 1].minX + 1, y: cut.size.height - 2)
                #expect(cut.mark(at: point)?.mark == .link("x"))
                let ellipsis = try #require(cut.pieces.last { $0.glyphs.last?.index == Self.ellipsis })
                #expect(rects[limit - 1].maxX <= ellipsis.rect.maxX - 5)
                #expect(Set(cut.pieces.dropFirst().map(\.color.red)) == [1])
            }
        }

        @Test("the last line is put where its paragraph's direction and the alignment say")
        func alignment() throws {
            let hebrew = RichText("שלום עולם שלום עולם words from the left that go on and on")
            let full = try TextLayout(hebrew, width: 120)
            try #require(full.lineCount > 3)
            for limit in 1..<full.lineCount {
                let last = try #require(lines(try layout(hebrew, width: 120, limit: limit)).last)
                #expect(abs((last.map(\.rect.maxX).max() ?? 0) - 120) < 1)
            }
            let text = RichText(
                "short\na longer line\nwide enough for all\nwhat is left out, however wide that is")
            for width in [300, Double.infinity] {
                for alignment in [TextLayoutOptions.Alignment.center, .end] {
                    let cut = try layout(text, width: width, limit: 3) { $0.alignment = alignment }
                    let extent = width.isFinite ? width : cut.size.width
                    for line in lines(cut) {
                        let (left, right) = (line.map(\.rect.minX).min()!, line.map(\.rect.maxX).max()!)
                        #expect(left >= -0.01)
                        #expect(abs(alignment == .end ? extent - right : extent - right - left) < 0.1)
                    }
                    let shown = try TextLayout(RichText("wide enough for all…")).size.width
                    #expect(width.isFinite || abs(cut.size.width - shown) < 0.1)
                }
            }
        }

        @Test(
            "with any text and options, the limit holds and an ellipsis is there",
            arguments: 1...8 as ClosedRange<UInt64>)
        func random(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let words = [
                "a", "word ", "longer words", " ", "  ", "\n", "\r\n", "\u{2028}", "\u{2029}", "\t", "שלום ",
                "\u{AD}long\u{AD}er",
                "e\u{301}", "-", "...", "\u{200B}", "\u{0}", "x ",
            ]
            for _ in 0..<20 {
                var text = RichText()
                for _ in 0..<Int.random(in: 3...25, using: &generator) {
                    var style = TextStyle(size: .random(in: 5...40, using: &generator))
                    style.letterSpacing = [0, 0, 3, -1].randomElement(using: &generator) ?? 0
                    text.append(
                        words.randomElement(using: &generator) ?? "", style: style,
                        mark: Bool.random(using: &generator) ? .link("") : nil)
                }
                var options = TextLayoutOptions()
                options.wrapping = [.words, .characters, .wordsThenCharacters].randomElement(
                    using: &generator)!
                options.alignment = [.start, .center, .end, .justified].randomElement(using: &generator)!
                options.direction = [.automatic, .leftToRight, .rightToLeft].randomElement(using: &generator)!
                options.truncation = [.start, .middle, .end].randomElement(using: &generator)!
                options.lineSpacing = .random(in: -5...5, using: &generator)
                let width = [40, 100, 217.5, .infinity].randomElement(using: &generator)!
                let full = try TextLayout(text, width: width, options: options)
                for limit in 1..<max(full.lineCount, 2) where limit < full.lineCount {
                    options.lineLimit = limit
                    let cut = try TextLayout(text, width: width, options: options)
                    #expect(cut.lineCount == limit)
                    #expect(glyphs(cut.pieces).contains(Self.ellipsis) == cut.isTruncated)
                    // Where a tab leads to may be another place in the last line, and all of it fit.
                    #expect(
                        cut.isTruncated || text.string.contains("\t"),
                        "\(text.string.debugDescription) \(width) \(options)")
                    #expect(cut.marks.count == full.marks.count)
                }
            }
        }
    }
#endif
