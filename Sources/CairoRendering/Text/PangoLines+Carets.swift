#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo

    /// A character in a line of Pango's, or a part of one.
    struct CaretPart {
        /// In the text, in bytes.
        var offset: Int
        var left: Double
        var right: Double
        let level: UInt8
        let boundaries: Boundaries

        /// The attributes that Pango gives the places before and behind it.
        struct Boundaries: OptionSet {
            let rawValue: UInt8
            /// A caret may stand before it.
            static let character = Boundaries(rawValue: 1)
            /// A word, a space or a sign begins with it.
            static let segment = Boundaries(rawValue: 2)
            static let wordStart = Boundaries(rawValue: 4)
            static let wordEnd = Boundaries(rawValue: 8)
            /// Not a boundary: the byte is the first of a character.
            static let scalar = Boundaries(rawValue: 16)
            /// Not a boundary: it is a mark of an isolate, which is not in the text as it was given.
            static let mark = Boundaries(rawValue: 32)
        }
    }

    /// Records where carets may stand in the lines of a stretch.
    struct CaretRecorder {
        /// Of each byte of the stretch.
        private let boundaries: [CaretPart.Boundaries]
        private let text: StyledText
        /// Where the stretch begins in the text.
        private let origin: Int
        private(set) var parts: [CaretPart] = []

        init(_ layout: OpaquePointer, _ text: StyledText, _ range: Range<Int>) {
            var count: Int32 = 0
            let attributes = pango_layout_get_log_attrs_readonly(layout, &count)
            var boundaries: [CaretPart.Boundaries] = []
            boundaries.reserveCapacity(range.count)
            text.withBytes(range) { bytes in
                guard let bytes, let attributes else { return }
                var scalar = 0
                for byte in 0..<range.count {
                    guard UInt8(bitPattern: bytes[byte]) & 0xC0 != 0x80, scalar < Int(count) else {
                        boundaries.append([])
                        continue
                    }
                    var found = CaretPart.Boundaries.scalar
                    if attributes[scalar].is_cursor_position != 0 { found.insert(.character) }
                    if attributes[scalar].is_word_boundary != 0 { found.insert(.segment) }
                    if attributes[scalar].is_word_start != 0 { found.insert(.wordStart) }
                    // One more than there are characters.
                    if scalar + 1 < Int(count), attributes[scalar + 1].is_word_end != 0 {
                        found.insert(.wordEnd)
                    }
                    boundaries.append(found)
                    scalar += 1
                }
            }
            self.boundaries = boundaries
            self.text = text
            origin = range.lowerBound
        }

        /// Records a run of the current line. Runs come from the left.
        mutating func record(_ run: inout PangoGlyphItem, of layout: OpaquePointer, in rect: Rect) {
            guard let item = run.item?.pointee else { return }
            let bytes = Int(item.offset)..<Int(item.offset + item.length)
            func part(
                _ byte: Int, _ left: Double, _ right: Double, _ boundaries: CaretPart.Boundaries
            )
                -> CaretPart
            {
                CaretPart(
                    offset: origin + byte, left: left, right: right, level: item.analysis.level,
                    boundaries: boundaries)
            }
            guard item.analysis.flags & PangoLines.ellipsisFlag == 0 else {
                return parts.append(
                    part(
                        bytes.lowerBound, rect.minX, rect.maxX, [.character, .segment, .wordStart, .wordEnd]))
            }
            let isMark = text.segments[text.segment(at: origin + bytes.lowerBound)].isMark
            var widths = [Int32](repeating: 0, count: Int(item.num_chars))
            pango_glyph_item_get_logical_widths(&run, pango_layout_get_text(layout), &widths)
            let isRightToLeft = item.analysis.level % 2 == 1
            var recorded: [CaretPart] = []
            recorded.reserveCapacity(widths.count)
            // In Pango's units, so that runs meet exactly.
            var advance: Int32 = 0
            for byte in bytes.clamped(to: boundaries.indices) where boundaries[byte].contains(.scalar) {
                guard recorded.count < widths.count else { break }
                let found = isMark ? boundaries[byte].union(.mark) : boundaries[byte]
                let start = PangoLines.points(advance)
                advance += max(widths[recorded.count], 0)
                let end = PangoLines.points(advance)
                recorded.append(
                    isRightToLeft
                        ? part(byte, rect.maxX - end, rect.maxX - start, found)
                        : part(byte, rect.minX + start, rect.minX + end, found))
            }
            parts += isRightToLeft ? recorded.reversed() : recorded
        }
    }
#endif
