public import AsyncLayers

extension BitmapRenderer: CompositingRenderer {
    /// Blends a picture over what is there; see ``BitmapContext/draw(_:placed:)``.
    public func draw(_ contents: Bitmap, into context: BitmapContext, placed placement: ContentsPlacement) {
        context.draw(contents, placed: placement)
    }
}
