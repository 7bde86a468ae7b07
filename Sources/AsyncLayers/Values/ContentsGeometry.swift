/// The size and scale that the picture on show was drawn for, which may differ from the layer's.
public struct ContentsGeometry: Equatable, Sendable, CustomStringConvertible {
    /// The layer's size when the picture was requested, in points.
    public var size: Size

    /// The picture's pixels per point: less than the layer's for a draft.
    public var scale: Double

    /// Describes a picture.
    public init(size: Size, scale: Double) {
        self.size = size
        self.scale = scale
    }

    /// The size and the scale, such as "320.0 × 44.0 at scale 2.0".
    public var description: String { "\(size) at scale \(scale)" }

    /// How a picture lies in bounds of another size. Where it does not fill them, 0 is left or top, 0.5 the
    /// middle, 1 right or bottom.
    public enum Fit: Equatable, Sendable {
        /// It fills the bounds.
        case stretched
        /// It keeps its size.
        case pinned(x: Double, y: Double)
        /// It keeps its shape, as large as it can be within the bounds.
        case aspectFit(x: Double = 0.5, y: Double = 0.5)
        /// It keeps its shape, as small as it can be around the bounds.
        case aspectFill(x: Double = 0.5, y: Double = 0.5)
    }

    /// Where to show the picture while the layer has new bounds and the next picture is not ready. O(1).
    ///
    /// Not finite if the bounds or the fit are not; show nothing then. A picture that is pinned, or that
    /// fills the bounds in its own shape, may reach beyond them: clip it. A picture without area, and one
    /// that keeps its shape in bounds without area, is shown without area.
    public func frame(in bounds: Rect, _ fit: Fit = .stretched) -> Rect {
        func place(_ factor: Double, _ x: Double, _ y: Double) -> Rect {
            let size = size * factor
            return Rect(
                x: bounds.origin.x + (bounds.size.width - size.width) * x,
                y: bounds.origin.y + (bounds.size.height - size.height) * y, width: size.width,
                height: size.height)
        }
        func factor(_ choose: (Double, Double) -> Double) -> Double {
            guard size.width > 0, size.height > 0 else { return 0 }
            return max(0, choose(bounds.size.width / size.width, bounds.size.height / size.height))
        }
        return switch fit {
        case .stretched: bounds
        case .pinned(let x, let y): place(1, x, y)
        case .aspectFit(let x, let y): place(factor(min), x, y)
        case .aspectFill(let x, let y): place(factor(max), x, y)
        }
    }
}
