#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo

    /// Draws with Cairo into images in memory, on the CPU: anti-aliased paths, gradients, images, and text
    /// with Pango.
    ///
    /// Needs the trait `Cairo` and its system packages, which README names. All renderers are equal.
    /// *Thread-safe.*
    public struct CairoRenderer: Renderer {
        /// Makes a renderer.
        public init() {}

        /// The bytes of the pixels, four each, with rows as long as Cairo wants them. `Int.max` for extents
        /// that Cairo has no pictures of, so that the pass fails before anything is made.
        public func byteCount(of description: ContextDescription) -> Int {
            let bytesPerRow = CairoPixels.bytesPerRow(CAIRO_FORMAT_ARGB32, width: description.pixelWidth)
            guard bytesPerRow > 0, (1...CairoPixels.maximumExtent).contains(description.pixelHeight) else {
                return .max
            }
            return bytesPerRow * description.pixelHeight
        }

        /// Makes a clear context: with alpha, or without where the description says opaque.
        public func makeContext(_ description: ContextDescription) throws -> CairoContext {
            try CairoContext(description)
        }

        /// Makes a context that begins as a copy of a picture of the same extents, and is drawn in some of
        /// its pixels only: they are its clip, so a draw closure must not call `cairo_reset_clip`. Where it
        /// is drawn, a pixel may differ by 2 in 255 from one that is drawn with the whole. Nil for a picture
        /// of other extents, or of the other format. O(pixels), a copy in memory.
        public func makeContext(
            _ description: ContextDescription, copying contents: CairoImage, redrawing pixels: PixelRect
        ) throws -> CairoContext? {
            try CairoContext(description, copying: contents.pixels, redrawing: pixels)
        }

        /// Paints the whole context with a colour, over what is there. O(pixels).
        public func fill(_ context: CairoContext, with color: Color) {
            context.setSource(color)
            cairo_paint(context.cairo)
        }

        /// Hands the context's pixels over without copying them.
        ///
        /// - Throws: ``CairoError`` if anything went wrong since the context was made.
        public func makeContents(from context: CairoContext) throws -> CairoImage {
            try context.makeImage()
        }
    }

    extension CairoRenderer: CompositingRenderer {
        /// Blends a picture over what is there; see ``CairoContext/draw(_:placed:)``.
        public func draw(
            _ contents: CairoImage, into context: CairoContext, placed placement: ContentsPlacement
        ) throws {
            try context.draw(contents, placed: placement)
        }
    }

    /// What Cairo says went wrong.
    ///
    /// A Cairo object that meets an error keeps it and does nothing any more. So the status is asked for
    /// where an object is made and where a picture is finished, and what went wrong in between is not lost.
    public struct CairoError: Error, Equatable, CustomStringConvertible {
        /// Cairo's number of the error, a `cairo_status_t`.
        public let status: UInt32

        init(_ status: cairo_status_t) { self.status = status.rawValue }

        /// Throws unless a status is success.
        static func check(_ status: cairo_status_t) throws(CairoError) {
            if status != CAIRO_STATUS_SUCCESS { throw CairoError(status) }
        }

        /// Cairo's words for it, in English.
        public var description: String {
            "Cairo: " + String(cString: cairo_status_to_string(cairo_status_t(rawValue: status)))
        }
    }
#endif
