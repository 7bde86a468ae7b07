/// Where and how a layer lies in the one above it.
///
/// A composed tree (``AsyncLayer/drawsSublayers``) is drawn so; a host that shows the layers' contents one by
/// one places them by it. Any numbers can be held; what is not finite or cannot be inverted is not seen.
public struct LayerPlacement: Hashable, Sendable {
    /// Where the top left corner lies in the parent's coordinates while there is no transform, in points.
    /// Default: zero.
    public var origin = Point.zero

    /// What the transform turns about, in shares of the layer's size. Default: the middle.
    public var anchor = Point(x: 0.5, y: 0.5)

    /// Turns, scales or skews the layer with all below it. Default: identity.
    public var transform = LayerTransform.identity

    /// The opacity of the layer with all below it, as one; clamped to 0…1, and NaN reads as 0. Default: 1.
    public var opacity = 1.0

    /// Cuts the layer and all below it to its bounds. Default: false.
    public var masksToBounds = false

    /// The corner radius of the bounds that the layer masks to, in points. Default: 0.
    public var cornerRadius = 0.0

    /// Layers of one parent are drawn from the smallest to the largest, equal ones in their order; NaN reads as
    /// 0. Default: 0.
    public var zPosition = 0.0

    /// Leaves the layer out, with all below it. Default: false.
    public var isHidden = false

    /// A layer at its parent's origin, with nothing special about it.
    public init() {}
}
