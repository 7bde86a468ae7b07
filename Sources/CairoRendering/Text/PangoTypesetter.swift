#if Cairo
    import AsyncLayers
    import CLibCairo

    /// Has Pango lay a text out, and takes from it what drawing needs.
    ///
    /// Pango's objects may be used by one thread at a time, and those of one font map count as one object. So each
    /// thread uses the font map that Pango keeps for it (`pango_cairo_font_map_get_default`, from 1.32.6 on one for
    /// each thread), and nothing of Pango's leaves the thread: what does are glyph numbers, places, and Cairo's font
    /// faces, which may be drawn with on any thread and are never destroyed (``KeptFaces``).
    struct PangoTypesetter: ~Copyable {
        /// What a layout is made of.
        struct Lines: Sendable {
            var size = Size.zero
            var firstBaseline = 0.0
            var count = 0
            var isTruncated = false
            var marks: [TextLayout.MarkedRange] = []
            var pieces: [GlyphPiece] = []
        }

        private let layout: OpaquePointer
        private let options: TextLayoutOptions
        private let runs: [RichText.Run]
        /// Where each run begins, in bytes, and where the last one ends.
        private let offsets: [Int]

        init(_ text: RichText, width: Double, _ options: TextLayoutOptions) {
            self.init(text.runs, width: width, options)
        }

        private init(_ runs: [RichText.Run], width: Double, _ options: TextLayoutOptions) {
            let context = pango_font_map_create_context(pango_cairo_font_map_get_default())
            defer { g_object_unref(UnsafeMutableRawPointer(context)) }
            pango_context_set_round_glyph_positions(context, 0)
            pango_cairo_context_set_font_options(context, FontOptions.shared.pointer)
            if options.direction != .automatic {
                pango_context_set_base_dir(
                    context, options.direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
            }
            layout = pango_layout_new(context)
            self.options = options
            self.runs = runs

            // Pango's text ends at a zero character.
            var bytes: [UInt8] = []
            var offsets = [0]
            for run in runs {
                if run.text.utf8.contains(0) {
                    let shown = run.text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : String($0) }
                    bytes += shown.joined().utf8
                } else {
                    bytes += run.text.utf8
                }
                offsets.append(bytes.count)
            }
            self.offsets = offsets
            bytes.withUnsafeBytes {
                pango_layout_set_text(
                    layout, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count))
            }
            setAttributes()
            setLines(width: width)
        }

        deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

        // MARK: Telling Pango

        private func setAttributes() {
            let list = pango_attr_list_new()
            defer { pango_attr_list_unref(list) }
            for (index, run) in runs.enumerated() {
                let style = run.style
                func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
                    attribute?.pointee.start_index = guint(clamping: offsets[index])
                    attribute?.pointee.end_index = guint(clamping: offsets[index + 1])
                    pango_attr_list_insert(list, attribute)
                }
                insert(pango_attr_family_new(style.family))
                insert(pango_attr_size_new_absolute(Self.units(style.size > 1 ? min(style.size, 1_024) : 1)))
                insert(
                    pango_attr_weight_new(PangoWeight(UInt32(min(max(style.weight.rawValue, 100), 1_000)))))
                if style.isItalic { insert(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
                let spacing = Self.units(Self.cut(style.letterSpacing))
                if spacing != 0 { insert(pango_attr_letter_spacing_new(spacing)) }
                // Not for its colour, but so that Pango divides its runs where ours end: equal neighbours but for
                // their colours, lines or marks would be one.
                insert(
                    pango_attr_foreground_new(
                        UInt16(truncatingIfNeeded: index), UInt16(truncatingIfNeeded: index >> 16), 0))
            }
            pango_layout_set_attributes(layout, list)
        }

        private func setLines(width: Double) {
            let isBounded = width <= 1_000_000
            pango_layout_set_width(layout, isBounded ? Self.units(max(width, 0)) : -1)
            pango_layout_set_auto_dir(layout, options.direction == .automatic ? 1 : 0)
            pango_layout_set_spacing(layout, Self.units(Self.cut(options.lineSpacing)))
            pango_layout_set_justify(layout, options.alignment == .justified ? 1 : 0)
            switch options.wrapping {
            case .words: pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
            case .characters: pango_layout_set_wrap(layout, PANGO_WRAP_CHAR)
            case .wordsThenCharacters: pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            }
            // Pango swaps left and right by itself where it finds out a paragraph's direction.
            let isSwapped = options.direction == .rightToLeft
            switch options.alignment {
            case .start, .justified:
                pango_layout_set_alignment(layout, isSwapped ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT)
            case .center: pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
            case .end: pango_layout_set_alignment(layout, isSwapped ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT)
            }
        }

        // MARK: Asking Pango

        consuming func makeLines() -> Lines {
            var lines = Lines()
            var rects: [[Rect]] = runs.map { _ in [] }
            let limit = options.lineLimit.flatMap { $0 > 0 ? $0 : nil } ?? .max
            lines.isTruncated = Int(pango_layout_get_line_count(layout)) > limit
            if lines.isTruncated, options.truncation != .none {
                takeLines(withEllipsisIn: limit, to: &lines, &rects)
            } else {
                takeLines(limit, to: &lines, &rects)
            }
            for (run, rects) in zip(runs, rects) {
                guard let mark = run.mark else { continue }
                lines.marks.append(TextLayout.MarkedRange(mark: mark, index: lines.marks.count, rects: rects))
            }
            return lines
        }

        /// Takes as many lines as there may be, the last of them with an ellipsis.
        ///
        /// None of Pango's limits is this one: that of lines holds for each paragraph, that of height goes by a guess at
        /// the next line's, and both only shorten a line that is too wide. So the last line is a layout of its own:
        /// what is left of its paragraph, in one line. Without a width only the text itself makes lines. There the
        /// layout takes all of them, so that they are aligned to one another.
        private func takeLines(withEllipsisIn limit: Int, to lines: inout Lines, _ rects: inout [[Rect]]) {
            guard let last = pango_layout_get_line_readonly(layout, Int32(limit - 1))?.pointee else { return }
            let width = pango_layout_get_width(layout)
            let kept = width < 0 ? 0 : limit - 1
            let start = width < 0 ? 0 : Int(last.start_index)
            let text = UnsafeRawBufferPointer(
                start: pango_layout_get_text(layout), count: offsets[runs.count])
            let end = text[Int(last.start_index)...].endOfLine
            let (first, behind) = (run(at: start) ?? 0, run(at: max(start, end - 1)) ?? 0)
            var rest: [RichText.Run] = []
            if start < end {
                rest = (first...behind).map { index in
                    let bytes = text[max(offsets[index], start)..<min(offsets[index + 1], end)]
                    return RichText.Run(
                        text: String(decoding: bytes, as: UTF8.self), style: runs[index].style,
                        mark: runs[index].mark)
                }
            }
            if end < text.count {
                rest.append(RichText.Run(text: "\u{2026}", style: runs[behind].style, mark: nil))
            }

            var options = options
            if width >= 0 {
                options.direction =
                    last.resolved_dir == PANGO_DIRECTION_RTL.rawValue ? .rightToLeft : .leftToRight
            }
            let typesetter = PangoTypesetter(rest, width: .infinity, options)
            pango_layout_set_width(typesetter.layout, width)
            switch options.truncation {
            case .none: break
            case .start: pango_layout_set_ellipsize(typesetter.layout, PANGO_ELLIPSIZE_START)
            case .middle: pango_layout_set_ellipsize(typesetter.layout, PANGO_ELLIPSIZE_MIDDLE)
            case .end: pango_layout_set_ellipsize(typesetter.layout, PANGO_ELLIPSIZE_END)
            }
            // Tab stops go by a layout's first font, and so all of it may fit now.
            lines.isTruncated = end < text.count || pango_layout_is_ellipsized(typesetter.layout) != 0
            let top = takeLines(kept, to: &lines, &rects)
            var restRects: [[Rect]] = rest.map { _ in [] }
            typesetter.takeLines(limit - kept, movedDownBy: top, to: &lines, &restRects)
            // What is appended has no mark, and so no rectangles.
            for (index, more) in zip(first..<runs.count, restRects) { rects[index] += more }
        }

        /// Takes lines from the first on, and tells where the next one begins, or else the last.
        @discardableResult
        private func takeLines(
            _ count: Int, movedDownBy distance: Double = 0, to lines: inout Lines, _ rects: inout [[Rect]]
        ) -> Double {
            let iterator = pango_layout_get_iter(layout)
            defer { pango_layout_iter_free(iterator) }
            var left = count
            while true {
                var extents = PangoRectangle()
                pango_layout_iter_get_line_extents(iterator, nil, &extents)
                var line = Rect(extents)
                line.origin.y += distance
                guard left > 0 else { return line.minY }
                left -= 1
                let baseline = Self.points(pango_layout_iter_get_baseline(iterator)) + distance
                if lines.count == 0 { lines.firstBaseline = baseline }
                lines.count += 1
                lines.size.height = line.maxY
                // From the layout's left edge, so that what is drawn lies within.
                lines.size.width = max(lines.size.width, line.size.width, line.maxX)
                addRects(of: pango_layout_iter_get_line_readonly(iterator), in: line, to: &rects)
                takePieces(from: iterator, line: line, baseline: baseline, to: &lines.pieces)
                if pango_layout_iter_next_line(iterator) == 0 { return line.minY }
            }
        }

        /// Where in a line marked runs are.
        private func addRects(
            of line: UnsafeMutablePointer<PangoLayoutLine>?, in rect: Rect, to rects: inout [[Rect]]
        ) {
            guard let line else { return }
            let ellipsis = Self.ellipsis(in: line.pointee)
            let (start, end) = (
                Int(line.pointee.start_index), Int(line.pointee.start_index + line.pointee.length)
            )
            for index in (run(at: start) ?? 0)..<runs.count {
                guard offsets[index] < end else { return }
                guard runs[index].mark != nil else { continue }
                let (first, last) = (max(offsets[index], start), min(offsets[index + 1], end))
                let before = first..<max(first, min(last, ellipsis.lowerBound))
                let after = max(first, ellipsis.upperBound)..<max(first, last, ellipsis.upperBound)
                for part in [before, after] where !part.isEmpty && first < last {
                    rects[index] += Self.ranges(of: part, in: line).map {
                        Rect(x: $0.left, y: rect.minY, width: $0.right - $0.left, height: rect.size.height)
                    }
                }
            }
        }

        /// What of a line's text an ellipsis stands for; at the end of all text if there is none.
        private static func ellipsis(in line: PangoLayoutLine) -> Range<Int> {
            var next = line.runs
            while let element = next?.pointee {
                next = element.next
                let run = element.data?.assumingMemoryBound(to: PangoGlyphItem.self)
                guard let item = run?.pointee.item?.pointee, item.analysis.flags & ellipsisFlag != 0 else {
                    continue
                }
                return Int(item.offset)..<Int(item.offset + item.length)
            }
            return .max..<(.max)
        }

        private static let ellipsisFlag: UInt8 = 1 << 1

        /// Where in a line some bytes are: one range for each direction of reading that they have.
        private static func ranges(
            of bytes: Range<Int>, in line: UnsafeMutablePointer<PangoLayoutLine>
        ) -> [(left: Double, right: Double)] {
            var ranges: UnsafeMutablePointer<Int32>?
            var count: Int32 = 0
            pango_layout_line_get_x_ranges(
                line, Int32(bytes.lowerBound), Int32(bytes.upperBound), &ranges, &count)
            defer { g_free(ranges) }
            guard let ranges else { return [] }
            return (0..<Int(count)).map { (points(ranges[2 * $0]), points(ranges[2 * $0 + 1])) }
                .filter { $0.left < $0.right }
        }

        /// Takes the glyphs of the line that the iterator is in, and moves it to the end of that line.
        private func takePieces(
            from iterator: OpaquePointer?, line: Rect, baseline: Double, to pieces: inout [GlyphPiece]
        ) {
            while let run = pango_layout_iter_get_run_readonly(iterator)?.pointee {
                var extents = PangoRectangle()
                pango_layout_iter_get_run_extents(iterator, nil, &extents)
                let rect = Rect(
                    x: Self.points(extents.x), y: line.minY, width: Self.points(extents.width),
                    height: line.size.height)
                if let piece = piece(run, in: rect, baseline: baseline) { pieces.append(piece) }
                if pango_layout_iter_next_run(iterator) == 0 { return }
            }
        }

        private func piece(_ run: PangoGlyphItem, in rect: Rect, baseline: Double) -> GlyphPiece? {
            guard let item = run.item?.pointee, let glyphs = run.glyphs?.pointee,
                let font = item.analysis.font,
                let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)),
                let style = self.run(at: Int(item.offset)).map({ runs[$0].style })
            else { return nil }
            let y = baseline - Self.points(run.y_offset)
            var x = rect.minX
            var shown: [cairo_glyph_t] = []
            var missing: [Rect] = []
            for index in 0..<Int(glyphs.num_glyphs) {
                let glyph = glyphs.glyphs[index]
                let width = Self.points(glyph.geometry.width)
                if glyph.glyph & PangoGlyph.unknownFlag != 0 {
                    let height = width * 1.2
                    missing.append(
                        Rect(x: x + width * 0.1, y: y - height, width: width * 0.8, height: height))
                } else if glyph.glyph != PangoGlyph.empty {
                    shown.append(
                        cairo_glyph_t(
                            index: UInt(glyph.glyph), x: x + Self.points(glyph.geometry.x_offset),
                            y: y + Self.points(glyph.geometry.y_offset)))
                }
                x += width
            }
            return GlyphPiece(
                typeface: Typeface(scaled), color: style.color, background: style.background, glyphs: shown,
                rect: rect, decorations: decorations(style, font, rect, baseline: y), missing: missing)
        }

        private func decorations(
            _ style: TextStyle, _ font: UnsafeMutablePointer<PangoFont>, _ rect: Rect, baseline: Double
        ) -> [Rect] {
            guard style.isUnderlined || style.isStruckThrough else { return [] }
            let metrics = pango_font_get_metrics(font, nil)
            defer { pango_font_metrics_unref(metrics) }
            func line(_ position: Int32, _ thickness: Int32) -> Rect {
                Rect(
                    x: rect.minX, y: baseline - Self.points(position), width: rect.size.width,
                    height: Self.points(thickness))
            }
            var lines: [Rect] = []
            if style.isUnderlined {
                lines.append(
                    line(
                        pango_font_metrics_get_underline_position(metrics),
                        pango_font_metrics_get_underline_thickness(metrics)))
            }
            if style.isStruckThrough {
                lines.append(
                    line(
                        pango_font_metrics_get_strikethrough_position(metrics),
                        pango_font_metrics_get_strikethrough_thickness(metrics)))
            }
            return lines
        }

        /// Which run a byte is in; nil without runs. O(log runs).
        private func run(at offset: Int) -> Int? {
            var (low, high) = (0, runs.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if offsets[middle] <= offset { low = middle } else { high = middle }
            }
            return runs.isEmpty ? nil : low
        }

        // MARK: Pango's units

        private static func units(_ points: Double) -> Int32 { Int32(points * Double(PANGO_SCALE)) }

        fileprivate static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }

        private static func cut(_ points: Double) -> Double {
            points.isNaN ? 0 : min(max(points, -1_024), 1_024)
        }
    }

    extension Slice<UnsafeRawBufferPointer> {
        /// Where the first line ends that the text itself ends, before what ends it.
        fileprivate var endOfLine: Int {
            // U+2028 and U+2029.
            func isSeparator(at index: Int) -> Bool {
                self[index...].starts(with: [0xE2, 0x80, 0xA8])
                    || self[index...].starts(with: [0xE2, 0x80, 0xA9])
            }
            return indices.first { index in
                switch self[index] {
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
                case 0xE2: isSeparator(at: index)
                default: false
                }
            } ?? endIndex
        }
    }

    extension Rect {
        fileprivate init(_ rect: PangoRectangle) {
            self.init(
                x: PangoTypesetter.points(rect.x), y: PangoTypesetter.points(rect.y),
                width: PangoTypesetter.points(rect.width), height: PangoTypesetter.points(rect.height))
        }
    }

    extension PangoGlyph {
        fileprivate static let empty: PangoGlyph = 0x0FFF_FFFF
        fileprivate static let unknownFlag: PangoGlyph = 0x1000_0000
    }
#endif
