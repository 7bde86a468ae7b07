import BitmapRendering

/// Draws cells with the embedded renderer: text in its stroke font, no images.
struct BitmapPainter: FeedPainter {
    let base = BitmapRenderer()

    func layOut(_ item: FeedItem, number: Int, width: Double) -> BitmapCellLayout {
        BitmapCellLayout(item: item, number: number, width: width)
    }

    func beginRun() {}

    func draw(_ layout: BitmapCellLayout, in context: BitmapContext, isCancelled: () -> Bool) {
        layout.draw(in: context, isCancelled: isCancelled)
    }

    static func screenshot(of contents: Bitmap) -> Screenshot {
        Screenshot(
            pixelWidth: contents.pixelWidth, pixelHeight: contents.pixelHeight,
            rgba: contents.withUnsafeBytes { Array($0) })
    }
}
