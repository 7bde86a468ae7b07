#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo

    extension CairoContext {
        /// Draws a laid out text.
        ///
        /// - Parameters:
        ///   - layout: what is drawn, at this context's scale.
        ///   - origin: where its top left corner is, in points.
        public func draw(_ layout: TextLayout, at origin: Point = .zero) {
            draw(layout, at: origin, highlighted: nil, highlight: .clear)
        }

        /// - Parameters:
        ///   - highlighted: the index of a link or a mention that gets a background, as while it is pressed.
        ///   - highlight: that background's colour.
        package func draw(
            _ layout: TextLayout, at origin: Point = .zero, highlighted: Int?, highlight: Color
        ) {
            withState {
                cairo_new_path(cairo)
                cairo_translate(cairo, origin.x, origin.y)
                cairo_set_font_options(cairo, FontOptions.shared.pointer)
                for piece in layout.pieces {
                    if let background = piece.background { fill(piece.rect, with: background) }
                }
                if let highlighted, layout.marks.indices.contains(highlighted) {
                    for rect in layout.marks[highlighted].rects {
                        fill(rect, cornerRadius: 3, with: highlight)
                    }
                }
                for piece in layout.pieces { draw(piece) }
            }
        }

        private func draw(_ piece: GlyphPiece) {
            setSource(piece.color)
            if !piece.glyphs.isEmpty {
                cairo_set_font_face(cairo, piece.typeface.face)
                var matrix = piece.typeface.matrix
                cairo_set_font_matrix(cairo, &matrix)
                cairo_show_glyphs(cairo, piece.glyphs, Int32(clamping: piece.glyphs.count))
            }
            for rect in piece.decorations { addRectangle(rect) }
            cairo_fill(cairo)
            for rect in piece.missing { addRectangle(rect) }
            cairo_set_line_width(cairo, 1)
            cairo_stroke(cairo)
        }
    }

    /// How glyphs are drawn: smoothed, and not moved to whole pixels, so that a text is the same at any
    /// scale.
    final class FontOptions: @unchecked Sendable {  // only read, once made
        static let shared = FontOptions()

        let pointer: OpaquePointer

        private init() {
            pointer = cairo_font_options_create()
            cairo_font_options_set_antialias(pointer, CAIRO_ANTIALIAS_GRAY)
            cairo_font_options_set_hint_style(pointer, CAIRO_HINT_STYLE_NONE)
            cairo_font_options_set_hint_metrics(pointer, CAIRO_HINT_METRICS_OFF)
        }

        deinit { cairo_font_options_destroy(pointer) }
    }
#endif
