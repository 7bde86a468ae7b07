/// Cells of different heights, one below the other.
struct CellColumn: Sendable {
    /// The top of each cell, and behind the last one the height of the whole, in points.
    private let tops: [Double]

    /// Stacks cells; a height that is not a positive number counts as 0. O(n).
    init(heights: [Double]) {
        var tops = [0.0]
        tops.reserveCapacity(heights.count + 1)
        for height in heights {
            tops.append(tops[tops.count - 1] + (height.isFinite ? max(height, 0) : 0))
        }
        self.tops = tops
    }

    /// The number of cells.
    var count: Int { tops.count - 1 }

    /// The height of all cells together, in points.
    var contentHeight: Double { tops[tops.count - 1] }

    /// The top of a cell, in points.
    func top(of index: Int) -> Double { tops[index] }

    /// The height of a cell, in points.
    func height(of index: Int) -> Double { tops[index + 1] - tops[index] }

    /// The cells of which a part shows in a viewport; empty when none does. O(log n).
    func visibleCells(offset: Double, viewportHeight: Double) -> Range<Int> {
        guard viewportHeight > 0, offset.isFinite else { return 0..<0 }
        let bottom = offset + viewportHeight
        let first = firstIndex { tops[$0 + 1] > offset }
        let end = firstIndex { tops[$0] >= bottom }
        return first < end ? first..<end : first..<first
    }

    /// The first cell for which a condition holds that, once true, stays true; else ``count``.
    private func firstIndex(where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
