#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Carets in any text", .timeLimit(.minutes(15)))
    struct TextCaretPropertyTests {
        private static let words = [
            "word ", "words", "office ", "12-3 ", "(1) ", "שלום ", "עברית", "שָׁלוֹם ", "عربي ", "١٢٣ ", "مرحبا",
            "לא 12 ",
            "e\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽 ", "漢字", "\t", "\n", "\r\n", "\u{2028}", "long\u{AD}er ", "\u{200F}",
            "\u{0}",
            "ก็ ", "  ", ".",
        ]

        private static func text(_ count: Int, _ generator: inout SeededGenerator) -> RichText {
            var text = RichText()
            for _ in 0..<count {
                let style = TextStyle(
                    size: [12, 15, 24].randomElement(using: &generator) ?? 15,
                    weight: Bool.random(using: &generator) ? .bold : .regular)
                let isolates: [TextLayoutOptions.Direction?] = [
                    nil, nil, nil, .automatic, .leftToRight, .rightToLeft,
                ]
                text.append(
                    words.randomElement(using: &generator) ?? "", style: style,
                    isolate: isolates.randomElement(using: &generator) ?? nil)
            }
            return text
        }

        /// Texts in lines, with all kinds of options.
        private static func samples(
            _ seed: UInt64, justified: Bool = true, _ body: (TextLayout, TextCarets) throws -> Void
        ) throws {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<15 {
                let text = text(.random(in: 0...40, using: &generator), &generator)
                let width = [30, 100, 217.5, .infinity].randomElement(using: &generator) ?? 0
                var options = TextLayoutOptions()
                options.recordsCarets = true
                options.direction =
                    [.automatic, .leftToRight, .rightToLeft].randomElement(using: &generator) ?? .automatic
                options.alignment =
                    [.start, .center, .end, justified ? .justified : .start].randomElement(using: &generator)
                    ?? .start
                options.wrapping =
                    [.words, .characters, .wordsThenCharacters].randomElement(using: &generator) ?? .words
                options.lineSpacing = [0, 4].randomElement(using: &generator) ?? 0
                options.lineLimit = [nil, nil, 1, 3].randomElement(using: &generator) ?? nil
                options.truncation = [.none, .start, .middle, .end].randomElement(using: &generator) ?? .end
                let layout = try TextLayout(text, width: width, options: options)
                try body(layout, try #require(layout.carets))
            }
        }

        @Test("the ranges of lines make up the text", arguments: 1...8 as ClosedRange<UInt64>)
        func partition(seed: UInt64) throws {
            try Self.samples(seed) { _, carets in
                let ranges = carets.lines.map(\.range)
                #expect(ranges.first?.lowerBound == carets.string.startIndex)
                #expect(ranges.last?.upperBound == carets.string.endIndex)
                #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            }
        }

        @Test("a caret's place is found again by its point", arguments: 1...8 as ClosedRange<UInt64>)
        func roundTrip(seed: UInt64) throws {
            try Self.samples(seed) { _, carets in
                let indices = Array(carets.string.indices) + [carets.string.endIndex]
                for index in indices {
                    for affinity in [TextCarets.Affinity.upstream, .downstream] {
                        let position = carets.roundedDown(.init(index, affinity: affinity))
                        #expect(carets.roundedDown(position) == position && position.index <= index)
                        let rect = carets.caretRect(at: position)
                        let middle = rect.midY
                        let line = carets.lines[carets.lineIndex(of: position)].rect
                        #expect(rect.minX >= line.minX && rect.minX <= line.maxX + 0.001)
                        let found = carets.closestPosition(to: Point(x: rect.minX, y: middle))
                        #expect(carets.caretRect(at: found) == rect)
                        // The strong caret is its index's own, unless characters without width are there.
                        let strong = carets.splitCaret(at: position).strong
                        let own = Set(
                            indices.filter { index in
                                [.upstream, .downstream].contains { affinity in
                                    carets.splitCaret(at: .init(index, affinity: affinity)).strong == strong
                                }
                            }.map { carets.roundedDown(.init($0)).index })
                        let again = carets.closestPosition(to: Point(x: strong.minX, y: middle)).index
                        #expect(own.contains(again) && (own.count > 1 || again == position.index))
                    }
                }
            }
        }

        @Test(
            "selections cover a line exactly, in any two parts without overlap",
            arguments: 1...8 as ClosedRange<UInt64>)
        func selections(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            // Spaces at the ends of justified lines have negative widths.
            try Self.samples(seed, justified: false) { layout, carets in
                for line in carets.lines {
                    let middle = carets.string[line.range].indices.randomElement(using: &generator)
                    let whole = carets.selectionRects(of: line.range)
                    let pieces = layout.pieces.map(\.rect).filter { $0.minY == line.rect.minY }
                    let left = pieces.map(\.minX).min() ?? 0
                    let right = pieces.map(\.maxX).max() ?? 0
                    let parts = [
                        line.range.lowerBound..<(middle ?? line.range.lowerBound),
                        (middle ?? line.range.lowerBound)..<line.range.upperBound,
                    ].flatMap(carets.selectionRects)
                    for rects in [whole, parts] {
                        let total = rects.reduce(0) { $0 + $1.size.width }
                        #expect(abs(total - (right - left)) < 0.01)
                        let sorted = rects.sorted { $0.minX < $1.minX }
                        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.maxX <= $1.minX })
                        #expect(rects.allSatisfy { $0.minY == line.rect.minY && $0.maxY == line.rect.maxY })
                        #expect(sorted.isEmpty || abs(sorted[0].minX - left) < 0.01)
                    }
                    #expect(whole.count <= 1)
                }
            }
        }

        @Test(
            "arrows reach each character once, from the left in each line, and back the same way",
            arguments: 1...8 as ClosedRange<UInt64>)
        func arrows(seed: UInt64) throws {
            try Self.samples(seed) { _, carets in
                // Where paragraphs have different directions, arrows turn around between them.
                let isRightToLeft = carets.lines[0].isRightToLeft
                guard carets.lines.allSatisfy({ $0.isRightToLeft == isRightToLeft }) else { return }
                Self.expectArrows(in: carets)
            }
        }

        @Test(
            "arrows reach each character once beside any separator, control and mark of direction",
            arguments: 1...8 as ClosedRange<UInt64>)
        func arrowsBesideControls(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let controls = (0...0x1F).map { $0 } + Array(0x7F...0x9F) + [0xAD, 0x61C, 0xFEFF, 0xFFFC]
            let marks = Array(0x200B...0x200F) + Array(0x2028...0x202E) + Array(0x2060...0x2069)
            let separators = [
                "\u{85}", "\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}", "\u{B}", "\u{C}", "\r\n", "\u{2029}",
            ]
            let all = (controls + marks).compactMap { Unicode.Scalar(UInt32($0)).map { String($0) } }
            let letters = ["ab ", "a", "אב ", "א", "عربي", "12", "١٢", "(", ")", " ", ".", "e\u{301}"]
            for _ in 0..<100 {
                var text = RichText()
                for _ in 0..<Int.random(in: 0...16, using: &generator) {
                    let words = [letters, letters, separators, all].randomElement(using: &generator) ?? []
                    text.append(
                        words.randomElement(using: &generator) ?? "",
                        isolate: Int.random(in: 0..<4, using: &generator) == 0 ? .automatic : nil)
                }
                let width = [30.0, 100, .infinity].randomElement(using: &generator) ?? 0
                let direction: [TextLayoutOptions.Direction] = [.leftToRight, .rightToLeft]
                let carets = try carets(of: text, width: width) {
                    $0.direction = direction.randomElement(using: &generator) ?? .automatic
                }
                Self.expectArrows(in: carets)
            }
        }

        private static func expectArrows(in carets: TextCarets) {
            let text = carets.string.debugDescription
            let isRightToLeft = carets.lines[0].isRightToLeft
            let (first, last) = (carets.lines[0].start, carets.lines[carets.lines.count - 1].end)
            let found = carets.indices(from: first, toLeft: isRightToLeft)
            #expect(carets.indices(from: last, toLeft: !isRightToLeft) == found.reversed(), "\(text)")
            // Not of characters: a line may also begin within one, as with a joiner behind a space.
            let all = (Array(carets.string.unicodeScalars.indices) + [carets.string.endIndex])
                .map { carets.roundedDown(.init($0)).index }
            #expect(found.sorted() == Set(all).sorted(), "\(text)")
            var position = first
            for _ in found.dropFirst() {
                guard
                    let next = isRightToLeft
                        ? carets.position(leftOf: position) : carets.position(rightOf: position)
                else { return }
                let rects = [position, next].map { carets.caretRect(at: $0) }
                let isOrdered =
                    isRightToLeft ? rects[1].minX <= rects[0].minX : rects[0].minX <= rects[1].minX
                #expect(isOrdered || carets.lineIndex(of: next) > carets.lineIndex(of: position), "\(text)")
                position = next
            }
        }

        @Test(
            "moves by words pass each word once, and end at the text's ends",
            arguments: 1...8 as ClosedRange<UInt64>)
        func words(seed: UInt64) throws {
            try Self.samples(seed) { _, carets in
                let isRightToLeft = carets.lines[0].isRightToLeft
                guard carets.lines.allSatisfy({ $0.isRightToLeft == isRightToLeft }) else { return }
                let (start, end) = (carets.lines[0].start, carets.lines[carets.lines.count - 1].end)
                for isForward in [true, false] {
                    var (position, count) = (isForward ? start : end, 0)
                    while let next = isForward == isRightToLeft
                        ? carets.position(wordLeftOf: position) : carets.position(wordRightOf: position)
                    {
                        #expect(isForward ? position.index < next.index : next.index < position.index)
                        #expect(carets.roundedDown(next) == next)
                        (position, count) = (next, count + 1)
                        guard count < 10_000 else { break }
                    }
                    #expect(position.index == (isForward ? end : start).index)
                }
            }
        }

        @Test("carets are where Pango has them", arguments: 1...8 as ClosedRange<UInt64>)
        func pango(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            // Pango divides characters of which its fonts have no part.
            let words = Self.words.filter { word in
                !["\n", "\r\n", "\u{2028}", "\0", "ก็ ", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽 "].contains(word)
            }
            for _ in 0..<15 {
                let text = (0..<Int.random(in: 1...12, using: &generator))
                    .map { _ in words.randomElement(using: &generator) ?? "" }.joined()
                let isRightToLeft = Bool.random(using: &generator)
                let carets = try carets(of: text) {
                    $0.direction = isRightToLeft ? .rightToLeft : .leftToRight
                }
                let context = pango_font_map_create_context(pango_cairo_font_map_get_default())
                defer { g_object_unref(UnsafeMutableRawPointer(context)) }
                pango_context_set_round_glyph_positions(context, 0)
                pango_cairo_context_set_font_options(context, FontOptions.shared.pointer)
                pango_context_set_base_dir(context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
                let layout: OpaquePointer = pango_layout_new(context)
                defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
                pango_layout_set_auto_dir(layout, 0)
                pango_layout_set_text(layout, text, -1)
                let font = pango_font_description_from_string("sans-serif")
                defer { pango_font_description_free(font) }
                pango_font_description_set_absolute_size(font, 15 * Double(PANGO_SCALE))
                pango_layout_set_font_description(layout, font)
                for index in Array(text.indices) + [text.endIndex] {
                    var (strong, weak) = (PangoRectangle(), PangoRectangle())
                    let offset = text.utf8.distance(from: text.startIndex, to: index)
                    pango_layout_get_cursor_pos(layout, Int32(offset), &strong, &weak)
                    let split = carets.splitCaret(at: .init(index))
                    let expected = [strong.x, weak.x].map(PangoLines.points).sorted()
                    let found = [split.strong.minX, (split.weak ?? split.strong).minX].sorted()
                    let isEqual = zip(expected, found).allSatisfy { abs($0 - $1) < 0.1 }
                    #expect(isEqual, "\(text.debugDescription) at \(offset): \(found), not \(expected)")
                }
            }
        }

        @Test("a hit costs in a text of 8,000 lines about what it costs in one of 8")
        func bounded() throws {
            func time(_ lines: Int) throws -> Duration {
                let text = String(repeating: "ab\n", count: lines) + String(repeating: "w", count: lines / 2)
                let carets = try carets(of: text) {
                    $0.limits.layoutCost = .max
                    $0.limits.lineCost = .max
                }
                let size = (width: carets.lines[lines].rect.maxX, height: carets.lines[lines].rect.maxY)
                return (0..<5).map { _ in
                    ContinuousClock().measure {
                        for hit in 0..<200 {
                            let part = hit % 2 == 0 ? 1 : Double(hit) / 200
                            let position = carets.closestPosition(
                                to: Point(x: size.width * Double(hit) / 200, y: size.height * part))
                            _ = carets.caretRect(at: position)
                            _ = carets.position(rightOf: position)
                        }
                    }
                }.min() ?? .zero
            }
            // A search through all lines or characters would take hundreds of times as long.
            let (short, long) = (try time(8), try time(8_000))
            #expect(long < short * 20)
        }
    }
#endif
