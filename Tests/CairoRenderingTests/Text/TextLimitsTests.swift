#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Text that would take a worker's time", .timeLimit(.minutes(15)))
    struct TextLimitsTests {
        private func code(
            of text: RichText, width: Double = .infinity, _ options: TextLayoutOptions = .init()
        )
            -> TextLayoutError.Code?
        {
            do {
                _ = try TextLayout(text, width: width, options: options)
                return nil
            } catch {
                return (error as? TextLayoutError)?.code
            }
        }

        private func options(_ set: (inout TextLayoutOptions) -> Void) -> TextLayoutOptions {
            var options = TextLayoutOptions()
            set(&options)
            return options
        }

        private func repeated(_ text: String, _ count: Int) -> RichText {
            RichText(String(repeating: text, count: count))
        }

        /// `count` runs of two characters, no two neighbours alike.
        private func runs(_ count: Int) -> RichText {
            var text = RichText()
            for index in 0..<count {
                text.append("a ", style: TextStyle(weight: index % 2 == 0 ? .regular : .bold))
            }
            return text
        }

        @Test("text beyond a bound is an error that says which")
        func errors() {
            #expect(code(of: repeated("\u{301}", 20_000)) == .clusterLength)
            #expect(
                code(of: RichText("e" + String(repeating: "\u{301}", count: 20_000)), width: 300)
                    == .clusterLength)
            #expect(code(of: repeated("👩\u{200D}", 8_000), width: 300) == .clusterLength)
            #expect(code(of: repeated("a\n", 40_000), width: 300) == .layoutCost)
            #expect(code(of: repeated("ab\n", 40_000)) == .layoutCost)
            #expect(code(of: runs(16_000), width: 300) == .layoutCost)
            var fonts = RichText()
            for size in 0..<200 { fonts.append("ab", style: TextStyle(size: 10 + Double(size) / 16)) }
            #expect(code(of: fonts, width: 300) == .layoutCost)
            for limit in [1, 50] {
                #expect(code(of: fonts, width: 5_000, options { $0.lineLimit = limit }) == .layoutCost)
            }
            #expect(code(of: repeated("word ", 120_000), width: 300) == .layoutCost)
            #expect(code(of: repeated("word ", 4_500)) == .lineCost)
            #expect(
                code(of: repeated("w", 10_000), width: 300, options { $0.wrapping = .words }) == .lineCost)
            #expect(code(of: runs(1_000)) == .lineCost)
            #expect(
                code(of: RichText(String(repeating: "W", count: 4_000), style: TextStyle(size: 1_024)))
                    == .lineWidth)
            let error = TextLayoutError(code: .clusterLength, limit: 128)
            #expect(error.description.contains("128") && error.description.contains("clusterLength"))
        }

        @Test("with a line limit only the lines that are shown count, however long the text is")
        func lineLimit() throws {
            for truncation in [TextLayoutOptions.Truncation.none, .start, .middle, .end] {
                for (text, limit) in [
                    (repeated("ab\n", 400_000), 1), (repeated("word ", 120_000), 2),
                    (repeated("w", 600_000), 1),
                    (repeated("漢", 600_000), 3), (runs(16_000), 1),
                ] {
                    var calls = 0
                    let set = options {
                        $0.lineLimit = limit
                        $0.truncation = truncation
                    }
                    let layout = try TextLayout(text, width: 300, options: set) {
                        calls += 1
                        return false
                    }
                    #expect(layout.lineCount == limit && layout.isTruncated && layout.size.width <= 300.01)
                    #expect(calls <= 3)
                }
            }
        }

        @Test(
            "a word that is longer than a line may be ends in an ellipsis where a limit cuts it off")
        func wordBeyondLine() throws {
            let set = options {
                $0.wrapping = .words
                $0.lineLimit = 1
            }
            let layout = try TextLayout(repeated("w", 100_000), width: 300, options: set)
            #expect(layout.isTruncated && layout.size.width <= 300.01)
        }

        @Test("a bound is exact, and users may set it")
        func exact() {
            func cost(_ text: RichText, _ bound: Int) -> TextLayoutError.Code? {
                code(of: text, width: 300, options { $0.limits.layoutCost = bound })
            }
            // Two lines of 16, and 3 and 2 characters.
            #expect(cost(RichText("abc\nde"), 37) == nil)
            #expect(cost(RichText("abc\nde"), 36) == .layoutCost)
            // A line, a tab and a change of style, of 16 each.
            var text = RichText("a\t")
            text.append("b", style: TextStyle(weight: .bold))
            #expect(cost(text, 3 * 16 + 2) == nil)
            #expect(cost(text, 3 * 16 + 1) == .layoutCost)
            // Changes of script, of 5 each, which a space is not; letters that join count three times,
            // emoji twice.
            let scripts = [
                ("ab жы\u{301}, cd", 10 + 2 * 5), ("سلام", 4 * 3), ("a👍🏽", 1 + 5 + 2 * 2),
                ("1\u{200F}!", 2 + 6),
            ]
            for (text, characters) in scripts {
                #expect(cost(RichText(text), 16 + characters) == nil)
                #expect(cost(RichText(text), 16 + characters - 1) == .layoutCost)
                let line = options { $0.limits.lineCost = characters - 1 }
                #expect(code(of: RichText(text), line) == .lineCost)
            }

            func line(_ bound: Int) -> TextLayoutError.Code? {
                code(of: RichText("ten and two"), options { $0.limits.lineCost = bound })
            }
            #expect(line(11) == nil && line(10) == .lineCost && line(.min) == .lineCost)
            func brokenLine(_ bound: Int) -> TextLayoutError.Code? {
                let word = String(repeating: "w", count: 3_000)
                let set = options {
                    $0.wrapping = .words
                    $0.limits.lineCost = bound
                }
                return code(of: RichText("a \(word) a \(word) words"), width: 300, set)
            }
            #expect(brokenLine(3_001) == nil && brokenLine(3_000) == .lineCost)
            func cluster(_ bound: Int) -> TextLayoutError.Code? {
                code(of: RichText("e\u{301}\u{302}"), options { $0.limits.clusterLength = bound })
            }
            #expect(cluster(3) == nil && cluster(2) == .clusterLength && cluster(0) == .clusterLength)
            let raised = options {
                $0.limits.layoutCost = .max
                $0.limits.lineCost = .max
                $0.limits.clusterLength = .max
            }
            #expect(code(of: repeated("word ", 2_000), raised) == nil)
            #expect(code(of: repeated("e" + String(repeating: "\u{301}", count: 300), 2), raised) == nil)
        }

        @Test(
            "a layout that is not needed any more ends between two pieces of the text, or attempts at a line",
            arguments: ["word ", "w", "漢", "ab\n", "עברית ", "a\u{2028}"], [nil, 1])
        func cancellation(characters: String, lineLimit: Int?) throws {
            let text = repeated(characters, 20_000 / characters.unicodeScalars.count)
            let unbounded = options {
                $0.limits.layoutCost = .max
                $0.lineLimit = lineLimit
            }
            let width = lineLimit == nil ? 200.0 : 20_000
            var calls = 0
            _ = try TextLayout(text, width: width, options: unbounded) {
                calls += 1
                return false
            }
            // A line that is shortened is tried with more and more characters.
            #expect(calls >= (lineLimit == nil ? 20 : 2))
            for last in [1, 2, calls] {
                var left = last
                #expect(throws: CancellationError.self) {
                    try TextLayout(text, width: width, options: unbounded) {
                        left -= 1
                        return left == 0
                    }
                }
                #expect(left == 0)
            }
        }

        @Test("lines that reach further down than Pango's 32 bits are still one below the other")
        func height() throws {
            let text = RichText(String(repeating: "a", count: 3_000), style: TextStyle(size: 1_024))
            let layout = try TextLayout(text, width: 10, options: options { $0.limits.layoutCost = .max })
            #expect(layout.lineCount == 3_000)
            let tops = layout.pieces.map(\.rect.minY)
            #expect(zip(tops, tops.dropFirst()).allSatisfy { $1 - $0 > 1_000 })
            #expect(layout.size.height > 3_000_000)
        }

        private static let alphabets = [
            ["word ", "longer words ", "office fi ", "12-3 ", "(1) ", "long\u{AD}er "],
            ["漢字かな", "交じり文、", "Latin ", "漢字"],
            ["word", "longer", " ", "over", "Type", "-"],
            ["עברית ", "שלום ", "word ", "12-3 "],
            ["عربي ", "١٢٣ ", "مرحبا ", "12-3 ", "word "],
            ["👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "words ", "👍🏽 "],
            ["e\u{301}", "ก็ ", "नमस्ते ", "word "],
            ["word \u{2028}", "words ", "over\n"],
        ]

        @Test(
            "a text that is laid out in pieces has the lines of one that is laid out at once",
            arguments: 0..<8,
            [TextLayoutOptions.Wrapping.words, .characters, .wordsThenCharacters])
        func pieces(alphabet: Int, wrapping: TextLayoutOptions.Wrapping) throws {
            for seed in 0..<10 {
                var generator = SeededGenerator(seed: UInt64(100 * alphabet + seed))
                var text = RichText()
                for _ in 0..<400 {
                    let color = Color(white: Bool.random(using: &generator) ? 0 : 0.5)
                    text.append(
                        Self.alphabets[alphabet].randomElement(using: &generator) ?? "",
                        style: TextStyle(color: color),
                        mark: Int.random(in: 0..<10, using: &generator) == 0 ? .link("") : nil)
                }
                var options = TextLayoutOptions()
                options.wrapping = wrapping
                let alignments: [TextLayoutOptions.Alignment] = [.start, .center, .end, .justified]
                options.alignment = alignments.randomElement(using: &generator) ?? .start
                options.lineSpacing = .random(in: -5...5, using: &generator)
                options.limits.lineCost = .max
                let widths: [Double] = [40, 100, 217.5, 400]
                let width = widths.randomElement(using: &generator) ?? 0
                let whole: TextLayout.Lines = try Typesetter(text, width: width, options, stretchCost: .max)
                    .makeLines { false }
                let parted: TextLayout.Lines = try Typesetter(text, width: width, options, stretchCost: 640)
                    .makeLines { false }
                #expect(
                    parted.count == whole.count && parted.size == whole.size && parted.marks == whole.marks)
                #expect(
                    parted.firstBaseline == whole.firstBaseline && parted.isTruncated == whole.isTruncated)
                #expect(parted.pieces.map(\.rect) == whole.pieces.map(\.rect), "seed \(seed), width \(width)")
                func glyphs(_ lines: TextLayout.Lines) -> [[Double]] {
                    lines.pieces.flatMap(\.glyphs).map { [Double($0.index), $0.x, $0.y] }
                }
                #expect(glyphs(parted) == glyphs(whole))
            }
        }
    }
#endif
