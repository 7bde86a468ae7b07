/// A rectangle of whole pixels; empty when a maximum is not above its minimum.
struct PixelRect: Equatable {
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int

    var isEmpty: Bool { minX >= maxX || minY >= maxY }
    var width: Int { maxX - minX }

    func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// The pixels that are touched by an area between finite coordinates in pixels.
    static func covering(minX: Double, minY: Double, maxX: Double, maxY: Double) -> PixelRect {
        PixelRect(
            minX: Int(clamped(minX).rounded(.down)), minY: Int(clamped(minY).rounded(.down)),
            maxX: Int(clamped(maxX).rounded(.up)), maxY: Int(clamped(maxY).rounded(.up)))
    }

    /// Cuts a coordinate at a billion pixels, far beyond any bitmap: sums of a few such numbers fit an `Int`,
    /// and a `Double` still resolves a hundredth of a thousandth of a pixel there.
    static func clamped(_ coordinate: Double) -> Double {
        min(max(coordinate, -1e9), 1e9)
    }
}

/// The columns of one row that a shape touches, and those among them that it covers fully.
struct RowSpan {
    var columns: Range<Int>
    /// Lies within `columns`; every pixel in it has the coverage 255.
    var solid: Range<Int>

    static let empty = RowSpan(columns: 0..<0, solid: 0..<0)
}
