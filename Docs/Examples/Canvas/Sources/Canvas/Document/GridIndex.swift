import AsyncLayers

/// Finds what lies in a rectangle, without looking at what lies elsewhere: a grid of square cells, each with
/// the numbers of what touches it. A value that never changes.
struct GridIndex: Sendable {
    private let frames: [Rect]
    private let cellExtent: Double
    private let columns: Int
    private let rows: Int
    private let cells: [[Int32]]

    /// - Parameters:
    ///   - frames: what is found, by its number here; what is empty never is.
    ///   - size: of the area that the cells cover. What lies outside counts to the cells at its edge.
    ///   - cellExtent: a few times as large as most frames.
    init(_ frames: [Rect], size: Size, cellExtent: Double = 400) {
        self.frames = frames
        self.cellExtent = cellExtent
        columns = max(1, Int((size.width / cellExtent).rounded(.up)))
        rows = max(1, Int((size.height / cellExtent).rounded(.up)))
        var cells = [[Int32]](repeating: [], count: columns * rows)
        for (number, frame) in frames.enumerated() where !frame.isEmpty {
            let (columnRange, rowRange) = Self.cells(of: frame, cellExtent, columns, rows)
            for row in rowRange {
                for column in columnRange { cells[row * columns + column].append(Int32(number)) }
            }
        }
        self.cells = cells
    }

    /// The numbers of what touches a rectangle, in ascending order. O(what lies in the cells that it touches,
    /// and its logarithm).
    func numbers(in area: Rect) -> [Int] {
        guard !area.isEmpty else { return [] }
        let (columnRange, rowRange) = Self.cells(of: area, cellExtent, columns, rows)
        var found: Set<Int32> = []
        for row in rowRange {
            for column in columnRange { found.formUnion(cells[row * columns + column]) }
        }
        return found.lazy.map { Int($0) }.filter { frames[$0].intersects(area) }.sorted()
    }

    private static func cells(
        of rect: Rect, _ extent: Double, _ columns: Int, _ rows: Int
    ) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func range(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
            func cell(_ value: Double) -> Int { Int(min(max(value / extent, 0), Double(count - 1))) }
            return cell(low)...cell(high)
        }
        return (range(rect.minX, rect.maxX, columns), range(rect.minY, rect.maxY, rows))
    }
}
