import AsyncLayers

/// A straight piece of a line, in pixels.
struct Segment {
    var startX: Double
    var startY: Double
    var endX: Double
    var endY: Double

    init(from start: Point, to end: Point) {
        (startX, startY) = (start.x, start.y)
        (endX, endY) = (end.x, end.y)
    }

    var isFinite: Bool { startX.isFinite && startY.isFinite && endX.isFinite && endY.isFinite }
}

/// A round pen, which covers pixels by their distance from the segment that it is drawn along.
///
/// A pixel's coverage falls from one to zero over one pixel across the edge. Summed over pixels this gives
/// the line's exact area where it runs along the grid, and very nearly so elsewhere.
struct Pen {
    private let radius: Double
    /// Below one for a line thinner than a pixel, which is drawn a pixel wide.
    private let strength: Double
    /// No pixel is touched whose centre is further away.
    private let reach: Double

    /// - Parameter radius: half the width, in pixels, above zero.
    init(radius: Double) {
        self.radius = max(radius, 0.5)
        strength = min(2 * radius, 1)
        reach = self.radius + 0.5
    }

    /// Every pixel that may be touched; empty for no segments.
    func bounds(of segments: [Segment]) -> PixelRect {
        var (minX, minY) = (Double.infinity, Double.infinity)
        var (maxX, maxY) = (-Double.infinity, -Double.infinity)
        for segment in segments {
            minX = min(minX, segment.startX, segment.endX)
            minY = min(minY, segment.startY, segment.endY)
            maxX = max(maxX, segment.startX, segment.endX)
            maxY = max(maxY, segment.startY, segment.endY)
        }
        return .covering(minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach)
    }

    /// Raises the coverage of the pixels in a band of rows to what a segment gives them.
    ///
    /// In each row only the columns near the segment are looked at, so that a long diagonal costs its own
    /// area and not that of its bounding box.
    func cover(_ segment: Segment, in band: PixelRect, _ working: borrowing WorkingMemory) {
        let (startX, startY) = (PixelRect.clamped(segment.startX), PixelRect.clamped(segment.startY))
        let (endX, endY) = (PixelRect.clamped(segment.endX), PixelRect.clamped(segment.endY))
        let (deltaX, deltaY) = (endX - startX, endY - startY)
        let squaredLength = deltaX * deltaX + deltaY * deltaY
        let inverse = squaredLength > 1e-12 ? 1 / squaredLength : 0

        let box = PixelRect.covering(
            minX: min(startX, endX) - reach, minY: min(startY, endY) - reach,
            maxX: max(startX, endX) + reach, maxY: max(startY, endY) + reach
        ).intersection(band)
        guard !box.isEmpty else { return }
        let inner = (radius - 0.5) * (radius - 0.5)
        let outer = reach * reach
        let full = Blending.byte(strength)

        for row in box.minY..<box.maxY {
            let y = Double(row) + 0.5
            var near = 0.0
            var far = 1.0
            if abs(deltaY) > 1e-6 {
                let first = (y - reach - startY) / deltaY
                let second = (y + reach - startY) / deltaY
                near = min(max(min(first, second), 0), 1)
                far = min(max(max(first, second), 0), 1)
            }
            let (nearX, farX) = (startX + near * deltaX, startX + far * deltaX)
            let first = max(box.minX, Int((min(nearX, farX) - reach).rounded(.down)))
            let last = min(box.maxX, Int((max(nearX, farX) + reach).rounded(.up)))
            guard first < last else { continue }

            let ordinal = row - band.minY
            let coverage = working.mask + (ordinal * band.width - band.minX)
            var (firstTouched, lastTouched) = (last, first)
            for column in first..<last {
                let x = Double(column) + 0.5
                let share = min(max(((x - startX) * deltaX + (y - startY) * deltaY) * inverse, 0), 1)
                let (awayX, awayY) = (x - startX - share * deltaX, y - startY - share * deltaY)
                let squared = awayX * awayX + awayY * awayY
                guard squared < outer else { continue }
                let value =
                    squared <= inner ? full : Blending.byte((reach - squared.squareRoot()) * strength)
                if value > coverage[column] { coverage[column] = value }
                firstTouched = min(firstTouched, column)
                lastTouched = column + 1
            }
            let (begin, end) = (Int32(firstTouched - band.minX), Int32(lastTouched - band.minX))
            working.firstColumns[ordinal] = min(working.firstColumns[ordinal], begin)
            working.lastColumns[ordinal] = max(working.lastColumns[ordinal], end)
        }
    }
}
