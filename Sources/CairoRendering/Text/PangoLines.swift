#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo

    /// The lines that Pango makes of one stretch of a text, which is a paragraph or a part of one.
    ///
    /// Pango's objects may be used by one thread at a time, and those of one font map count as one object. So
    /// each thread uses the font map that Pango keeps for it (`pango_cairo_font_map_get_default`, from 1.32.6
    /// on one for each thread), and nothing of Pango's leaves the thread: what does are glyph numbers,
    /// places, and Cairo's font faces, which may be drawn with on any thread and are never destroyed
    /// (``KeptFaces``).
    struct PangoLines: ~Copyable {
        private let layout: OpaquePointer
        private let iterator: OpaquePointer
        private let text: StyledText
        /// Where the stretch begins in the text.
        private let origin: Int
        /// Nil if no carets are recorded.
        private let recorder: CaretRecorder?

        /// - Parameters:
        ///   - width: of the lines, in points; nil for no bound. Then all lines begin at zero, with any
        ///     alignment.
        ///   - ellipsis: where one line is shortened to the width; none makes lines.
        init(
            _ text: StyledText, _ range: Range<Int>, width: Double?, isRightToLeft: Bool,
            _ options: TextLayoutOptions, ellipsis: PangoEllipsizeMode = PANGO_ELLIPSIZE_NONE
        ) {
            let context = pango_font_map_create_context(pango_cairo_font_map_get_default())
            defer { g_object_unref(UnsafeMutableRawPointer(context)) }
            pango_context_set_round_glyph_positions(context, 0)
            pango_cairo_context_set_font_options(context, FontOptions.shared.pointer)
            pango_context_set_base_dir(context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
            let layout: OpaquePointer = pango_layout_new(context)
            text.withBytes(range) { pango_layout_set_text(layout, $0, Int32(clamping: range.count)) }
            Self.setAttributes(layout, text, range)
            Self.setLines(layout, width: width, isRightToLeft: isRightToLeft, options)
            let isWrapped = options.wrapping != .words && ellipsis == PANGO_ELLIPSIZE_NONE
            Self.setTabs(layout, text, range, width: isWrapped ? width : nil, options)
            if let width, width < text.leastWidth { pango_layout_set_wrap(layout, PANGO_WRAP_CHAR) }
            pango_layout_set_ellipsize(layout, ellipsis)
            self.layout = layout
            iterator = pango_layout_get_iter(layout)
            self.text = text
            origin = range.lowerBound
            recorder = options.recordsCarets ? CaretRecorder(layout, text, range) : nil
        }

        deinit {
            pango_layout_iter_free(iterator)
            g_object_unref(UnsafeMutableRawPointer(layout))
        }

        // MARK: Configuring Pango

        private static func setAttributes(_ layout: OpaquePointer, _ text: StyledText, _ range: Range<Int>) {
            let list = pango_attr_list_new()
            defer { pango_attr_list_unref(list) }
            for index in text.segment(at: range.lowerBound)..<text.segments.count {
                let bytes = text.range(of: index)
                guard bytes.lowerBound < max(range.upperBound, range.lowerBound + 1) else { break }
                let style = text.segments[index].run.style
                func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
                    attribute?.pointee.start_index = guint(
                        clamping: max(bytes.lowerBound - range.lowerBound, 0))
                    // It may end behind the stretch: an empty line is as high as the style of what ends it
                    // asks for.
                    attribute?.pointee.end_index = guint(clamping: bytes.upperBound - range.lowerBound)
                    pango_attr_list_insert(list, attribute)
                }
                insert(pango_attr_family_new(style.family))
                insert(pango_attr_size_new_absolute(units(style.pangoSize)))
                insert(
                    pango_attr_weight_new(PangoWeight(UInt32(min(max(style.weight.rawValue, 100), 1_000)))))
                if style.isItalic { insert(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
                let spacing = units(style.pangoLetterSpacing)
                if spacing != 0 { insert(pango_attr_letter_spacing_new(spacing)) }
                // Not for its colour, but so that Pango divides its runs where ours end: equal neighbours but
                // for their colours, lines or marks would be one.
                insert(
                    pango_attr_foreground_new(
                        UInt16(truncatingIfNeeded: index), UInt16(truncatingIfNeeded: index >> 16), 0))
            }
            pango_layout_set_attributes(layout, list)
        }

        private static func setLines(
            _ layout: OpaquePointer, width: Double?, isRightToLeft: Bool, _ options: TextLayoutOptions
        ) {
            pango_layout_set_auto_dir(layout, 0)
            pango_layout_set_width(layout, width.map(units) ?? -1)
            pango_layout_set_justify(layout, options.alignment == .justified ? 1 : 0)
            switch options.wrapping {
            case .words: pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
            case .characters: pango_layout_set_wrap(layout, PANGO_WRAP_CHAR)
            case .wordsThenCharacters: pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            }
            switch options.alignment {
            case _ where width == nil: pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
            case .start, .justified:
                pango_layout_set_alignment(layout, isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT)
            case .center: pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
            case .end:
                pango_layout_set_alignment(layout, isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT)
            }
        }

        /// Sets tab stops at all multiples of a width.
        ///
        /// So many that no tab is behind the last: for stops that Pango adds itself, version 1.50 logs errors
        /// (`pango_tab_array_get_decimal_point`), and at the greatest width that it can express it searches
        /// without end. If there are too few, because a glyph is wider than any that is known, the last one
        /// makes the line too wide, which is an error.
        ///
        /// - Parameter width: that no line exceeds, but for one character; nil for no bound.
        private static func setTabs(
            _ layout: OpaquePointer, _ text: StyledText, _ range: Range<Int>, width: Double?,
            _ options: TextLayoutOptions
        ) {
            let count = text.tabCount(in: range)
            guard let tabWidth = options.tabWidth, !tabWidth.isNaN, count > 0 else { return }
            let step = units(min(max(tabWidth, text.widest / 4), 1_024))
            // In any font known a letter takes less than three ems for each of its bytes.
            let byteWidth = 4 * text.widest
            let content = min(Double(range.count) * byteWidth, (width ?? .infinity) + 4 * byteWidth)
            let stops = Int32(min(content / points(step) + Double(count) + 1, Double(Int32.max / step)))
            let tabs = pango_tab_array_new(stops + 1, 0)
            defer { pango_tab_array_free(tabs) }
            for stop in 0..<stops { pango_tab_array_set_tab(tabs, stop, PANGO_TAB_LEFT, (stop + 1) * step) }
            pango_tab_array_set_tab(tabs, stops, PANGO_TAB_LEFT, .max)
            pango_layout_set_tabs(layout, tabs)
        }

        // MARK: Reading lines from Pango

        /// Whether the line that the iterator is in is the last of the stretch.
        var isAtLastLine: Bool { pango_layout_iter_at_last_line(iterator) != 0 }

        /// Whether an ellipsis stands for characters.
        var isShortened: Bool { pango_layout_is_ellipsized(layout) != 0 }

        /// Moves to the next line. Returns false if there is none.
        func moveToNextLine() -> Bool { pango_layout_iter_next_line(iterator) != 0 }

        /// Where in the text the line's characters are, without what ends a paragraph.
        var range: Range<Int> {
            guard let line = pango_layout_iter_get_line_readonly(iterator)?.pointee else {
                return origin..<origin
            }
            let start = origin + Int(line.start_index)
            return start..<start + Int(line.length)
        }

        /// The line, with its top at a place. To be taken once: the iterator is at the line's end then.
        func takeLine(top: Double) throws(TextLayoutError) -> TextLine {
            var extents = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &extents)
            // From the layout's left edge. Not from its top: that overflows in 32 bits where lines are high.
            let rect = Rect(
                x: Self.points(extents.x), y: top, width: Self.points(extents.width),
                height: Self.points(extents.height))
            let baseline = top + Self.points(pango_layout_iter_get_baseline(iterator) &- extents.y)
            var line = TextLine(rect: rect, baseline: baseline, range: range)
            if let pango = pango_layout_iter_get_line_readonly(iterator) {
                line.marks = marks(in: pango, rect)
            }
            var recorder = recorder
            line.pieces = try pieces(in: rect, baseline: baseline, recorder: &recorder)
            line.carets = recorder?.parts ?? []
            return line
        }

        /// Where in a line marked runs are.
        private func marks(
            in line: UnsafeMutablePointer<PangoLayoutLine>, _ rect: Rect
        ) -> [TextLine.Mark] {
            let ellipsis = Self.ellipsis(in: line.pointee)
            let (start, end) = (range.lowerBound, range.upperBound)
            var marks: [TextLine.Mark] = []
            for index in text.segment(at: start)..<text.segments.count {
                let bytes = text.range(of: index)
                guard bytes.lowerBound < end else { break }
                guard text.segments[index].hasMark else { continue }
                let (first, last) = (
                    max(bytes.lowerBound, start) - origin, min(bytes.upperBound, end) - origin
                )
                let before = first..<max(first, min(last, ellipsis.lowerBound))
                let after = max(first, ellipsis.upperBound)..<max(first, last, ellipsis.upperBound)
                for part in [before, after] where !part.isEmpty && first < last {
                    marks += Self.ranges(of: part, in: line).map {
                        TextLine.Mark(
                            run: text.segments[index].index,
                            rect: Rect(
                                x: $0.left, y: rect.minY, width: $0.right - $0.left, height: rect.size.height)
                        )
                    }
                }
            }
            return marks
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

        static let ellipsisFlag: UInt8 = 1 << 1

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

        /// The glyphs of the line, at whose end the iterator is then.
        private func pieces(
            in line: Rect, baseline: Double, recorder: inout CaretRecorder?
        ) throws(TextLayoutError) -> [GlyphPiece] {
            var pieces: [GlyphPiece] = []
            // In 64 bits: Pango adds in 32, and what overflows there would look narrow.
            var width: Int64 = 0
            while var run = pango_layout_iter_get_run_readonly(iterator)?.pointee {
                if let glyphs = run.glyphs?.pointee {
                    for index in 0..<Int(glyphs.num_glyphs) {
                        width += Int64(glyphs.glyphs[index].geometry.width)
                    }
                    guard width <= Int64(Int32.max) else {
                        throw TextLayoutError(code: .lineWidth, limit: Int(Int32.max / PANGO_SCALE))
                    }
                }
                var extents = PangoRectangle()
                pango_layout_iter_get_run_extents(iterator, nil, &extents)
                let rect = Rect(
                    x: Self.points(extents.x), y: line.minY, width: Self.points(extents.width),
                    height: line.size.height)
                if let piece = piece(run, in: rect, baseline: baseline) { pieces.append(piece) }
                recorder?.record(&run, of: layout, in: rect)
                if pango_layout_iter_next_run(iterator) == 0 { break }
            }
            return pieces
        }

        private func piece(_ run: PangoGlyphItem, in rect: Rect, baseline: Double) -> GlyphPiece? {
            guard let item = run.item?.pointee, let glyphs = run.glyphs?.pointee,
                let font = item.analysis.font,
                let scaled = pango_cairo_font_get_scaled_font(OpaquePointer(font)), !text.segments.isEmpty
            else { return nil }
            let style = text.segments[text.segment(at: origin + Int(item.offset))].run.style
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

        // MARK: Pango's units

        static func units(_ points: Double) -> Int32 { Int32(points * Double(PANGO_SCALE)) }

        static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
    }

    extension TextStyle {
        /// The size as Pango takes it, in points.
        var pangoSize: Double { size > 1 ? min(size, 1_024) : 1 }
        /// The spacing as Pango takes it, in points.
        var pangoLetterSpacing: Double { letterSpacing.isNaN ? 0 : min(max(letterSpacing, -1_024), 1_024) }
    }

    extension PangoGlyph {
        fileprivate static let empty: PangoGlyph = 0x0FFF_FFFF
        fileprivate static let unknownFlag: PangoGlyph = 0x1000_0000
    }
#endif
