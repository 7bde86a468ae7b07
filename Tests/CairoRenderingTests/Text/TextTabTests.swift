#if Cairo
    import AsyncLayers
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Tab stops", .timeLimit(.minutes(15)))
    struct TextTabTests {
        private func x(
            _ text: RichText, _ count: Int, tabWidth: Double?, width: Double = .infinity
        ) throws
            -> Double
        {
            try carets(of: text, width: width) { $0.tabWidth = tabWidth }.x(count)
        }

        @Test("they are at all multiples of the width, whatever the fonts")
        func multiples() throws {
            for size in [8.0, 15, 24] {
                var text = RichText("a\tb\t\tc", style: TextStyle(size: size))
                text.append("\td", style: TextStyle(size: 12, weight: .bold))
                for (count, expected) in [(2, 50.0), (4, 100), (5, 150), (7, 200)] {
                    #expect(try x(text, count, tabWidth: 50) == expected)
                }
            }
        }

        @Test("each tab ends at a stop, wherever lines break", arguments: 1...4 as ClosedRange<UInt64>)
        func wrapped(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let words = [
                "\t", "\t", "a", "words ", " ", String(repeating: " ", count: 60), "word", "\n", "漢字",
            ]
            for _ in 0..<60 {
                var text = RichText()
                for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                    text.append(
                        words.randomElement(using: &generator) ?? "",
                        style: TextStyle(size: [8, 15, 40].randomElement(using: &generator) ?? 0))
                }
                let width = [20.0, 100, 300, .infinity].randomElement(using: &generator) ?? 0
                let wrappings: [TextLayoutOptions.Wrapping] = [.words, .characters, .wordsThenCharacters]
                let carets = try carets(of: text, width: width) {
                    $0.direction = .leftToRight
                    $0.tabWidth = 32
                    $0.wrapping = wrappings.randomElement(using: &generator) ?? .words
                    $0.lineLimit = [nil, nil, 2].randomElement(using: &generator) ?? nil
                }
                for index in carets.string.indices where carets.string[index] == "\t" {
                    let rects = carets.selectionRects(of: index..<carets.string.index(after: index))
                    for rect in rects where carets.roundedDown(.init(index)).index == index {
                        // Pango takes text that sticks out of a line to be as wide as the line.
                        let isAtStop = rect.minX >= width || rect.maxX.remainder(dividingBy: 32) == 0
                        #expect(isAtStop && rect.size.width <= 32, "\(rect) in \(carets.string)")
                    }
                }
            }
        }

        @Test("in a line that is read from the right they are counted from its right")
        func rightToLeft() throws {
            #expect(try x(RichText("א\tב\tג"), 2, tabWidth: 50, width: 300) == 250)
            #expect(try x(RichText("א\tב\tג"), 4, tabWidth: 50, width: 300) == 200)
        }

        @Test("a width of some spaces puts text below text in a font of one width")
        func columns() throws {
            let style = TextStyle(family: "monospace")
            let space = try TextLayout(RichText("    ", style: style)).size.width
            for text in ["\tx", "a\tx", "abc\tx"] {
                let count = text.count - 1
                #expect(try x(RichText(text, style: style), count, tabWidth: space) == space)
            }
            #expect(try x(RichText("abcd\tx", style: style), 5, tabWidth: space) == 2 * space)
        }

        @Test("a width that is too small or too large is cut, and NaN is the default")
        func bounds() throws {
            let text = RichText("a\tb")
            func x(_ width: Double?) throws -> Double { try self.x(text, 2, tabWidth: width) }
            let least = try x(15 / 4)
            #expect(try x(0) == least && x(-5) == least && x(-.infinity) == least && x(1e-300) == least)
            #expect(try x(1_024) == 1_024 && x(.infinity) == 1_024 && x(1e300) == 1_024)
            #expect(try x(.nan) == x(nil))
            #expect(try x(nil) > least && x(nil) < 100)
            // As wide as a line may be, where Pango's own stops do not end.
            for tabWidth in [1_000.0, 1_024] {
                var options = TextLayoutOptions()
                options.tabWidth = tabWidth
                let glyph = try TextLayout(RichText("W", style: TextStyle(size: 1_000))).size.width
                let count = Int(Double(Int32.max / 1_024) / glyph)
                let line = RichText(
                    String(repeating: "W", count: count) + "\tW", style: TextStyle(size: 1_000))
                let bound = Int(Int32.max / 1_024)
                #expect(throws: TextLayoutError(code: .lineWidth, limit: bound)) {
                    try TextLayout(line, options: options)
                }
            }
        }

        @Test("in a long paragraph they do not depend on the fonts of the lines before")
        func stretches() throws {
            var text = RichText()
            for size in 0..<40 {
                text.append("words and\ttabs, ", style: TextStyle(size: 8 + Double(size % 9)))
            }
            var options = TextLayoutOptions()
            options.tabWidth = 30
            options.recordsCarets = true
            let places = try [64, 2_048, .max].map { cost in
                try Typesetter(text, width: 120, options, stretchCost: cost).makeLines { false }.pieces.map(
                    \.rect)
            }
            #expect(places[0] == places[2] && places[1] == places[2])
        }

        @Test("narrow ones cost no more than others, in lines as wide as they may be")
        func cost() throws {
            let text = RichText(
                String(repeating: "WWWWWWWW\t", count: 150), style: TextStyle(size: 1_000))
            func time(_ tabWidth: Double?) throws -> Duration {
                var options = TextLayoutOptions()
                options.tabWidth = tabWidth
                return try (0..<3).map { _ in
                    try ContinuousClock().measure { _ = try TextLayout(text, options: options) }
                }.min() ?? .zero
            }
            #expect(try time(0) < time(nil) * 4 + .milliseconds(100))
        }
    }
#endif
