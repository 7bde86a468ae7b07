import AsyncLayers

/// Finds what lies in a rectangle, without looking at what lies elsewhere: a grid of square cells, each with
/// the numbers of what touches it. A value that never changes.
struct GridIndex: Sendable {
    private let frames: [Rect]
    private let cellExtent: Double
    private let columns: Int
    private let rows: Int
    private var cells: [[Int32]]
    /// What touches so many cells that it is looked at always.
    private var large: [Int32] = []

    /// - Parameters:
    ///   - frames: what is found, by its number here; what is empty never is.
    ///   - size: of the area that the cells cover. What lies outside counts to the cells at its edge.
    ///   - cellExtent: a few times as large as most frames.
    init(_ frames: [Rect], size: Size, cellExtent: Double = 400) {
        (self.frames, self.cellExtent) = (frames, cellExtent)
        columns = max(1, Int((size.width / cellExtent).rounded(.up)))
        rows = max(1, Int((size.height / cellExtent).rounded(.up)))
        cells = [[Int32]](repeating: [], count: columns * rows)
        for (number, frame) in frames.enumerated() where !frame.isEmpty {
            let touched = cellNumbers(in: frame)
            if touched.count > 100 { large.append(Int32(number)) }
            for cell in touched where touched.count <= 100 { cells[cell].append(Int32(number)) }
        }
    }

    /// The numbers of what touches a rectangle, in ascending order. O(what lies in the cells that it touches,
    /// and its logarithm).
    func numbers(in area: Rect) -> [Int] {
        guard !area.isEmpty else { return [] }
        var found = Set(large)
        for cell in cellNumbers(in: area) { found.formUnion(cells[cell]) }
        return found.lazy.map { Int($0) }.filter { frames[$0].intersects(area) }.sorted()
    }

    private func cellNumbers(in rect: Rect) -> [Int] {
        func range(_ low: Double, _ high: Double, _ count: Int) -> ClosedRange<Int> {
            func cell(_ value: Double) -> Int { Int(min(max(value / cellExtent, 0), Double(count - 1))) }
            return cell(low)...cell(high)
        }
        let columnRange = range(rect.minX, rect.maxX, columns)
        return range(rect.minY, rect.maxY, rows).flatMap { row in columnRange.map { row * columns + $0 } }
    }
}
