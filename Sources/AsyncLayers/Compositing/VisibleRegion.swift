/// The part of a picture within some clips: a convex polygon, in pixels.
///
/// It decides what need not be drawn, so it may be too large but never too small. Two shapes that do not meet
/// may both cover a pixel in part, and the product of the two is visible: so each shape counts with all
/// pixels that it touches. Round corners are not cut off.
struct VisibleRegion: Sendable {
    /// A region with more corners counts as the pixels around it: so what lies in many turned clips costs no
    /// more than what lies in a few.
    static let maximumCornerCount = 32

    /// The pixels around it.
    private(set) var bounds: Rect
    /// Clockwise; none if the region is its bounds.
    private var points: [Point] = []

    var cornerCount: Int { points.count }

    /// An upright rectangle of whole pixels.
    init(_ bounds: Rect) { self.bounds = bounds }

    /// The pixels around the part in a transformed rectangle; nil for none. O(1).
    ///
    /// - Parameter transform: to pixels.
    func pixels(in rect: Rect, under transform: LayerTransform) -> Rect? {
        guard let touched = transform.pixels(touchedBy: rect), let common = bounds.intersection(touched)
        else { return nil }
        // If nothing cuts the shape but upright rectangles, they say it all.
        if transform.isUpright || common == touched, contains(common) { return common }
        return intersection(with: rect, under: transform)?.bounds
    }

    /// The part in a transformed rectangle, cut along each of its sides (the algorithm of Sutherland and
    /// Hodgman, 1974); nil for none. O(1).
    ///
    /// - Parameter transform: to pixels.
    func intersection(with rect: Rect, under transform: LayerTransform) -> VisibleRegion? {
        guard let touched = transform.pixels(touchedBy: rect), let common = bounds.intersection(touched)
        else { return nil }
        var region = VisibleRegion(common)
        if contains(common) {
            if transform.isUpright { return region }
            region.points = Self.corners(of: common, under: .identity)
        } else {
            region.points = points
            region.cut { $0.x - common.minX }
            region.cut { common.maxX - $0.x }
            region.cut { $0.y - common.minY }
            region.cut { common.maxY - $0.y }
        }
        if !transform.isUpright {
            let corners = Self.corners(of: rect, under: transform)
            let isMirrored = transform.a * transform.d < transform.b * transform.c
            let clockwise = isMirrored ? corners.reversed() : corners
            for (start, end) in zip(clockwise, clockwise.dropFirst() + clockwise.prefix(1)) {
                region.cut(from: start, to: end)
            }
        }
        guard region.hasArea, let bounds = common.intersection(region.boundsOfPoints) else { return nil }
        region.bounds = bounds
        if region.points.count > Self.maximumCornerCount { region.points = [] }
        return region
    }

    /// Whether some pixels within the bounds lie in the region.
    private func contains(_ pixels: Rect) -> Bool {
        guard var start = points.last else { return true }
        let corners = Self.corners(of: pixels, under: .identity)
        for end in points {
            let (x, y) = (end.x - start.x, end.y - start.y)
            guard corners.allSatisfy({ x * ($0.y - start.y) - y * ($0.x - start.x) >= 0 }) else {
                return false
            }
            start = end
        }
        return true
    }

    /// At least a millionth of a pixel: shapes that touch the same pixel have more in common.
    private var hasArea: Bool {
        guard let origin = points.first else { return false }
        var twiceTheArea = 0.0
        for (point, next) in zip(points, points.dropFirst()) {
            twiceTheArea +=
                (point.x - origin.x) * (next.y - origin.y) - (next.x - origin.x) * (point.y - origin.y)
        }
        return abs(twiceTheArea) > 2e-6
    }

    /// The pixels around the corners, if there are any.
    private var boundsOfPoints: Rect {
        var (minX, minY, maxX, maxY) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points {
            (minX, minY) = (min(minX, point.x), min(minY, point.y))
            (maxX, maxY) = (max(maxX, point.x), max(maxY, point.y))
        }
        return Rect(
            from: Point(x: minX.rounded(.down), y: minY.rounded(.down)),
            to: Point(x: maxX.rounded(.up), y: maxY.rounded(.up)))
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

extension LayerTransform {
    /// Whether an upright rectangle stays upright.
    var isUpright: Bool { b == 0 && c == 0 || a == 0 && d == 0 }

    /// The pixels that a rectangle touches under this map from its points to pixels, or somewhat more if that
    /// turns it; nil if it is empty or not finite.
    ///
    /// Noise at an edge between two pixels does not count.
    func pixels(touchedBy rect: Rect) -> Rect? {
        let area = bounds(of: rect)
        guard rect.size.width > 0, rect.size.height > 0, area.minX.isFinite, area.minY.isFinite,
            area.maxX.isFinite, area.maxY.isFinite
        else { return nil }
        let margin = isUpright ? -1e-6 : 1
        return Rect(
            from: Point(x: (area.minX - margin).rounded(.down), y: (area.minY - margin).rounded(.down)),
            to: Point(x: (area.maxX + margin).rounded(.up), y: (area.maxY + margin).rounded(.up)))
    }
}
