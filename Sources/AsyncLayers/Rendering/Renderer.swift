/// What an ``AsyncLayer`` draws with: a maker of contexts, and of the pictures they become.
///
/// A renderer is shared by all threads that draw with it, so it is `Sendable`; a context is used by one
/// thread at a time and by one draw only. For each pass the layer's pipeline calls, in this order and on one
/// thread, ``makeContext(_:)``, ``fill(_:with:)`` zero to two times, the task's draw closure, and
/// ``makeContents(from:)``; a pass that is found stale stops between any two of them.
///
/// Nothing in `AsyncLayers` knows pixels: Cairo surfaces, Skia pictures or display lists serve as well as
/// bitmaps do.
public protocol Renderer: Sendable {
    /// What a draw closure draws into. Never leaves the thread that made it.
    associatedtype Context

    /// The finished, immutable picture. Shown on the main actor, released on a background queue.
    associatedtype Contents: Sendable

    /// The bytes that a context of this description will take, asked *before* it is made.
    ///
    /// Must not overflow: both extents are at most ``ContextDescription/maximumPixelExtent``. Called on the
    /// main actor, in each pass, for each layer of a tree and for each of the tiles that are tried, so it should
    /// be O(1).
    func byteCount(of description: ContextDescription) -> Int

    /// Makes a context with every pixel clear. What it throws becomes the pass's `.failed` outcome.
    ///
    /// A description with an origin asks for a part of a picture: what is drawn at a place in points must land
    /// where it would in the whole picture, less the origin. Layers ask for parts only where a picture is drawn
    /// in tiles or from a tree; a renderer that is used for neither may ignore the origin.
    func makeContext(_ description: ContextDescription) throws -> Context

    /// Paints the whole context with a colour, over what is there.
    func fill(_ context: Context, with color: Color)

    /// Turns the finished context into its picture; the context is not used again.
    func makeContents(from context: Context) throws -> Contents
}

/// The size and the kind of a context that a renderer is asked for.
public struct ContextDescription: Hashable, Sendable {
    /// The largest width or height that a pipeline ever asks for: 2²⁴ pixels, so that the bytes of a context
    /// of fewer than 2¹⁵ bytes a pixel fit an `Int`.
    public static let maximumPixelExtent = 1 << 24

    /// Width in pixels, from 1 to ``maximumPixelExtent``.
    public var pixelWidth: Int
    /// Height in pixels, from 1 to ``maximumPixelExtent``.
    public var pixelHeight: Int
    /// Pixels per point; the context is scaled by it, so that draws are written in points.
    public var scale: Double
    /// True when the picture will have no transparent pixel, so that a renderer may leave alpha out.
    public var isOpaque: Bool
    /// The column of the whole picture that the context begins with, in pixels; 0 unless the context holds
    /// only a part of the picture. Not negative, and with the width at most ``maximumPixelExtent``.
    public var pixelOriginX: Int
    /// The row of the whole picture that the context begins with, in pixels; 0 unless the context holds only
    /// a part of the picture. Not negative, and with the height at most ``maximumPixelExtent``.
    public var pixelOriginY: Int

    /// Describes a context; by default one that holds a whole picture.
    public init(
        pixelWidth: Int, pixelHeight: Int, scale: Double = 1, isOpaque: Bool = false, pixelOriginX: Int = 0,
        pixelOriginY: Int = 0
    ) {
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.scale = scale
        self.isOpaque = isOpaque
        self.pixelOriginX = pixelOriginX
        self.pixelOriginY = pixelOriginY
    }
}

extension Renderer {
    /// An opaque layer has no clear pixel: white lies under a background that is missing or lets light
    /// through. A layer that is not opaque gets no background; the draw closure paints all there is.
    func fillBackground(of context: Context, isOpaque: Bool, color: Color?) {
        guard isOpaque else { return }
        if color.map({ !($0.alpha >= 1) }) ?? true { fill(context, with: .white) }
        if let color { fill(context, with: color) }
    }
}
