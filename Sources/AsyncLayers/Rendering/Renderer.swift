/// What an ``AsyncLayer`` draws with: makes contexts, and pictures from them.
///
/// All threads share a renderer; a context is used by one thread, for one draw. For each pass the layer's
/// pipeline calls, in this order and on one thread, ``makeContext(_:)`` (or, for a part of a tile,
/// ``makeContext(_:copying:redrawing:)``), ``fill(_:with:)`` zero to two times,
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
    /// Must not overflow: both extents are at most ``ContextDescription/pixelExtentLimit``. Called in each
    /// pass on the main actor, and for each part of a composition on the thread that draws: it must be O(1).
    func byteCount(of description: ContextDescription) -> Int

    /// Makes a context with every pixel clear. What it throws becomes the pass's `.failed` outcome.
    ///
    /// A description with an origin is of a part of a picture: what is drawn at a point of the whole picture
    /// must land there, less the origin. Only groups of a ``Composition`` and the tiles of `TiledLayers` have
    /// one; a renderer that draws neither may ignore it.
    func makeContext(_ description: ContextDescription) throws -> Context

    /// Makes a context that begins as a copy of a picture, but for some of its pixels, which are clear.
    /// Nothing that is drawn changes others, nor does ``fill(_:with:)``. So a tile whose content has changed
    /// in a few pixels is drawn in these only. O(pixels of the picture), if it is a copy in memory.
    ///
    /// - Parameters:
    ///   - description: that of the picture's own context.
    ///   - contents: made by this renderer. Another thread may read it.
    ///   - pixels: not empty, and within the picture; counted from its top left, whatever its origin is.
    /// - Returns: nil if the renderer cannot copy it: then ``makeContext(_:)`` is called, and the picture is
    ///   drawn whole. Default: nil.
    /// - Throws: an error, which becomes the pass's `.failed` outcome.
    func makeContext(
        _ description: ContextDescription, copying contents: Contents, redrawing pixels: PixelRect
    ) throws -> Context?

    /// Paints the whole context, or the pixels of it that are redrawn, with a colour, over the drawing so
    /// far.
    func fill(_ context: Context, with color: Color)

    /// Turns the finished context into its picture; the context is not used again.
    func makeContents(from context: Context) throws -> Contents
}

extension Renderer {
    /// Returns nil: the renderer copies no pictures.
    public func makeContext(
        _: ContextDescription, copying _: Contents, redrawing _: PixelRect
    ) throws -> Context? { nil }
}

/// A renderer that can draw its pictures into a larger one, for a ``Composition``.
///
/// A pipeline calls, on one thread, ``Renderer/makeContext(_:)`` for the whole; then for each part that has
/// no picture what it calls for a layer, and for each part ``draw(_:into:placed:)`` with its picture; then
/// ``Renderer/makeContents(from:)`` for the whole. A part with others within it that is translucent, or whose
/// mask is soft (``PartPlacement/masksToBounds``), is drawn with them in the same way into a context of its
/// own, which begins at any pixel of the whole (``ContextDescription/pixelOriginX``).
///
/// Two requirements: contents at the context's own scale that are moved by whole pixels are copied exactly,
/// apart from opacity and clips; and contents so moved over a clear context *are* the contents. So a
/// composition is the same picture whether or not some of it has a context of its own.
public protocol CompositingRenderer: Renderer {
    /// Blends contents over what is in a context.
    ///
    /// - Parameters:
    ///   - contents: made by this renderer. Their size in points is their size in pixels over their scale.
    ///   - context: made by this renderer, and not finished yet.
    ///   - placement: geometry that is empty, not finite or not invertible draws nothing.
    /// - Throws: what ends the pass as `.failed`.
    func draw(_ contents: Contents, into context: Context, placed placement: ContentsPlacement) throws
}

/// Where and how finished contents are drawn into a larger picture.
public struct ContentsPlacement: Equatable, Sendable {
    /// A rectangle outside of which nothing is drawn.
    public struct Clip: Equatable, Sendable {
        /// What stays visible, in points of its own coordinates. Empty or not finite, it hides everything.
        public var rect: Rect
        /// The radius of its corners, in points of its own coordinates; cut at half the shorter side, and NaN
        /// and negative read as 0.
        public var cornerRadius: Double
        /// From its own coordinates to the context's points.
        public var transform: LayerTransform

        /// Makes a clip; by default an upright rectangle in the context's points.
        public init(_ rect: Rect, cornerRadius: Double = 0, transform: LayerTransform = .identity) {
            self.rect = rect
            self.cornerRadius = cornerRadius
            self.transform = transform
        }
    }

    /// From the contents' points, which begin at their top left corner, to the context's points.
    public var transform: LayerTransform
    /// From 0, invisible, to 1; clamped, and NaN reads as 0.
    public var opacity: Double
    /// Only what lies in all of these is drawn.
    public var clips: [Clip]

    /// Makes a placement; by default at the context's origin, fully opaque and not clipped.
    public init(transform: LayerTransform = .identity, opacity: Double = 1, clips: [Clip] = []) {
        self.transform = transform
        self.opacity = opacity
        self.clips = clips
    }
}
