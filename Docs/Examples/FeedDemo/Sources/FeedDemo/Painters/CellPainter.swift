import AsyncLayers

/// All of a feed that depends on the renderer: how a cell is laid out, and how it is drawn.
///
/// The modes, the view and the measuring are generic over it. *Thread-safe*: cells are drawn on any thread, and
/// several at a time.
protocol CellPainter: Sendable {
    /// What it draws with.
    associatedtype Base: CompositingRenderer
    /// Where everything in a cell is.
    associatedtype Layout: CellLayout

    var base: Base { get }

    /// Lays a cell out: before the scroll, since the heights place the cells.
    func layOut(_ item: FeedItem, number: Int, width: Double) -> Layout

    /// A run of a mode begins. What was kept from an earlier one is forgotten, so that all begin alike.
    func beginRun()

    /// Draws a cell. `isCancelled` is asked between the parts that take time.
    func draw(_ layout: Layout, in context: Base.Context, isCancelled: () -> Bool)

    /// The pixels of a picture that was drawn opaque.
    static func screenshot(of contents: Base.Contents) -> Screenshot
}

/// A cell, laid out.
protocol CellLayout: Sendable {
    /// Its place in the feed, from 1.
    var number: Int { get }
    /// In points.
    var size: Size { get }
}
