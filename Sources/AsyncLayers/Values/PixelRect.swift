/// A rectangle of whole pixels: the columns from `minX` up to, and without, `maxX`, and rows alike.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var minX: Int
    /// The first row.
    public var minY: Int
    /// The column after the last one.
    public var maxX: Int
    /// The row after the last one.
    public var maxY: Int

    /// Makes a rectangle from its edges; without a pixel if they are not in order.
    public init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    /// The number of columns.
    public var width: Int { max(0, maxX - minX) }
    /// The number of rows.
    public var height: Int { max(0, maxY - minY) }
    /// The number of pixels; `Int.max` if it is larger.
    public var area: Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : area
    }
    /// True if there is no pixel in it.
    public var isEmpty: Bool { maxX <= minX || maxY <= minY }

    /// The pixels that are in both; nil if there are none.
    public func intersection(_ other: PixelRect) -> PixelRect? {
        let common = PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
        return common.isEmpty ? nil : common
    }

    /// The smallest rectangle around both; an empty one adds nothing.
    public func union(_ other: PixelRect) -> PixelRect {
        if other.isEmpty { return self }
        if isEmpty { return other }
        return PixelRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// The same numbers, as a rectangle of any.
    package var rect: Rect {
        Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
    }

    /// The same rectangle at another place.
    package func moved(x: Int, y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// Such as "3…10 × 0…4", of the first and last columns and rows.
    public var description: String {
        isEmpty ? "no pixel" : "\(minX)…\(maxX - 1) × \(minY)…\(maxY - 1)"
    }
}
