import ScrollScheduling
import FeedKit
import Testing

@Suite("Column of cells")
struct CellColumnTests {
    @Test(
        "The cells in view are those of which a part shows",
        arguments: [
            (0.0, 100.0, 0..<2), (49, 2, 0..<2), (50, 1, 1..<2), (49.5, 0.5, 0..<1), (120, 200, 1..<3),
            (150, 1, 2..<3), (160, 1_000, 2..<3), (-30, 100, 0..<2), (-30, 30, 0..<0), (500, 10, 3..<3),
        ])
    func visible(offset: Double, height: Double, expected: Range<Int>) {
        let column = CellColumn(heights: [50, 100, 25])
        #expect(column.rows(at: offset, viewportHeight: height) == expected)
    }

    @Test("No cell and one cell")
    func few() {
        let none = CellColumn(heights: [])
        #expect(none.count == 0)
        #expect(none.contentHeight == 0)
        #expect(none.rows(at: 0, viewportHeight: 844).isEmpty)
        let one = CellColumn(heights: [10])
        #expect(one.rows(at: 0, viewportHeight: 844) == 0..<1)
        #expect(one.rows(at: 10, viewportHeight: 844).isEmpty)
    }

    @Test("Many cells: the search agrees with looking at each cell")
    func many() {
        var random = SeededGenerator(seed: 7)
        let heights = (0..<500).map { _ in random.number(in: 0...90).rounded() }
        let column = CellColumn(heights: heights)
        #expect(column.contentHeight == heights.reduce(0, +))
        for _ in 0..<300 {
            let offset = random.number(in: -100...column.contentHeight + 100).rounded()
            let showing = heights.indices.filter {
                column.top(of: $0) + column.height(of: $0) > offset && column.top(of: $0) < offset + 300
            }
            let visible = column.rows(at: offset, viewportHeight: 300)
            #expect(showing.allSatisfy(visible.contains))
            #expect(visible.first == showing.first && visible.last == showing.last)
        }
    }

    @Test("Heights and viewports that are not sensible do no harm")
    func nonsense() {
        let column = CellColumn(heights: [.nan, -5, .infinity, 10])
        #expect(column.contentHeight == 10)
        #expect(column.rows(at: .nan, viewportHeight: 10).isEmpty)
        #expect(column.rows(at: 0, viewportHeight: .nan).isEmpty)
        #expect(column.rows(at: 0, viewportHeight: 0).isEmpty)
        #expect(column.rows(at: 0, viewportHeight: 5) == 3..<4)
    }
}

@Suite("A window on a feed")
struct FeedWindowTests {
    private let column = CellColumn(heights: Array(repeating: 50, count: 100))

    @Test("without a filter the rows in view are to be drawn")
    func unfiltered() {
        var window = FeedWindow(column: column, height: 120)
        #expect(window.visibleRows == 0..<3)
        window.scroll(to: 75, after: [.touched, .released(target: 4_000)])
        #expect(window.offset == 75)
        #expect(window.visibleRows == 1..<4)
        #expect(window.wantedRows == 1..<4)
        #expect(!window.isSkipping)
        window.height = 200
        #expect(window.visibleRows == 1..<6)
    }

    @Test("with a filter a far release passes over the rows on its way, until the content rests")
    func filtered() {
        var window = FeedWindow(column: column, height: 120, filter: ScrollFilter.Options())
        window.scroll(to: 0, after: [.touched])
        #expect(window.wantedRows.contains(0))
        window.scroll(to: 500, after: [.released(target: 4_000)])
        #expect(window.isSkipping)
        #expect(!window.wantedRows.overlaps(window.visibleRows))
        #expect(window.wantedRows.contains(80))
        window.scroll(to: 1_000, after: [.rested])
        #expect(!window.isSkipping)
        #expect(window.wantedRows.contains(20))
        window.scroll(to: 900, after: [.scrollsToTop])
        #expect(window.wantedRows.contains(0))
    }
}

@Suite("Deceleration")
struct DecelerationTests {
    @Test(
        "after a flick the speed is multiplied by 0.998 each millisecond, and the content stops after v / 2.002"
    )
    func flick() {
        let law = Deceleration.flick
        #expect(abs(law.remainder(after: 0.001) - 0.998) < 1e-12)
        #expect(abs(law.remainder(after: 2) / law.remainder(after: 1) - law.remainder(after: 1)) < 1e-12)
        #expect(abs(law.distance(speed: 8_000) - 3_996) < 0.1)
    }

    @Test(
        "the distance is what the speed adds up to, and the time for it leads back", arguments: [0.1, 0.5, 1])
    func distance(time: Double) throws {
        let law = Deceleration(rate: 14)
        let distance = law.distance(speed: 900, in: time)
        var sum = 0.0
        for step in 0..<10_000 { sum += 900 * law.remainder(after: (Double(step) + 0.5) / 10_000 * time) }
        #expect(abs(sum * time / 10_000 - distance) < 0.01)
        #expect(
            abs(law.distance(speed: 900, in: try #require(law.time(for: distance, speed: 900))) - distance)
                < 1e-6)
        #expect(law.time(for: law.distance(speed: 900), speed: 900) == nil)
    }
}
