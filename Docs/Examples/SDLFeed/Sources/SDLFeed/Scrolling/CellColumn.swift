/// Cells of different heights, one below the other.
struct CellColumn: Sendable {
    /// The top of each cell, and behind the last one the height of the whole, in points.
    private let tops: [Double]

    init(heights: [Double]) {
        var bottom = 0.0
        tops =
            [0]
            + heights.map { height in
                bottom += height
                return bottom
            }
    }

    var count: Int { tops.count - 1 }

    var height: Double { tops[count] }

    func top(of row: Int) -> Double { tops[row] }

    func height(of row: Int) -> Double { tops[row + 1] - tops[row] }

    /// The rows of which a part shows in a viewport that begins at an offset. O(log n).
    func rows(at offset: Double, viewportHeight: Double) -> Range<Int> {
        let first = firstRow { tops[$0 + 1] > offset }
        let end = firstRow { tops[$0] >= offset + viewportHeight }
        return first..<max(first, end)
    }

    /// The first row for which a condition holds that, once true, stays true; else ``count``.
    private func firstRow(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
