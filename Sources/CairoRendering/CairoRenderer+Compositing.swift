#if Cairo
    public import AsyncLayers

    extension CairoRenderer: CompositingRenderer {
        /// Blends a picture over what is there; see ``CairoContext/draw(_:placed:)``.
        public func draw(
            _ contents: CairoImage, into context: CairoContext, placed placement: ContentsPlacement
        ) throws {
            try context.draw(contents, placed: placement)
        }
    }
#endif
