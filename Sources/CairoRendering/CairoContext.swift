#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo

    /// What a draw closure draws into: a `cairo_t` over new memory, in points, with its origin at the top
    /// left of the layer. Cairo's functions are in the module `CQueuePoolsCairo`, which comes along.
    ///
    ///     import CQueuePoolsCairo
    ///
    ///     DisplayTask<CairoRenderer> { context, scope in
    ///         cairo_set_source_rgb(context.cairo, 0.1, 0.2, 0.3)
    ///         cairo_arc(context.cairo, 20, 20, 10, 0, 2 * .pi)
    ///         cairo_fill(context.cairo)
    ///     }
    ///
    /// A `cairo_t` that meets an error keeps it and draws nothing any more; the pass then fails with it.
    /// Never leaves the thread that draws.
    public final class CairoContext {
        /// Width in pixels.
        public let pixelWidth: Int
        /// Height in pixels.
        public let pixelHeight: Int
        /// Pixels per point.
        public let scale: Double

        private let pixels: CairoPixels
        private let surface: CairoSurface
        private let drawing: CairoDrawing

        /// Makes a clear context.
        ///
        /// - Throws: ``CairoError`` if a side is longer than 32,767 pixels, or there is no memory.
        public init(_ description: ContextDescription) throws(CairoError) {
            let format = description.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
            pixels = try CairoPixels(
                format: format, width: description.pixelWidth, height: description.pixelHeight)
            surface = try pixels.makeSurface()
            drawing = try CairoDrawing(on: surface)
            (pixelWidth, pixelHeight) = (pixels.width, pixels.height)
            scale = description.scale
            var points = cairo_matrix_t(
                xx: scale, yx: 0, xy: 0, yy: scale, x0: -Double(description.pixelOriginX),
                y0: -Double(description.pixelOriginY))
            cairo_set_matrix(drawing.pointer, &points)
            try CairoError.check(cairo_status(drawing.pointer))
        }

        /// The `cairo_t`, for Cairo's own functions; valid as long as the context is. Its matrix takes points
        /// to pixels.
        public var cairo: OpaquePointer { drawing.pointer }

        /// Throws the error of the drawing so far, to stop early.
        public func check() throws(CairoError) { try CairoError.check(cairo_status(cairo)) }

        /// Makes a picture of the pixels, without copying them; the context must not be drawn into any more.
        func makeImage() throws(CairoError) -> CairoImage {
            cairo_surface_flush(surface.pointer)
            try check()
            // Further drawing is an error and does not change the picture.
            cairo_surface_finish(surface.pointer)
            return CairoImage(pixels, scale: scale)
        }
    }
#endif
