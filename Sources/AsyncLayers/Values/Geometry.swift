/// A place in a layer's coordinates, in points; the origin is at the top left and `y` grows downwards.
public struct Point: Hashable, Sendable, CustomStringConvertible {
    /// Distance from the left edge, in points.
    public var x: Double
    /// Distance from the top edge, in points.
    public var y: Double

    /// Makes a point from its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)

    /// The place that lies at a distance from another one.
    public static func + (place: Point, distance: Point) -> Point {
        Point(x: place.x + distance.x, y: place.y + distance.y)
    }

    /// The distance to the first place from the second one.
    public static func - (end: Point, start: Point) -> Point {
        Point(x: end.x - start.x, y: end.y - start.y)
    }

    /// A distance or a place, scaled about the origin: by a layer's scale, from points to pixels.
    public static func * (point: Point, factor: Double) -> Point {
        Point(x: point.x * factor, y: point.y * factor)
    }

    /// The coordinates, such as "(1.0, 2.5)".
    public var description: String { "(\(x), \(y))" }
}

/// A width and a height, in points. Not validated; a layer checks it before it takes memory.
public struct Size: Hashable, Sendable, CustomStringConvertible {
    /// The width, in points.
    public var width: Double
    /// The height, in points.
    public var height: Double

    /// Makes a size from its extents.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// No extent at all.
    public static let zero = Size(width: 0, height: 0)

    /// Both extents, multiplied: by a layer's scale, from points to pixels.
    public static func * (size: Size, factor: Double) -> Size {
        Size(width: size.width * factor, height: size.height * factor)
    }

    /// The extents, such as "320.0 × 44.0".
    public var description: String { "\(width) × \(height)" }
}

/// An axis-parallel rectangle, in points: the points from its left and top edges up to, and without, its
/// right and bottom ones. So rectangles side by side have no point in common.
///
/// All operations are O(1), and none traps. Edges are sums of floating-point numbers, with their rounding:
/// whole numbers are exact, and what is computed from others may differ in the last bits.
///
/// **Empty, NaN, infinite.** A rectangle without a point is empty (``isEmpty``): one whose width or height is
/// not above zero, and one with a NaN. An empty rectangle takes part in nothing: it contains no point,
/// intersects nothing, lies within every rectangle, and adds nothing to a union. An infinite width or height
/// reaches to the right or downwards without end. A rectangle that begins at minus infinity is empty, since
/// it has no place: for one that covers everything, choose large finite numbers.
public struct Rect: Hashable, Sendable, CustomStringConvertible {
    /// The corner with the smallest coordinates.
    public var origin: Point
    /// The extent to the right and downwards.
    public var size: Size

