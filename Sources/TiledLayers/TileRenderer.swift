public import AsyncLayers

/// A renderer whose contexts begin at a pixel of a larger picture: what a tile is drawn with.
///
/// Tiles side by side so are the whole picture, at any scale, if the renderer's contexts honour
/// `ContextDescription.pixelOriginX`. A translation in points would not do: 256 pixels at scale 1.5 are not a
/// number that `Double` has.
struct TileRenderer<Base: Renderer>: Renderer {
    let base: Base
    let originX: Int
    let originY: Int

    func byteCount(of description: ContextDescription) -> Int { base.byteCount(of: description) }

    func makeContext(_ description: ContextDescription) throws -> Base.Context {
        try base.makeContext(placed(description))
    }

    func makeContext(
        _ description: ContextDescription, copying contents: Base.Contents, redrawing pixels: PixelRect
    ) throws -> Base.Context? {
        try base.makeContext(placed(description), copying: contents, redrawing: pixels)
    }

    private func placed(_ description: ContextDescription) -> ContextDescription {
        var description = description
        description.pixelOriginX += originX
        description.pixelOriginY += originY
        return description
    }

    func fill(_ context: Base.Context, with color: Color) { base.fill(context, with: color) }

    func makeContents(from context: Base.Context) throws -> Base.Contents {
        try base.makeContents(from: context)
    }
}

/// What a draw closure knows of its tile. *Thread-safe.*
public struct TileScope: Sendable {
    /// The part of the content that is drawn, in its points: what does not intersect it need not be drawn. It
    /// is the tile, or those of its pixels that have changed since it was drawn last, with a margin for
    /// strokes and shadows (``TiledLayer/damageOutset``). To draw outside of these pixels has no effect. A
    /// line that is drawn a pixel wide at least reaches half a pixel, `0.5 / scale` points, beyond its
    /// middle: at a small scale more than its pen.
    public let area: Rect
    /// Pixels per point of the tile's level, for what is drawn in less detail when it is small.
    public let scale: Double
    /// The size of the whole content, in points.
    public let documentSize: Size

    private let scope: DrawScope

    init(area: Rect, scale: Double, documentSize: Size, _ scope: DrawScope) {
        (self.area, self.scale, self.documentSize, self.scope) = (area, scale, documentSize, scope)
    }

    /// True once the tile is not wanted any more; a long draw should check it now and then, and return. One
    /// atomic load.
    public var isCancelled: Bool { scope.isCancelled }

    /// Throws `CancellationError` when ``isCancelled``.
    public func checkCancellation() throws(CancellationError) { try scope.checkCancellation() }
}
