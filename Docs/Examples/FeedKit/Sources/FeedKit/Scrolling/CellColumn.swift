/// Cells of different heights, one below the other.
public struct CellColumn: Sendable {
    /// The top of each cell, and behind the last one the height of the whole, in points.
    private let tops: [Double]

    /// Stacks cells; a height that is not a positive finite number counts as 0. O(n).
    public init(heights: [Double]) {
        var tops = [0.0]
        tops.reserveCapacity(heights.count + 1)
        for height in heights {
            tops.append(tops[tops.count - 1] + (height.isFinite ? max(height, 0) : 0))
        }
        self.tops = tops
    }

    /// The number of cells.
    public var count: Int { tops.count - 1 }

    /// The height of all cells together, in points.
    public var contentHeight: Double { tops[count] }

    /// The top of a cell, in points.
    public func top(of row: Int) -> Double { tops[row] }

    /// The height of a cell, in points.
    public func height(of row: Int) -> Double { tops[row + 1] - tops[row] }

    /// The rows of which a part shows in a viewport that begins at an offset; empty if none does, or if a
    /// number is not sensible. O(log n).
    public func rows(at offset: Double, viewportHeight: Double) -> Range<Int> {
        guard viewportHeight > 0, offset.isFinite else { return 0..<0 }
        let first = firstRow { tops[$0 + 1] > offset }
        let end = firstRow { tops[$0] >= offset + viewportHeight }
        return first..<max(first, end)
    }

    /// The first row for which a condition holds that, once true, stays true; else ``count``.
    private func firstRow(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
