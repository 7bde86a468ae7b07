import AsyncLayers

/// A rectangle with round corners that was turned or skewed, in pixels.
///
/// Its outline is a convex polygon, and the covered share of a pixel is that polygon's exact area in it,
/// found side by side: what lies right of the left sides, less what lies right of the right sides. Each pixel
/// is found from its own place, not from its neighbour, so that clips and tiles do not change it.
struct ConvexShape {
    /// A side that is not level, from its upper to its lower end.
    private struct Side {
        var topX: Double
        var topY: Double
        var bottomX: Double
        var bottomY: Double

        /// The piece of the side that lies between two heights.
        func cut(top: Double, bottom: Double) -> Side {
            let slope = (bottomX - topX) / (bottomY - topY)
            let (minX, maxX) = (min(topX, bottomX), max(topX, bottomX))
            func x(at y: Double) -> Double { min(max(topX + (y - topY) * slope, minX), maxX) }
            return Side(
                topX: top > topY ? x(at: top) : topX, topY: max(top, topY),
                bottomX: bottom < bottomY ? x(at: bottom) : bottomX, bottomY: min(bottom, bottomY))
        }

        /// The area right of the side and left of a pixel's right edge, but within the pixel.
        func area(rightWithin column: Int) -> Double {
            let height = bottomY - topY
            guard height > 0 else { return 0 }
            let near = Double(column + 1) - max(topX, bottomX)
            let far = Double(column + 1) - min(topX, bottomX)
            if near >= 1 { return height }
            if far <= 0 { return 0 }
            guard far - near > 1e-6 else { return height * min(max((near + far) / 2, 0), 1) }
            return height * (Self.integral(far) - Self.integral(near)) / (far - near)
        }

        /// The integral from minus infinity of a number cut to 0…1.
        private static func integral(_ end: Double) -> Double {
            if end <= 0 { return 0 }
            return end < 1 ? end * end / 2 : end - 0.5
        }
    }

    /// Outlines are cut off this far from the origin, in pixels, twice as far as any picture reaches.
    private static let horizon = Double(ContextDescription.wholeExtentLimit) * 2

    /// From the top to the bottom.
    private let left: [Side]
    /// From the top to the bottom.
    private let right: [Side]
    private let minY: Double
    private let maxY: Double
    /// Every pixel that the shape touches.
    let bounds: PixelRect

    /// A rectangle under a transform to pixels; nil where nothing is to be seen.
    init?(_ rect: Rect, cornerRadius: Double, toPixels transform: LayerTransform) {
        let edges = [rect.minX, rect.minY, rect.maxX, rect.maxY]
        guard edges.allSatisfy(\.isFinite), edges[0] < edges[2], edges[1] < edges[3] else { return nil }
        let outline = Outline.points(of: rect, cornerRadius: cornerRadius, transform: transform)
        guard outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let polygon = Outline.cut(outline, toSquareOf: Self.horizon)
        guard polygon.count > 2 else { return nil }

        var (falling, rising): ([Side], [Side]) = ([], [])
        var start = polygon[polygon.count - 1]
        for end in polygon {
            if start.y < end.y {
                falling.append(Side(topX: start.x, topY: start.y, bottomX: end.x, bottomY: end.y))
            } else if start.y > end.y {
                rising.append(Side(topX: end.x, topY: end.y, bottomX: start.x, bottomY: start.y))
            }
            start = end
        }
        falling.sort { $0.topY < $1.topY }
        rising.sort { $0.topY < $1.topY }
        // The points go around clockwise, unless the transform mirrors: then what falls is at the left.
        let isMirrored = transform.a * transform.d < transform.b * transform.c
        (left, right) = isMirrored ? (falling, rising) : (rising, falling)

        let (columns, rows) = (polygon.map(\.x), polygon.map(\.y))
        (minY, maxY) = (rows.min()!, rows.max()!)
        bounds = .covering(minX: columns.min()!, minY: minY, maxX: columns.max()!, maxY: maxY)
        guard minY < maxY else { return nil }
    }

    /// Writes the coverage of one row's pixels.
    ///
    /// - Parameters:
    ///   - columns: the columns that are of interest.
    ///   - coverage: indexed by column; written for the returned columns only.
    func cover(row: Int, columns: Range<Int>, into coverage: UnsafeMutablePointer<UInt8>) -> RowSpan {
        let top = max(minY, Double(row))
        let bottom = min(maxY, Double(row + 1))
        guard top < bottom, let leftEnds = Self.extent(of: left, top: top, bottom: bottom),
            let rightEnds = Self.extent(of: right, top: top, bottom: bottom)
        else { return .empty }
        let start = max(columns.lowerBound, Int(leftEnds.minX.rounded(.down)))
        let end = min(columns.upperBound, Int(rightEnds.maxX.rounded(.up)))
        guard start < end else { return .empty }
        var innerStart = min(max(start, Int(leftEnds.maxX.rounded(.up))), end)
        let innerEnd = max(innerStart, min(end, Int(rightEnds.minX.rounded(.down))))
        if leftEnds.maxX > rightEnds.minX { innerStart = innerEnd }

        func share(of column: Int) -> UInt8 {
            var area = 0.0
            for side in left[leftEnds.sides] {
                area += side.cut(top: top, bottom: bottom).area(rightWithin: column)
            }
            for side in right[rightEnds.sides] {
                area -= side.cut(top: top, bottom: bottom).area(rightWithin: column)
            }
            return Blending.byte(area)
        }
        for column in start..<innerStart { coverage[column] = share(of: column) }
        let inner = Blending.byte(bottom - top)
        (coverage + innerStart).update(repeating: inner, count: innerEnd - innerStart)
        for column in innerEnd..<end { coverage[column] = share(of: column) }
        return RowSpan(columns: start..<end, solid: innerStart..<(inner == 255 ? innerEnd : innerStart))
    }

    /// The sides that are met between two heights, and how far to both sides they lie there.
    private static func extent(
        of sides: [Side], top: Double, bottom: Double
    ) -> (minX: Double, maxX: Double, sides: Range<Int>)? {
        var (low, high) = (0, sides.count)
        while low < high {
            let middle = (low + high) / 2
            if sides[middle].bottomY <= top { low = middle + 1 } else { high = middle }
        }
        var (minX, maxX) = (Double.infinity, -Double.infinity)
        var last = low
        while last < sides.count, sides[last].topY < bottom {
            let side = sides[last].cut(top: top, bottom: bottom)
            minX = min(minX, side.topX, side.bottomX)
            maxX = max(maxX, side.topX, side.bottomX)
            last += 1
        }
        return low < last ? (minX, maxX, low..<last) : nil
    }
}

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
    /// that computing with its numbers does not overflow.
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
