import AsyncLayers

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
    /// The number of pixels.
    public var area: Int { width * height }
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
    var rect: Rect {
        Rect(x: Double(minX), y: Double(minY), width: Double(width), height: Double(height))
    }

    /// The same rectangle at another place.
    func moved(x: Int, y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// Such as "3…10 × 0…4", of the first and last columns and rows.
    public var description: String {
        isEmpty ? "no pixel" : "\(minX)…\(maxX - 1) × \(minY)…\(maxY - 1)"
    }
}

/// Pixels that are still to be covered, as rectangles that do not overlap.
struct PixelRegion {
    private(set) var rects: [PixelRect]

    init(_ rect: PixelRect) { rects = rect.isEmpty ? [] : [rect] }

    var isEmpty: Bool { rects.isEmpty }

    var area: Int { rects.reduce(0) { $0 + $1.area } }

    /// Takes away the pixels of a rectangle, and returns those that were there, as rectangles that do not
    /// overlap. O(rectangles): a few, if what is taken comes row by row.
    mutating func take(_ rect: PixelRect) -> [PixelRect] {
        guard rects.contains(where: { $0.intersection(rect) != nil }) else { return [] }
        var (taken, left): ([PixelRect], [PixelRect]) = ([], [])
        for piece in rects {
            guard let common = piece.intersection(rect) else {
                left.append(piece)
                continue
            }
            taken.append(common)
            // Above, beside and below. Beside it first: what comes next in the row finds one piece there.
            let around = [
                PixelRect(minX: common.maxX, minY: common.minY, maxX: piece.maxX, maxY: common.maxY),
                PixelRect(minX: piece.minX, minY: common.minY, maxX: common.minX, maxY: common.maxY),
                PixelRect(minX: piece.minX, minY: piece.minY, maxX: piece.maxX, maxY: common.minY),
                PixelRect(minX: piece.minX, minY: common.maxY, maxX: piece.maxX, maxY: piece.maxY),
            ]
            left += around.filter { !$0.isEmpty }
        }
        rects = left
        return taken
    }
}
