public import AsyncLayers

/// How the cells of a feed are drawn. *Thread-safe*: cells are drawn on any thread, and several at a time.
public protocol CellPainter: Sendable {
    /// The renderer that it draws with.
    associatedtype Base: Renderer
    /// A cell, laid out.
    associatedtype Layout: CellLayout

    /// The renderer that makes the contexts.
    var base: Base { get }

    /// Draws a cell. `isCancelled` is called between the parts that take time; once it returns true, the
    /// picture is not wanted and the draw returns.
    func draw(_ layout: Layout, in context: Base.Context, isCancelled: () -> Bool) throws
}

/// A cell, laid out.
public protocol CellLayout: Sendable {
    /// Its place in the feed.
    var number: Int { get }
    /// In points.
    var size: Size { get }
    /// What its picture depends on. Default: its number, for cells whose content never changes.
    var key: ContentKey { get }
}

extension CellLayout {
    /// The number.
    public var key: ContentKey { ContentKey(number) }
}
