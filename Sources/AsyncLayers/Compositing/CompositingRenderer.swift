/// A renderer that can draw its pictures into a larger one, for trees of layers.
///
/// A pipeline calls, on one thread, ``Renderer/makeContext(_:)`` for the whole; then for each layer of the
/// tree what it calls for a single one, and ``draw(_:into:placed:)`` with the result; then
/// ``Renderer/makeContents(from:)`` for the whole. A part of the tree that is translucent as one is drawn in
/// the same way into a context of its own, which begins at any pixel of the whole
/// (``ContextDescription/pixelOriginX``).
///
/// Two requirements: contents at the context's own scale that are moved by whole pixels are copied exactly,
/// apart from opacity and clips; and contents so moved over a clear context *are* the contents. So a tree is
/// the same picture whether or not a part of it has a context of its own.
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
public struct ContentsPlacement: Hashable, Sendable {
    /// A rectangle outside of which nothing is drawn.
    public struct Clip: Hashable, Sendable {
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
