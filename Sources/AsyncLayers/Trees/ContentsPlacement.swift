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
    /// From 0, which is not seen, to 1; what lies outside is clamped, and NaN reads as 0.
    public var opacity: Double
    /// Only what lies in all of them is drawn.
    public var clips: [Clip]

    /// Makes a placement; by default at the context's origin, fully opaque and not clipped.
    public init(transform: LayerTransform = .identity, opacity: Double = 1, clips: [Clip] = []) {
        self.transform = transform
        self.opacity = opacity
        self.clips = clips
    }
}
