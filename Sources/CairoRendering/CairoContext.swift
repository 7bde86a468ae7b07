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
        public convenience init(_ description: ContextDescription) throws(CairoError) {
            try self.init(Self.pixels(description), description)
        }

        private static func pixels(_ description: ContextDescription) throws(CairoError) -> CairoPixels {
            let format = description.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
            return try CairoPixels(
                format: format, width: description.pixelWidth, height: description.pixelHeight)
        }

        /// Begins as a picture of the same extents and format, but for some of its pixels, which are clear
        /// and the context's clip. Nil for others, or if none is to be drawn.
        convenience init?(
            _ description: ContextDescription, copying former: CairoPixels, redrawing redrawn: PixelRect
        ) throws(CairoError) {
            let pixels = try Self.pixels(description)
            let whole = PixelRect(minX: 0, minY: 0, maxX: pixels.width, maxY: pixels.height)
            guard former.width == pixels.width, former.height == pixels.height,
                former.format == pixels.format, let redrawn = redrawn.intersection(whole)
            else { return nil }
            pixels.start.update(from: former.start, count: pixels.byteCount)
            for row in redrawn.minY..<redrawn.maxY {
                let start = pixels.start + row * pixels.bytesPerRow + 4 * redrawn.minX
                start.update(repeating: 0, count: 4 * redrawn.width)
            }
            try self.init(pixels, description, clip: redrawn)
        }

        private init(
            _ pixels: CairoPixels, _ description: ContextDescription, clip: PixelRect? = nil
        ) throws(CairoError) {
            self.pixels = pixels
            surface = try pixels.makeSurface()
            drawing = try CairoDrawing(on: surface)
            if let clip {
                cairo_rectangle(
                    drawing.pointer, Double(clip.minX), Double(clip.minY), Double(clip.width),
                    Double(clip.height))
                cairo_clip(drawing.pointer)
            }
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
