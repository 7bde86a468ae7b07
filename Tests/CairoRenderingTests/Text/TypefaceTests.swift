#if Cairo
    import CQueuePoolsCairo
    import Testing

    @testable import CairoRendering

    @Suite("Typefaces")
    struct TypefaceTests {
        @Test("a face is kept once and forever, for any number of typefaces that took it and were released")
        func kept() throws {
            let face = try #require(
                cairo_toy_font_face_create(
                    "a face of this test", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL))
            defer { cairo_font_face_destroy(face) }
            var unit = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
            let options = cairo_font_options_create()
            defer { cairo_font_options_destroy(options) }
            let font = try #require(cairo_scaled_font_create(face, &unit, &unit, options))
            defer { cairo_scaled_font_destroy(font) }

            let references = cairo_font_face_get_reference_count(face)
            for _ in 0..<3 {
                let typeface = Typeface(font)
                #expect(cairo_font_face_get_reference_count(typeface.face) > references)
            }
            #expect(cairo_font_face_get_reference_count(face) == references + 1)
        }
    }
#endif