    /// Makes a rectangle from its origin and its size.
    public init(origin: Point = .zero, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Makes a rectangle from four numbers.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// Makes the rectangle between two opposite corners, in any order.
    public init(from corner: Point, to opposite: Point) {
        self.init(
            x: min(corner.x, opposite.x), y: min(corner.y, opposite.y), width: abs(opposite.x - corner.x),
            height: abs(opposite.y - corner.y))
    }

    /// Makes the rectangle of a size around a point.
    public init(center: Point, size: Size) {
        self.init(origin: center - Point(x: size.width, y: size.height) * 0.5, size: size)
    }

    /// The rectangle at the origin with no extent.
    public static let zero = Rect(size: .zero)

    /// The smallest horizontal coordinate.
    public var minX: Double { origin.x }
    /// The smallest vertical coordinate.
    public var minY: Double { origin.y }
    /// The largest horizontal coordinate.
    public var maxX: Double { origin.x + size.width }
    /// The largest vertical coordinate.
    public var maxY: Double { origin.y + size.height }
    /// The horizontal coordinate of the middle.
    public var midX: Double { origin.x + size.width / 2 }
    /// The vertical coordinate of the middle.
    public var midY: Double { origin.y + size.height / 2 }
    /// The middle.
    public var center: Point { Point(x: midX, y: midY) }

    /// True if no point lies in it.
    public var isEmpty: Bool { !(minX < maxX && minY < maxY) }

    /// Whether a point lies in it: those on the left and top edges do, those on the right and bottom edges do
    /// not.
    public func contains(_ point: Point) -> Bool {
        minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY
    }

    /// Whether another rectangle lies in it wholly. True for an empty one.
    public func contains(_ other: Rect) -> Bool {
        other.isEmpty || minX <= other.minX && other.maxX <= maxX && minY <= other.minY && other.maxY <= maxY
    }

    /// Whether a point lies in both. False for rectangles whose edges touch.
    public func intersects(_ other: Rect) -> Bool {
        // An empty one can lie between the edges of the other.
        !isEmpty && !other.isEmpty && minX < other.maxX && other.minX < maxX && minY < other.maxY
            && other.minY < maxY
    }

    /// The points that lie in both; nil if there are none.
    public func intersection(_ other: Rect) -> Rect? {
        guard intersects(other) else { return nil }
        return Rect(
            from: Point(x: max(minX, other.minX), y: max(minY, other.minY)),
            to: Point(x: min(maxX, other.maxX), y: min(maxY, other.maxY)))
    }

    /// The smallest rectangle around both: of damage that accumulates, beginning with ``zero``. An empty one
    /// adds nothing.
    public func union(_ other: Rect) -> Rect {
        if other.isEmpty { return self }
        if isEmpty { return other }
        return Rect(
            from: Point(x: min(minX, other.minX), y: min(minY, other.minY)),
            to: Point(x: max(maxX, other.maxX), y: max(maxY, other.maxY)))
    }

    /// The rectangle with each edge moved inwards by its inset, or outwards by a negative one. If edges would
    /// cross, the result is empty, in the middle between them.
    public func inset(by insets: EdgeInsets) -> Rect {
        func extent(_ start: Double, _ end: Double) -> (start: Double, length: Double) {
            end < start ? (start + (end - start) / 2, 0) : (start, end - start)
        }
        let (x, width) = extent(minX + insets.left, maxX - insets.right)
        let (y, height) = extent(minY + insets.top, maxY - insets.bottom)
        return Rect(x: x, y: y, width: width, height: height)
    }

    /// The rectangle with all edges moved inwards, or outwards by a negative distance, in points.
    public func inset(by distance: Double) -> Rect { inset(by: EdgeInsets(distance)) }

    /// The rectangle at another place: its origin moved by a distance.
    public func moved(by distance: Point) -> Rect { Rect(origin: origin + distance, size: size) }

    /// The smallest rectangle around it whose edges are whole numbers; an empty one itself.
    ///
    /// `(damage * layer.contentsScale).integral` is the smallest rectangle of pixels around damage in points.
    public var integral: Rect {
        guard !isEmpty else { return self }
        return Rect(
            from: Point(x: minX.rounded(.down), y: minY.rounded(.down)),
            to: Point(x: maxX.rounded(.up), y: maxY.rounded(.up)))
    }

    /// Origin and size, multiplied: by a layer's scale, from points to pixels.
    public static func * (rect: Rect, factor: Double) -> Rect {
        Rect(origin: rect.origin * factor, size: rect.size * factor)
    }

    /// The origin and the size, such as "(1.0, 2.5), 320.0 × 44.0".
    public var description: String { "\(origin), \(size)" }
}

/// Distances from the edges of a rectangle inwards, in points.
public struct EdgeInsets: Hashable, Sendable, CustomStringConvertible {
    /// From the top edge downwards, in points.
    public var top: Double
    /// From the left edge to the right, in points.
    public var left: Double
    /// From the bottom edge upwards, in points.
    public var bottom: Double
    /// From the right edge to the left, in points.
    public var right: Double

    /// Makes insets from four distances; by default none.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Makes insets of the same distance from all edges.
    public init(_ distance: Double) {
        self.init(top: distance, left: distance, bottom: distance, right: distance)
    }

    /// The distances, such as "top 1.0, left 2.0, bottom 0.0, right 2.0".
    public var description: String { "top \(top), left \(left), bottom \(bottom), right \(right)" }
}
