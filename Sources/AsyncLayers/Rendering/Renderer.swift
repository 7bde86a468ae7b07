/// What an ``AsyncLayer`` draws with: makes contexts, and pictures from them.
///
/// All threads share a renderer; a context is used by one thread, for one draw. For each pass the layer's
/// pipeline calls, in this order and on one thread, ``makeContext(_:)``, ``fill(_:with:)`` zero to two times,
/// the task's draw closure, and ``makeContents(from:)``; a cancelled pass stops between any two of them.
///
/// Nothing in `AsyncLayers` knows pixels: contents may be bitmaps, Cairo surfaces, Skia pictures or display
/// lists.
public protocol Renderer: Sendable {
    /// What a draw closure draws into. Stays on the thread that made it.
    associatedtype Context

    /// The finished, immutable picture. Shown on the main actor, released on a background queue.
    associatedtype Contents: Sendable

    /// The bytes that a context of this description will take, asked *before* it is made.
    ///
    /// Must not overflow: both extents are at most ``ContextDescription/maximumPixelExtent``. Called on the
    /// main actor, in each pass, for each layer of a tree and each tile that is tried: it should be O(1).
    func byteCount(of description: ContextDescription) -> Int

    /// Makes a context with every pixel clear. What it throws becomes the pass's `.failed` outcome.
    ///
    /// A description with an origin is of a part of a picture: what is drawn at a point of the whole picture
    /// must land there, less the origin. Only pictures in tiles and of trees have parts; a renderer that is
    /// used for neither may ignore the origin.
    func makeContext(_ description: ContextDescription) throws -> Context

    /// Paints the whole context with a colour, over what is there.
    func fill(_ context: Context, with color: Color)

    /// Turns the finished context into its picture; the context is not used again.
    func makeContents(from context: Context) throws -> Contents
}

/// The size and the kind of a context.
public struct ContextDescription: Hashable, Sendable {
    /// The largest width or height: 2²⁴ pixels, so that the bytes of a context of fewer than 2¹⁵ bytes a
    /// pixel fit an `Int`.
    public static let maximumPixelExtent = 1 << 24

    /// Width in pixels, from 1 to ``maximumPixelExtent``.
    public var pixelWidth: Int
    /// Height in pixels, from 1 to ``maximumPixelExtent``.
    public var pixelHeight: Int
    /// Pixels per point; the context is scaled by it, so that drawing is in points.
    public var scale: Double
    /// True if the picture will have no translucent pixel, so that a renderer may leave alpha out.
    public var isOpaque: Bool
    /// The column of the whole picture that the context begins with, in pixels; 0 unless the context holds a
    /// part of the picture. Not negative, and with the width at most ``maximumPixelExtent``.
    public var pixelOriginX: Int
    /// The row that the context begins with; see ``pixelOriginX``.
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
    /// An opaque layer has no clear pixel: white lies under a background that is missing or translucent. A
    /// layer that is not opaque has no background.
    func fillBackground(of context: Context, isOpaque: Bool, color: Color?) {
        guard isOpaque else { return }
        if color.map({ !($0.alpha >= 1) }) ?? true { fill(context, with: .white) }
        if let color { fill(context, with: color) }
    }
}
