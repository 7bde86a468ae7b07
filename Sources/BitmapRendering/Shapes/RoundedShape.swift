import AsyncLayers

/// A rectangle with elliptical corners, in pixels: every filled shape and every clip is one.
///
/// Coverage is found row by row. Horizontally the covered share of a pixel is exact; vertically it is exact
/// on straight rows, and a row that touches a corner is cut into sixteen slices.
struct RoundedShape {
    private typealias Slices = SIMD16<Double>

    private let minX: Double
    private let minY: Double
    private let maxX: Double
    private let maxY: Double
    private let radiusX: Double
    private let radiusY: Double

    /// A rectangle in points with round corners, moved and scaled; nil where nothing is to be seen.
    ///
    /// - Parameter cornerRadius: in points; NaN and negative read as 0, and it is cut at half the shorter
    ///   side.
    init?(_ rect: Rect, cornerRadius: Double, origin: Point, scale: Double) {
        self.init(rect, origin: origin, scale: scale) { width, height in
            let radius = cornerRadius > 0 ? min(cornerRadius * scale, width / 2, height / 2) : 0
            return (radius, radius)
        }
    }

    /// The ellipse that touches the four sides of a rectangle in points.
    init?(ellipseIn rect: Rect, origin: Point, scale: Double) {
        self.init(rect, origin: origin, scale: scale) { ($0 / 2, $1 / 2) }
    }

    /// A rectangle under a transform to pixels that leaves it upright; nil where nothing is to be seen.
    ///
    /// What lies within a millionth of a pixel of a whole one is put there: it was meant to be, and a shape
    /// between pixels takes longer to draw.
    init?(_ rect: Rect, cornerRadius: Double, toPixels transform: LayerTransform) {
        let (start, end) = (
            transform.apply(to: rect.origin), transform.apply(to: Point(x: rect.maxX, y: rect.maxY))
        )
        guard rect.minX < rect.maxX, rect.minY < rect.maxY,
            [start.x, start.y, end.x, end.y].allSatisfy(\.isFinite)
        else { return nil }
        let edges = [
            min(start.x, end.x), min(start.y, end.y), max(start.x, end.x), max(start.y, end.y),
        ].map { abs($0 - $0.rounded()) < 1e-6 ? $0.rounded() : $0 }
        guard edges[0] < edges[2], edges[1] < edges[3] else { return nil }
        minX = PixelRect.clamped(edges[0])
        minY = PixelRect.clamped(edges[1])
        maxX = PixelRect.clamped(edges[2])
        maxY = PixelRect.clamped(edges[3])
        let radius = cornerRadius > 0 ? min(cornerRadius, rect.size.width / 2, rect.size.height / 2) : 0
        // One of each pair is zero.
        radiusX = min(radius * (abs(transform.a) + abs(transform.c)), (maxX - minX) / 2)
        radiusY = min(radius * (abs(transform.b) + abs(transform.d)), (maxY - minY) / 2)
    }

    /// A rectangle of whole pixels.
    init(_ rect: PixelRect) {
        minX = Double(rect.minX)
        minY = Double(rect.minY)
        maxX = Double(rect.maxX)
        maxY = Double(rect.maxY)
        radiusX = 0
        radiusY = 0
    }

    private init?(
        _ rect: Rect, origin: Point, scale: Double,
        radii: (_ width: Double, _ height: Double) -> (Double, Double)
    ) {
        let edges = [
            (origin.x + rect.minX) * scale, (origin.y + rect.minY) * scale,
            (origin.x + rect.maxX) * scale, (origin.y + rect.maxY) * scale,
        ]
        guard edges.allSatisfy(\.isFinite), edges[0] < edges[2], edges[1] < edges[3] else { return nil }
        minX = PixelRect.clamped(edges[0])
        minY = PixelRect.clamped(edges[1])
        maxX = PixelRect.clamped(edges[2])
        maxY = PixelRect.clamped(edges[3])
        (radiusX, radiusY) = radii(maxX - minX, maxY - minY)
    }

    /// Every pixel that the shape touches.
    var bounds: PixelRect {
        .covering(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    /// True when the shape is exactly its ``bounds``.
    var isPixelAligned: Bool {
        (radiusX == 0 || radiusY == 0) && [minX, minY, maxX, maxY].allSatisfy { $0 == $0.rounded() }
    }

    /// True when all of these pixels lie inside, by a look at the straight rows only. Much cheaper than their
    /// coverage.
    func contains(row: Int, columns: Range<Int>) -> Bool {
        Double(row) >= minY + radiusY && Double(row + 1) <= maxY - radiusY
            && Double(columns.lowerBound) >= minX && Double(columns.upperBound) <= maxX
    }

    /// Writes the coverage of one row's pixels.
    ///
    /// - Parameters:
    ///   - columns: the columns that are of interest.
    ///   - coverage: indexed by column; written for the returned columns only.
    func cover(row: Int, columns: Range<Int>, into coverage: UnsafeMutablePointer<UInt8>) -> RowSpan {
        let top = max(minY, Double(row))
        let height = min(maxY, Double(row + 1)) - top
        guard height > 0 else { return .empty }
        let insets = insets(top: top, height: height)
        let leftEdges = minX + insets
        let rightEdges = maxX - insets

        let start = max(columns.lowerBound, Int(leftEdges.min().rounded(.down)))
        let end = min(columns.upperBound, Int(rightEdges.max().rounded(.up)))
        guard start < end else { return .empty }
        var innerStart = min(max(start, Int(leftEdges.max().rounded(.up))), end)
        let innerEnd = max(innerStart, min(end, Int(rightEdges.min().rounded(.down))))
        // Where the left edge of one slice lies right of the right edge of another, no pixel is plain.
        if leftEdges.max() > rightEdges.min() { innerStart = innerEnd }

        for column in start..<innerStart {
            coverage[column] = share(of: column, leftEdges, rightEdges, height)
        }
        let inner = Blending.byte(height)
        (coverage + innerStart).update(repeating: inner, count: innerEnd - innerStart)
        for column in innerEnd..<end {
            coverage[column] = share(of: column, leftEdges, rightEdges, height)
        }
        return RowSpan(columns: start..<end, solid: innerStart..<(inner == 255 ? innerEnd : innerStart))
    }

    private func share(
        of column: Int, _ leftEdges: Slices, _ rightEdges: Slices, _ height: Double
    ) -> UInt8 {
        let left = pointwiseMax(leftEdges, Slices(repeating: Double(column)))
        let right = pointwiseMin(rightEdges, Slices(repeating: Double(column + 1)))
        return Blending.byte(pointwiseMax(right - left, .zero).sum() / 16 * height)
    }

    /// How far the shape's edge stands back from its rectangle in each of the sixteen slices of a row.
    private func insets(top: Double, height: Double) -> Slices {
        guard radiusX > 0, radiusY > 0, top < minY + radiusY || top + height > maxY - radiusY else {
            return .zero
        }
        let ordinals = Slices(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        let middles = top + height / 16 * (ordinals + 0.5)
        let depths = pointwiseMax(pointwiseMax(minY + radiusY - middles, middles - (maxY - radiusY)), .zero)
        let sines = depths / radiusY
        return radiusX * (1 - pointwiseMax(1 - sines * sines, .zero).squareRoot())
    }
}
