/// The part of a picture within some clips: a convex polygon, in pixels.
///
/// It decides what need not be drawn, so it may be too large but never too small. Two shapes that do not meet
/// may both cover a pixel in part, and the product of the two is visible: so each shape counts with all
/// pixels that it touches. Round corners are not cut off.
struct VisibleRegion: Sendable {
    private var points: [Point]

    /// An upright rectangle.
    init(_ rect: Rect) {
        points = Self.corners(of: rect, under: .identity)
    }

    /// Less than a millionth of a pixel: shapes that touch the same pixel have more in common.
    var isEmpty: Bool {
        guard let origin = points.first else { return true }
        var twiceTheArea = 0.0
        for (point, next) in zip(points, points.dropFirst()) {
            twiceTheArea +=
                (point.x - origin.x) * (next.y - origin.y) - (next.x - origin.x) * (point.y - origin.y)
        }
        return !(abs(twiceTheArea) > 2e-6)
    }

    /// The pixels around it, if it is not empty.
    var bounds: Rect {
        var (minX, minY, maxX, maxY) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points {
            (minX, minY) = (min(minX, point.x), min(minY, point.y))
            (maxX, maxY) = (max(maxX, point.x), max(maxY, point.y))
        }
        let (left, top) = (minX.rounded(.down), minY.rounded(.down))
        return Rect(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
    }

    /// The part in a transformed rectangle, cut along each of its sides (the algorithm of Sutherland and
    /// Hodgman, 1974).
    func intersection(with rect: Rect, under transform: LayerTransform) -> VisibleRegion {
        var region = self
        let corners = Self.corners(of: rect, under: transform)
        guard rect.size.width > 0, rect.size.height > 0,
            corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
        else {
            region.points = []
            return region
        }
        let isMirrored = transform.a * transform.d < transform.b * transform.c
        let clockwise = isMirrored ? corners.reversed() : corners
        for (start, end) in zip(clockwise, clockwise.dropFirst() + clockwise.prefix(1)) {
            region.cut(from: start, to: end)
        }
        return region
    }

    /// Keeps what lies at the right of a line, seen along it, where `y` grows downwards, and the centres of
    /// the pixels that it cuts: those lie less than half the extents of a pixel away, and a little is added
    /// so that more than the centre alone is kept.
    private mutating func cut(from start: Point, to end: Point) {
        let (x, y) = (end.x - start.x, end.y - start.y)
        let margin = 0.51 * (abs(x) + abs(y))
        cut { x * ($0.y - start.y) - y * ($0.x - start.x) + margin }
    }

    /// Keeps what has a depth of zero or more. Numbers so large that the depth is NaN count as inside.
    private mutating func cut(_ depth: (Point) -> Double) {
        guard var previous = points.last else { return }
        var kept: [Point] = []
        for point in points {
            let (before, here) = (depth(previous), depth(point))
            if before * here < 0 {
                let share = before / (before - here)
                kept.append(
                    Point(
                        x: previous.x + (point.x - previous.x) * share,
                        y: previous.y + (point.y - previous.y) * share))
            }
            if !(here < 0) { kept.append(point) }
            previous = point
        }
        points = kept
    }

    /// Clockwise, unless the transform mirrors.
    private static func corners(of rect: Rect, under transform: LayerTransform) -> [Point] {
        [
            Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY),
            Point(x: rect.maxX, y: rect.maxY), Point(x: rect.minX, y: rect.maxY),
        ].map(transform.apply)
    }
}
