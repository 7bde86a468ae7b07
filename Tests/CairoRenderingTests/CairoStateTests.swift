#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import Testing

    @testable import CairoRendering

    @Suite("The state that Cairo keeps", .timeLimit(.minutes(15)))
    struct CairoStateTests {
        /// Two pieces of a figure, with something between them.
        private func figure(_ between: (CairoContext) throws -> Void) throws -> CairoImage {
            try image(40, 40, scale: 1.3) { context in
                cairo_move_to(context.cairo, 2, 3)
                cairo_curve_to(context.cairo, 10, 1, 5, 20, 14.7, 9)
                try between(context)
                cairo_line_to(context.cairo, 25, 22)
                cairo_close_path(context.cairo)
                cairo_fill(context.cairo)
            }
        }

        @Test("a path that is begun continues after what was drawn with the state kept")
        func path() throws {
            let expected = try figure { _ in }
            let clear = try image(4, 4) { _ in }
            #expect(expected.allPixels.contains { $0 >> 24 == 255 })
            let ways: [(CairoContext) throws -> Void] = [
                { $0.withState {} },
                { context in context.withState { cairo_new_path(context.cairo) } },
                { context in
                    context.withState {
                        cairo_rotate(context.cairo, 0.7)
                        cairo_rectangle(context.cairo, 3, 3, 20, 20)
                        cairo_clip(context.cairo)
                    }
                },
                { try $0.draw(clear, in: Rect(x: 5, y: 5, width: 11, height: 13), cornerRadius: 3) },
                { try $0.draw(clear, placed: ContentsPlacement(opacity: 0.5)) },
                { $0.draw(try TextLayout(RichText(" "))) },
            ]
            for way in ways { #expect(try figure(way).allPixels == expected.allPixels) }
        }

        @Test("where no path was begun there is none after it, and a new subpath is new again")
        func noPath() throws {
            let picture = try image(20, 20) { context in
                context.withState { cairo_rectangle(context.cairo, 2, 2, 9, 9) }
                #expect(cairo_has_current_point(context.cairo) == 0)
                cairo_rectangle(context.cairo, 1, 1, 3, 3)
                cairo_new_sub_path(context.cairo)
                context.withState { cairo_new_path(context.cairo) }
                #expect(cairo_has_current_point(context.cairo) == 0)
                cairo_fill(context.cairo)
            }
            #expect(picture.allPixels.count { $0 == 0xFF00_0000 } == 9)
        }

        @Test("a path is put back also after an error, and an error of Cairo's stays what it is")
        func errors() throws {
            struct Lost: Error {}
            let expected = try figure { _ in }
            let thrown = try figure { context in
                #expect(throws: Lost.self) {
                    try context.withState {
                        cairo_new_path(context.cairo)
                        throw Lost()
                    }
                }
            }
            #expect(thrown.allPixels == expected.allPixels)
            let error = #expect(throws: CairoError.self) {
                try figure { context in context.withState { cairo_scale(context.cairo, 0, 0) } }
            }
            #expect(error?.status == CAIRO_STATUS_INVALID_MATRIX.rawValue)
        }
    }
#endif
