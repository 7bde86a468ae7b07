#if Cairo
    import AsyncLayers
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Text in pictures", .timeLimit(.minutes(15)))
    struct TextDrawingTests {
        /// The smallest rectangle around what is drawn, in pixels.
        private func ink(of picture: CairoImage) -> Rect? {
            var (minX, minY, maxX, maxY) = (Int.max, Int.max, Int.min, Int.min)
            for y in 0..<picture.pixelHeight {
                for x in 0..<picture.pixelWidth where picture[x: x, y: y] != 0 {
                    (minX, minY, maxX, maxY) = (
                        min(minX, x), min(minY, y), max(maxX, x + 1), max(maxY, y + 1)
                    )
                }
            }
            guard minX < maxX else { return nil }
            return Rect(
                x: Double(minX), y: Double(minY), width: Double(maxX - minX), height: Double(maxY - minY))
        }

        @Test("text is drawn where it was laid out, alike at any scale", arguments: [1, 2, 3.3])
        func place(scale: Double) throws {
            let layout = try TextLayout(RichText("Hxg", style: TextStyle(size: 20)))
            let (width, height) = (Int(80 * scale), Int(40 * scale))
            let picture = try image(width, height, scale: scale) { $0.draw(layout, at: Point(x: 10, y: 5)) }
            let ink = try #require(self.ink(of: picture))
            #expect(ink.minX / scale >= 9 && ink.maxX / scale <= 11 + layout.size.width)
            #expect(ink.minY / scale >= 4 && ink.maxY / scale <= 6 + layout.size.height)
            // "H" stands on the baseline, "g" reaches below it.
            #expect(ink.maxY / scale > 5 + layout.firstBaseline)
            #expect(abs(ink.size.width / scale - layout.size.width) < 4)
        }

        @Test("text has its style's colour, and leaves the context as it was")
        func color() throws {
            let red = TextStyle(size: 40, weight: .bold, color: Color(red: 1, green: 0, blue: 0))
            let picture = try image(60, 60) { context in
                context.setSource(.black)
                context.draw(try TextLayout(RichText("I", style: red)), at: Point(x: 5, y: 5))
            }
            #expect(picture.allPixels.contains(0xFFFF_0000))
            #expect(picture.allPixels.allSatisfy { $0 & 0xFFFF == 0 })
        }

        @Test("backgrounds and highlights lie behind the letters, as high as the line")
        func behind() throws {
            var style = TextStyle(size: 20)
            style.background = Color(red: 0, green: 1, blue: 0)
            let backed = try TextLayout(RichText("  x", style: style))
            let green = try image(60, 40) { $0.draw(backed) }
            #expect(green[x: 2, y: Int(backed.size.height / 2)] == 0xFF00_FF00)

            var text = RichText("ab ")
            text.append("cd", mark: .link("there"))
            let layout = try TextLayout(text)
            let rect = layout.marks[0].rects[0]
            let highlight = Color(red: 0, green: 0, blue: 1)
            for (index, isShown) in [(0, true), (nil, false), (7, false), (-1, false)] as [(Int?, Bool)] {
                let picture = try image(80, 40) { $0.draw(layout, highlighted: index, highlight: highlight) }
                let (x, y) = (Int(rect.minX + rect.size.width / 2), Int(rect.minY) + 1)
                #expect((picture[x: x, y: y] == 0xFF00_00FF) == isShown)
                #expect(picture[x: 1, y: y] == 0)
            }
        }

        @Test("characters that no font has are boxes")
        func missing() throws {
            let layout = try TextLayout(RichText("\u{10FFFD}", style: TextStyle(size: 30)))
            #expect(layout.pieces.flatMap(\.missing).count == 1)
            #expect(ink(of: try image(60, 60) { $0.draw(layout) }) != nil)
        }

        @Test("a layout cache makes a layout once for a text and a width")
        func cache() throws {
            let layouts = LayoutCache<RichText, TextLayout> { _, layout in layout.byteCount }
            let made = Counter()
            func layout(_ text: String) throws -> TextLayout {
                try layouts.layout(for: RichText(text), width: 100) { width in
                    made.increment()
                    return try TextLayout(RichText(text), width: width)
                }
            }
            #expect(try layout("same") === layout("same"))
            _ = try layout("other")
            #expect(made.value == 2)
        }
    }
#endif
