/// A place in a layer's coordinates, in points; the origin is at the top left and `y` grows downwards.
public struct Point: Hashable, Sendable {
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
}

/// A width and a height, in points. Not validated; a layer checks it before it takes memory.
public struct Size: Hashable, Sendable {
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
}

/// An axis-parallel rectangle, in points.
public struct Rect: Hashable, Sendable {
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

    /// Whether both overlap by more than an edge.
    func touches(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// What lies in both; of a negative size if they are apart.
    func intersection(_ other: Rect) -> Rect {
        Rect(
            from: Point(x: max(minX, other.minX), y: max(minY, other.minY)),
            to: Point(x: min(maxX, other.maxX), y: min(maxY, other.maxY)))
    }

    /// The rectangle with more at each side.
    func widened(by margin: Double) -> Rect {
        Rect(
            from: Point(x: minX - margin, y: minY - margin), to: Point(x: maxX + margin, y: maxY + margin))
    }

    /// The smallest rectangle around both.
    func union(_ other: Rect) -> Rect {
        Rect(
            from: Point(x: min(minX, other.minX), y: min(minY, other.minY)),
            to: Point(x: max(maxX, other.maxX), y: max(maxY, other.maxY)))
    }

    private init(from start: Point, to end: Point) {
        self.init(origin: start, size: Size(width: end.x - start.x, height: end.y - start.y))
    }
}

/// The size and scale that the picture on show was drawn for, which may differ from the layer's.
public struct ContentsGeometry: Hashable, Sendable {
    /// The layer's size when the picture was requested, in points.
    public var size: Size

    /// The picture's pixels per point: less than the layer's for a draft.
    public var scale: Double

    /// Describes a picture.
    public init(size: Size, scale: Double) {
        self.size = size
        self.scale = scale
    }

    /// How a picture lies in bounds of another size.
    public enum Fit: Hashable, Sendable {
        /// It fills the bounds.
        case stretched
        /// It keeps its size; 0 is left or top, 0.5 the middle, 1 right or bottom.
        case pinned(x: Double, y: Double)
    }

    /// Where to show the picture while the layer has new bounds and the next picture is not ready.
    ///
    /// Not finite if the bounds or the fit are not; show nothing then. A pinned picture may reach beyond the
    /// bounds: clip it.
    public func frame(in bounds: Rect, _ fit: Fit = .stretched) -> Rect {
        switch fit {
        case .stretched: bounds
        case .pinned(let x, let y):
            Rect(
                x: bounds.origin.x + (bounds.size.width - size.width) * x,
                y: bounds.origin.y + (bounds.size.height - size.height) * y, width: size.width,
                height: size.height)
        }
    }
}
