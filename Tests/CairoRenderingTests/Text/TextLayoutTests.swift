#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Text in lines", .timeLimit(.minutes(15)))
    struct TextLayoutTests {
        private static let sentence =
            "The quick brown fox jumps over the lazy dog, and over the hedge behind it."

        private func options(_ set: (inout TextLayoutOptions) -> Void) -> TextLayoutOptions {
            var options = TextLayoutOptions()
            set(&options)
            return options
        }

        /// A text with a mark in its middle.
        private func marked(_ before: String, _ mark: String, _ after: String) -> RichText {
            var text = RichText(before)
            text.append(mark, mark: .link(mark))
            text.append(after)
            return text
        }

        @Test("without a width a paragraph is one line, as high as its font asks for")
        func oneLine() throws {
            let small = try TextLayout(RichText(Self.sentence, style: TextStyle(size: 12)))
            let large = try TextLayout(RichText(Self.sentence, style: TextStyle(size: 24)))
            #expect(small.lineCount == 1 && large.lineCount == 1)
            #expect(abs(large.size.width - 2 * small.size.width) < 0.05 * large.size.width)
            #expect(small.size.height > 12 && small.size.height < 24)
            #expect(small.firstBaseline > 6 && small.firstBaseline < small.size.height)
            #expect(try TextLayout(RichText("a\nb\n\nc")).lineCount == 4)
        }

        @Test(
            "lines keep to the width, and all glyphs stay within the size",
            arguments: [40, 100, 217.5, 1_000])
        func wrapping(width: Double) throws {
            let layout = try TextLayout(RichText(Self.sentence), width: width)
            #expect(layout.size.width <= width + 0.01)
            #expect(layout.lineCount > 1 || width == 1_000)
            #expect(layout.pieces.flatMap(\.glyphs).count >= Self.sentence.count - layout.lineCount)
            for piece in layout.pieces {
                #expect(piece.rect.minX >= -0.01 && piece.rect.maxX <= layout.size.width + 6)
                #expect(piece.rect.minY >= 0 && piece.rect.maxY <= layout.size.height + 0.01)
            }
        }

        @Test("a word that is too wide breaks, or sticks out, as the options say")
        func wideWord() throws {
            let word = RichText("Donaudampfschifffahrtsgesellschaft")
            #expect(try TextLayout(word, width: 60).lineCount > 1)
            let words = options { $0.wrapping = .words }
            #expect(try TextLayout(word, width: 60, options: words).lineCount == 1)
            #expect(try TextLayout(word, width: 60, options: words).size.width > 60)
            let characters = options { $0.wrapping = .characters }
            #expect(try TextLayout(RichText("a b"), width: 0, options: characters).lineCount >= 2)
        }

        @Test(
            "a line limit holds over paragraphs, and leaves an ellipsis where asked for",
            arguments: [TextLayoutOptions.Truncation.none, .start, .middle, .end])
        func lineLimit(truncation: TextLayoutOptions.Truncation) throws {
            let text = RichText("One short line\n" + Self.sentence + "\nthe end")
            let full = try TextLayout(text, width: 120)
            #expect(full.lineCount > 4 && !full.isTruncated)
            for limit in 1...4 {
                let layout = try TextLayout(
                    text, width: 120,
                    options: options {
                        $0.lineLimit = limit
                        $0.truncation = truncation
                    })
                #expect(layout.lineCount == limit)
                #expect(layout.isTruncated)
                #expect(layout.size.height < full.size.height && layout.size.width <= 120.01)
                let isLonger = layout.pieces.flatMap(\.glyphs).count > 14 * limit / 2
                #expect(isLonger)
            }
            for limit in [nil, 0, -3, 1_000] {
                let layout = try TextLayout(text, width: 120, options: options { $0.lineLimit = limit })
                #expect(layout.lineCount == full.lineCount && !layout.isTruncated)
            }
        }

        @Test("flags and skin tones among characters that join them are laid out in any width")
        func flags() async {
            await #expect(processExitsWith: .success) {
                let (flag, tone) = ("\u{1F1E9}", "\u{1F3FB}")
                for joiner in [
                    "\u{200D}", "\u{FE0F}", "\u{0308}", "\u{0903}", "\u{034F}", "\u{202E}", "\u{0CCD}",
                ] {
                    for text in [
                        flag + joiner + flag + flag + flag, joiner + tone + joiner + tone + tone + joiner,
                    ] {
                        for width in stride(from: 0.0, through: 130, by: 1) {
                            let style = TextStyle(size: 64)
                            let layout = try TextLayout(RichText(text, style: style), width: width)
                            precondition(layout.lineCount > 0)
                        }
                    }
                }
            }
        }

        @Test("lines are put where the alignment says")
        func alignment() throws {
            func left(_ alignment: TextLayoutOptions.Alignment) throws -> Double {
                let layout = try TextLayout(
                    RichText("short"), width: 300, options: options { $0.alignment = alignment })
                return layout.pieces[0].rect.minX
            }
            let width = try TextLayout(RichText("short")).size.width
            #expect(abs(try left(.start)) < 0.01)
            #expect(abs(try left(.center) - (300 - width) / 2) < 0.1)
            #expect(abs(try left(.end) - (300 - width)) < 0.1)
            let justified = try TextLayout(
                RichText(Self.sentence), width: 120, options: options { $0.alignment = .justified })
            let first = justified.pieces.filter { $0.rect.minY < 1 }
            #expect(abs((first.map(\.rect.maxX).max() ?? 0) - 120) < 6)
        }

        @Test("text that is read from the right begins there, whole or within other text")
        func rightToLeft() throws {
            let hebrew = try TextLayout(RichText("שלום עולם"), width: 300)
            #expect(abs(try #require(hebrew.pieces.map(\.rect.maxX).max()) - 300) < 0.1)
            let arabic = try TextLayout(RichText("مرحبا"), width: 300)
            #expect(try #require(arabic.pieces.map(\.rect.minX).min()) > 150)
            let forced = try TextLayout(
                RichText("abc"), width: 300, options: options { $0.direction = .rightToLeft })
            #expect(forced.pieces[0].rect.minX > 150)
            // "abc" and half of the Hebrew are marked, which is not one piece of the line.
            var text = RichText("")
            text.append("abc של", mark: .link("x"))
            text.append("ום def")
            #expect(try TextLayout(text).marks[0].rects.count == 2)
        }

        @Test("Chinese and Japanese break between any two characters, also where no font has them")
        func ideographs() throws {
            let text = RichText(String(repeating: "漢字かな交じり文", count: 6))
            let layout = try TextLayout(text, width: 100)
            #expect(layout.lineCount > 3)
            #expect(layout.size.width <= 100.01)
            let shown = layout.pieces.reduce(0) { $0 + $1.glyphs.count + $1.missing.count }
            #expect(shown == 48)
        }

        @Test("styles show: weight, slant, size, spacing, colours and lines")
        func styles() throws {
            func layout(_ set: (inout TextStyle) -> Void) throws -> TextLayout {
                var style = TextStyle()
                set(&style)
                return try TextLayout(RichText("Hamburgefonts", style: style))
            }
            let plain = try layout { _ in }
            #expect(try layout { $0.weight = .bold }.size.width > plain.size.width)
            #expect(try layout { $0.letterSpacing = 3 }.size.width > plain.size.width + 30)
            #expect(
                try layout { $0.isItalic = true }.pieces[0].typeface.face != plain.pieces[0].typeface.face)
            #expect(try layout { $0.isUnderlined = true }.pieces[0].decorations.count == 1)
            let both = try layout {
                $0.isUnderlined = true
                $0.isStruckThrough = true
            }
            let lines = both.pieces[0].decorations
            #expect(
                lines.count == 2 && lines[1].minY < both.firstBaseline && lines[0].minY > both.firstBaseline)

            var text = RichText("red", style: TextStyle(color: Color(red: 1, green: 0, blue: 0)))
            text.append("blue", style: TextStyle(color: Color(red: 0, green: 0, blue: 1)))
            text.append("clear blue", style: TextStyle(color: Color(red: 0, green: 0, blue: 1, alpha: 0.5)))
            #expect(try TextLayout(text).pieces.map(\.color) == text.runs.map(\.style.color))
        }

        @Test("a point finds the link or the mention below it, and nothing beside")
        func marks() throws {
            let layout = try TextLayout(marked("See ", "the manual", " for more"))
            let range = try #require(layout.marks.first)
            let rect = try #require(range.rects.first)
            #expect(range.mark == .link("the manual") && range.rects.count == 1)
            #expect(layout.mark(at: Point(x: rect.minX + 1, y: rect.minY + 1)) == range)
            #expect(layout.mark(at: Point(x: rect.minX - 1, y: rect.minY + 1)) == nil)
            #expect(layout.mark(at: Point(x: rect.maxX + 1, y: rect.minY + 1)) == nil)
            #expect(layout.mark(at: Point(x: .nan, y: rect.minY)) == nil)
            let before = try TextLayout(RichText("See ")).size.width
            #expect(abs(rect.minX - before) < 0.5)
        }

        @Test(
            "a link over several lines is in each, equal neighbours are two, and what is cut off is nowhere")
        func markedLines() throws {
            let long = try TextLayout(marked("See ", Self.sentence, "."), width: 150)
            #expect(long.marks[0].rects.count == long.lineCount)
            var text = RichText()
            text.append("@anna", mark: .mention("anna"))
            text.append("@anna", mark: .mention("anna"))
            let twice = try TextLayout(text)
            #expect(twice.marks.map(\.index) == [0, 1])
            #expect(abs(twice.marks[0].rects[0].maxX - twice.marks[1].rects[0].minX) < 0.1)
            let cut = try TextLayout(
                marked(Self.sentence, "far behind", ""), width: 150, options: options { $0.lineLimit = 1 })
            #expect(cut.marks.count == 1 && cut.marks[0].rects.isEmpty)
        }

        @Test(
            "nonsense in sizes, widths and options lays something out",
            arguments: [Double.nan, .infinity, -.infinity, -5, 0, 1e300])
        func nonsense(number: Double) throws {
            var style = TextStyle(family: "", size: number, weight: .init(rawValue: Int.min))
            style.letterSpacing = number
            let layout = try TextLayout(
                RichText("words and\u{0}zero\u{301}", style: style), width: number,
                options: options { $0.lineSpacing = number })
            #expect(layout.lineCount >= 1)
            #expect(layout.size.width.isFinite && layout.size.height.isFinite)
            _ = try TextLayout(
                RichText("👩‍👩‍👧‍👦 \u{202E}e\u{301}\u{301}\u{301} \u{FFFF}", style: style), width: number)
        }

        @Test("an empty text has one line and no marks, and a zero character is shown")
        func empty() throws {
            let layout = try TextLayout(RichText())
            #expect(layout.lineCount == 1 && layout.size.width == 0 && layout.size.height > 0)
            #expect(layout.marks.isEmpty && layout.mark(at: .zero) == nil)
            #expect(try TextLayout(RichText("a\u{0}b")).size.width > TextLayout(RichText("ab")).size.width)
        }

        @Test(
            "lines that negative spacing moves together begin in order, and stay within the layout",
            arguments: [-5, -30, -1_024, -1e300, -.infinity] as [Double])
        func negativeSpacing(spacing: Double) throws {
            var text = RichText("high\n", style: TextStyle(size: 60))
            text.append("low\nlow", style: TextStyle(size: 12))
            let options = options { $0.lineSpacing = spacing }
            let layout = try TextLayout(text, options: options)
            let first = try TextLayout(RichText("high", style: TextStyle(size: 60)))
            #expect(layout.lineCount == 3 && layout.firstBaseline == first.firstBaseline)
            #expect(layout.size.height >= first.size.height)
            var top = 0.0
            for piece in layout.pieces {
                #expect(piece.rect.minY >= top && piece.rect.maxY <= layout.size.height)
                top = piece.rect.minY
            }
            for limit in 1...3 {
                var options = options
                options.lineLimit = limit
                let shortened = try TextLayout(text, width: 300, options: options)
                #expect(shortened.size.height >= first.size.height)
            }
        }

        @Test("spacing beyond its limits is cut, and one that is no number counts as zero")
        func nonsenseSpacing() throws {
            func height(_ spacing: Double) throws -> Double {
                try TextLayout(RichText("a\nb"), options: options { $0.lineSpacing = spacing }).size.height
            }
            let plain = try TextLayout(RichText("a\nb")).size.height
            #expect(try height(.nan) == plain && height(0) == plain && height(-0.0) == plain)
            #expect(try height(.infinity) == plain + 1_024 && height(1e300) == plain + 1_024)
            #expect(try height(-.infinity) == plain / 2 && height(-plain / 2) == plain / 2)
            #expect(try height(-1) == plain - 1)
        }

        @Test("a long text is laid out as a whole")
        func long() throws {
            var options = TextLayoutOptions()
            options.limits.layoutCost = .max
            let layout = try TextLayout(
                RichText(String(repeating: Self.sentence + " ", count: 300)), width: 400, options: options)
            #expect(layout.lineCount > 300)
            #expect(layout.byteCount > 300 * Self.sentence.count * MemoryLayout<cairo_glyph_t>.stride / 2)
        }

        @Test("layouts made on many threads at a time are alike, and are drawn on others at the same time")
        func threads() async throws {
            let text = marked("Grüße von ", Self.sentence, " שלום 漢字")
            let expected = try TextLayout(text, width: 130)
            let picture = try image(140, 260) { $0.draw(expected) }
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        (0..<5).allSatisfy { _ in
                            let layout = try? TextLayout(text, width: 130)
                            let drawn = try? layout.map { layout in try image(140, 260) { $0.draw(layout) } }
                            let again = try? image(140, 260) { $0.draw(expected) }
                            return layout?.size == expected.size && layout?.marks == expected.marks
                                && drawn?.allPixels == picture.allPixels
                                && again?.allPixels == picture.allPixels
                        }
                    }
                }
                for await isEqual in group { #expect(isEqual) }
            }
        }
    }
#endif
