#if Cairo
    public import AsyncLayers
    import CLibCairo

    /// Draws with Cairo into images in memory, on the CPU: anti-aliased paths, gradients, images, and text with Pango.
    ///
    /// Needs the trait `Cairo` and its system packages, which README names. All renderers are alike.
    /// *Thread-safe.*
    public struct CairoRenderer: Renderer {
        /// Makes a renderer.
        public init() {}

        /// The bytes of the pixels, four each, with rows as long as Cairo wants them. `Int.max` for extents that Cairo
        /// has no pictures of, so that the pass fails before anything is made.
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
#endif
