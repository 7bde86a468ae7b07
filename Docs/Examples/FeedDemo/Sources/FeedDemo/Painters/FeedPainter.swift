import AsyncLayers
import FeedKit

/// All of a feed that depends on the renderer: how a cell is laid out, and how it is drawn.
///
/// The modes, the view and the measuring are generic over it.
protocol FeedPainter: CellPainter where Base: CompositingRenderer {
    /// Lays a cell out: before the scroll, since the heights place the cells.
    func layOut(_ item: FeedItem, number: Int, width: Double) -> Layout

    /// A run of a mode begins. What was kept from an earlier one is forgotten, so that all begin alike.
    func beginRun()

    /// The pixels of a picture that was drawn opaque.
    static func screenshot(of contents: Base.Contents) -> Screenshot
}
