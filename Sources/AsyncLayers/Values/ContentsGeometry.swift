/// The size and scale that the picture on show was drawn for, which may differ from the layer's.
public struct ContentsGeometry: Hashable, Sendable, CustomStringConvertible {
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
    public enum Fit: Hashable, Sendable {
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

extension ContentsGeometry {
    /// A piece of a picture, and where it is shown.
    public struct Slice: Hashable, Sendable {
        /// The piece, in points from the picture's top left. Multiplied by ``ContentsGeometry/scale``: in its
        /// pixels.
        public var source: Rect
        /// Where the piece is shown, in the coordinates of the bounds.
        public var destination: Rect
    }

    /// Where to show the pieces of a picture whose edges keep their size while the middle is stretched: for
    /// frames, bubbles and whole views with bars at their sides. O(1).
    ///
    /// The pieces cover the bounds, side by side and row by row: at most nine, since a piece without area is
    /// left out. With insets of whole pixels, each corner is shown pixel for pixel.
    ///
    /// - Parameters:
    ///   - bounds: what is covered. If they or the picture are empty or not finite, there are no pieces.
    ///   - insets: how far the fixed edges reach into the picture, in points; negative and NaN read as 0. If
    ///     two opposite ones leave no middle, both are cut in proportion, and these edges are stretched.
    ///
    /// In bounds that are smaller than two opposite edges, all edges shrink by the factor that lets these
    /// fit, and no middle is shown between them. (CSS has this rule for `border-image`.)
    public func slices(in bounds: Rect, fixing insets: EdgeInsets) -> [Slice] {
        let numbers = [
            size.width, size.height, bounds.minX, bounds.minY, bounds.size.width, bounds.size.height,
        ]
        guard numbers.allSatisfy(\.isFinite), !bounds.isEmpty, size.width > 0, size.height > 0 else {
            return []
        }
        let columns = SlicedAxis(size.width, insets.left, insets.right, in: bounds.size.width)
        let rows = SlicedAxis(size.height, insets.top, insets.bottom, in: bounds.size.height)
        // The same for both axes, so that corners keep their shape.
        let factor = min(1, columns.largestFactor, rows.largestFactor)
        let (xs, ys) = (columns.pieces(shrunkBy: factor), rows.pieces(shrunkBy: factor))
        return ys.flatMap { y in
            xs.map { x in
                Slice(
                    source: Rect(
                        x: x.source.start, y: y.source.start, width: x.source.length,
                        height: y.source.length),
                    destination: Rect(
                        x: bounds.minX + x.destination.start, y: bounds.minY + y.destination.start,
                        width: x.destination.length, height: y.destination.length))
            }
        }
    }
}

/// The columns, or the rows, of a picture's pieces, from left or top.
private struct SlicedAxis {
    typealias Span = (start: Double, length: Double)

    private let length: Double
    private let bounds: Double
    private let first: Double
    private let last: Double
    /// False if the edges are all of the picture.
    private let hasMiddle: Bool
    /// The factor by which the edges alone would cover the bounds; infinite without edges.
    private let fillingFactor: Double

    init(_ length: Double, _ first: Double, _ last: Double, in bounds: Double) {
        func cut(_ inset: Double) -> Double { inset > 0 ? min(inset, length) : 0 }
        let (first, last) = (cut(first), cut(last))
        hasMiddle = first + last < length
        let excess = hasMiddle ? 1 : (first + last) / length
        (self.length, self.bounds, self.first, self.last) = (length, bounds, first / excess, last / excess)
        fillingFactor = bounds / (self.first + self.last)
    }

    /// How large the edges may be, as a factor.
    var largestFactor: Double { hasMiddle ? fillingFactor : .infinity }

    func pieces(shrunkBy factor: Double) -> [(source: Span, destination: Span)] {
        let factor = hasMiddle ? factor : fillingFactor
        let start = first * factor
        let end = hasMiddle && factor < fillingFactor ? bounds - last * factor : start
        let pieces: [(source: Span, destination: Span)] = [
            ((0, first), (0, start)),
            ((first, length - last - first), (start, end - start)),
            ((length - last, last), (end, bounds - end)),
        ]
        return pieces.filter { $0.source.length > 0 && $0.destination.length > 0 }
    }
}
