import AsyncLayers

/// A shape that covers pixels row by row: every clip is one.
enum CoverageShape {
    /// Upright.
    case rounded(RoundedShape)
    /// Turned or skewed.
    case convex(ConvexShape)

    /// A rectangle under a transform to pixels; nil where nothing is to be seen.
    init?(_ rect: Rect, cornerRadius: Double = 0, toPixels transform: LayerTransform) {
        guard transform.inverted() != nil else { return nil }
        guard
            let shape = transform.keepsAxes
                ? RoundedShape(rect, cornerRadius: cornerRadius, toPixels: transform).map(Self.rounded)
                : ConvexShape(rect, cornerRadius: cornerRadius, toPixels: transform).map(Self.convex)
        else { return nil }
        self = shape
    }

    /// Every pixel that the shape touches.
    var bounds: PixelRect {
        switch self {
        case .rounded(let shape): shape.bounds
        case .convex(let shape): shape.bounds
        }
    }

    /// True when the shape is exactly its ``bounds``.
    var isPixelAligned: Bool {
        switch self {
        case .rounded(let shape): shape.isPixelAligned
        case .convex: false
        }
    }

    /// True only if all of these pixels lie inside, found by a look that is much cheaper than their coverage.
    func contains(row: Int, columns: Range<Int>) -> Bool {
        switch self {
        case .rounded(let shape): shape.contains(row: row, columns: columns)
        case .convex: false
        }
    }

    /// Writes the coverage of one row's pixels; see ``RoundedShape/cover(row:columns:into:)``.
    func cover(row: Int, columns: Range<Int>, into coverage: UnsafeMutablePointer<UInt8>) -> RowSpan {
        switch self {
        case .rounded(let shape): shape.cover(row: row, columns: columns, into: coverage)
        case .convex(let shape): shape.cover(row: row, columns: columns, into: coverage)
        }
    }
}
