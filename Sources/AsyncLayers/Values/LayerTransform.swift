#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An affine map from a part's coordinates to those of what it lies in, in points: moves, scales, rotates,
/// skews.
///
/// `x′ = a·x + c·y + tx` and `y′ = b·x + d·y + ty`, the numbers and their order being those of Core Graphics
/// and Cairo. What is drawn under a transform that cannot be inverted, or has numbers that are not finite, is
/// not visible.
public struct LayerTransform: Hashable, Sendable {
    /// How far `x` carries along the horizontal.
    public var a: Double
    /// How far `x` carries along the vertical.
    public var b: Double
    /// How far `y` carries along the horizontal.
    public var c: Double
    /// How far `y` carries along the vertical.
    public var d: Double
    /// The horizontal move, in points.
    public var tx: Double
    /// The vertical move, in points.
    public var ty: Double

    /// Makes a transform from its six numbers.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Leaves everything where it is.
    public static let identity = LayerTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// A move, in points.
    public static func translation(x: Double, y: Double) -> LayerTransform {
        LayerTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// A scaling about the origin; negative factors mirror.
    public static func scale(x: Double, y: Double) -> LayerTransform {
        LayerTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// A rotation about the origin, in radians: from the x axis towards the y axis, which is clockwise, since
    /// `y` grows downwards. Quarter turns are exact.
    public static func rotation(_ radians: Double) -> LayerTransform {
        // The sine of a multiple of π, which is rounded, is not zero but of the order of that rounding.
        func withoutNoise(_ value: Double) -> Double { abs(value) < 1e-15 ? 0 : value }
        let (sine, cosine) = (withoutNoise(sin(radians)), withoutNoise(cos(radians)))
        return LayerTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// This transform first, the other one after it.
    public func concatenating(_ next: LayerTransform) -> LayerTransform {
        LayerTransform(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d,
            c: c * next.a + d * next.c, d: c * next.b + d * next.d,
            tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
    }

    /// The inverse; nil if there is none in finite numbers.
    public func inverted() -> LayerTransform? {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return nil }
        let inverse = LayerTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
        return isFinite && inverse.isFinite ? inverse : nil
    }

    /// Where a point goes.
    public func apply(to point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// The smallest upright rectangle around a transformed rectangle.
    func bounds(of rect: Rect) -> Rect {
        let (left, right) = (a * rect.minX, a * rect.maxX)
        let (top, bottom) = (d * rect.minY, d * rect.maxY)
        let (up, down) = (c * rect.minY, c * rect.maxY)
        let (near, far) = (b * rect.minX, b * rect.maxX)
        return Rect(
            x: min(left, right) + min(up, down) + tx, y: min(near, far) + min(top, bottom) + ty,
            width: abs(right - left) + abs(down - up), height: abs(far - near) + abs(bottom - top))
    }

    // A product with zero is zero for finite numbers only.
    private var isFinite: Bool { (a * 0 + b * 0 + c * 0 + d * 0 + tx * 0 + ty * 0) == 0 }
}

extension LayerTransform {
    /// The translation by whole pixels that this map, from a picture's pixels to pixels, is; nil if it is
    /// another one.
    ///
    /// Places are sums and products of points and scales, whose last bits are noise: a thousandth of a pixel
    /// over the whole picture is tolerated, as in ``ContextDescription``.
    package func wholePixelMove(width: Int, height: Int) -> Point? {
        let tolerance = 1.0 / 1024
        let (width, height) = (Double(width), Double(height))
        let move = Point(x: tx.rounded(), y: ty.rounded())
        guard abs(tx - move.x) <= tolerance, abs(ty - move.y) <= tolerance, abs(a - 1) * width <= tolerance,
            abs(b) * width <= tolerance, abs(c) * height <= tolerance, abs(d - 1) * height <= tolerance
        else { return nil }
        return move
    }
}

extension LayerTransform: CustomStringConvertible {
    /// The six numbers, such as "[1.0 0.0 0.0 1.0 10.0 20.0]".
    public var description: String { "[\(a) \(b) \(c) \(d) \(tx) \(ty)]" }
}
