import AsyncLayers

/// The outline of a rectangle with round corners as a polygon.
enum Outline {
    /// The corner points of the outline, clockwise unless the transform mirrors, mapped to pixels.
    ///
    /// A round corner is cut into pieces by its size in pixels, so that the polygon stays within a hundredth
    /// of a pixel of it up to radii of two thousand pixels. It uses the rational form of the circle, which
    /// needs no sine: its points are the same with every C library.
    static func points(of rect: Rect, cornerRadius: Double, transform: LayerTransform) -> [Point] {
        let radius = cornerRadius > 0 ? min(cornerRadius, rect.size.width / 2, rect.size.height / 2) : 0
        let (minX, minY, maxX, maxY) = (rect.minX, rect.minY, rect.maxX, rect.maxY)
        guard radius > 0 else {
            return [
                Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY),
                Point(x: minX, y: maxY),
            ].map(transform.apply)
        }
        let stretch = max(abs(transform.a) + abs(transform.c), abs(transform.b) + abs(transform.d))
        let pieces = min(max((radius * stretch * 32).squareRoot().rounded(.up), 2), 256)
        // A quarter from the left to the top of the first corner; the others are its turns by a right angle.
        let quarter = stride(from: 0, through: pieces, by: 1).map { piece in
            let share = piece / pieces
            let scale = radius / (1 + share * share)
            return Point(x: (1 - share * share) * scale, y: 2 * share * scale)
        }
        let corners = [
            (Point(x: minX + radius, y: minY + radius), -1.0, 0.0),
            (Point(x: maxX - radius, y: minY + radius), 0, -1),
            (Point(x: maxX - radius, y: maxY - radius), 1, 0),
            (Point(x: minX + radius, y: maxY - radius), 0, 1),
        ]
        return corners.flatMap { center, cosine, sine in
            quarter.map { point in
                transform.apply(
                    to: Point(
                        x: center.x + cosine * point.x - sine * point.y,
                        y: center.y + sine * point.x + cosine * point.y))
            }
        }
    }

    /// Cuts a convex polygon to a square about the origin (the algorithm of Sutherland and Hodgman, 1974), so
    /// that its numbers can be reckoned with however far it reached.
    static func cut(_ polygon: [Point], toSquareOf halfSide: Double) -> [Point] {
        guard polygon.contains(where: { abs($0.x) > halfSide || abs($0.y) > halfSide }) else {
            return polygon
        }
        var polygon = polygon
        for sign in [1.0, -1.0] {
            polygon = cut(polygon, to: halfSide, along: { $0.x * sign })
            polygon = cut(polygon, to: halfSide, along: { $0.y * sign })
        }
        // Rounding may have left a point a little outside.
        return polygon.map {
            Point(x: min(max($0.x, -halfSide), halfSide), y: min(max($0.y, -halfSide), halfSide))
        }
    }

    private static func cut(
        _ polygon: [Point], to limit: Double, along axis: (Point) -> Double
    ) -> [Point] {
        guard var start = polygon.last else { return [] }
        var result: [Point] = []
        for end in polygon {
            let (before, after) = (axis(start), axis(end))
            if (before <= limit) != (after <= limit) {
                let share = (limit - before) / (after - before)
                result.append(
                    Point(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share))
            }
            if after <= limit { result.append(end) }
            start = end
        }
        return result.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? result : []
    }
}
