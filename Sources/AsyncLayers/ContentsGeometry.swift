/// How large the picture on show is: what it was drawn for, which may be another size or scale than the layer has now.
public struct ContentsGeometry: Hashable, Sendable {
    /// The layer's size when the picture was asked for, in points.
    public var size: Size

    /// The picture's pixels per point: less than the layer's for a draft.
    public var scale: Double

    /// Describes a picture.
    public init(size: Size, scale: Double) {
        self.size = size
        self.scale = scale
    }

    /// How a picture lies in bounds of another size.
    public enum Fit: Hashable, Sendable {
        /// It fills the bounds.
        case stretched
        /// It keeps its size; 0 is left or top, 0.5 the middle, 1 right or bottom.
        case pinned(x: Double, y: Double)
    }

    /// Where to show the picture while the layer has new bounds and the next picture is not there yet.
    ///
    /// Of bounds or fits that are not finite comes a frame that is not finite; show nothing then. A pinned picture may
    /// reach beyond the bounds: clip to them.
    public func frame(in bounds: Rect, _ fit: Fit = .stretched) -> Rect {
        switch fit {
        case .stretched: bounds
        case .pinned(let x, let y):
            Rect(
                x: bounds.origin.x + (bounds.size.width - size.width) * x,
                y: bounds.origin.y + (bounds.size.height - size.height) * y, width: size.width,
                height: size.height)
        }
    }
}
