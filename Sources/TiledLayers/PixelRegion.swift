import AsyncLayers

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
