import TestSupport
import Testing

@testable import ScrollScheduling

@Suite("Scroll ranges")
struct ScrollRangesTests {
    /// Ahead: 4 prefetched, 8 kept. Behind: 2 prefetched, 4 kept. Turns after 3 rows.
    static var options: ScrollRanges.Options {
        var options = ScrollRanges.Options()
        options.prefetchAhead = .rows(4)
        options.prefetchBehind = .rows(2)
        options.keepAhead = .rows(8)
        options.keepBehind = .rows(4)
        options.turnDistance = .rows(3)
        return options
    }

    static func ranges(visible: Range<Int>) -> ScrollRanges {
        var ranges = ScrollRanges(options: options)
        ranges.update(visible: visible, rowCount: 100)
        return ranges
    }

    @Test("the next rows ahead come first, the nearest before the farther, then those behind")
    func order() {
        let ranges = Self.ranges(visible: 20..<25)
        #expect(Array(ranges.prefetchRows) == [25, 26, 27, 28, 19, 18])
        #expect(ranges.keptRows == 16..<33)
        #expect(ranges.keeps(16))
        #expect(!ranges.keeps(15))
    }

    @Test("towards the start, ahead is before the visible rows")
    func backwards() {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.update(visible: 17..<22, rowCount: 100)
        #expect(!ranges.isForward)
        #expect(Array(ranges.prefetchRows) == [16, 15, 14, 13, 22, 23])
        #expect(ranges.keptRows == 9..<26)
    }

    @Test("a list that trembles keeps its direction, one that goes back far enough turns")
    func hysteresis() {
        var ranges = Self.ranges(visible: 20..<25)
        for first in [19, 20, 18, 19, 18, 20] {
            ranges.update(visible: first..<first + 5, rowCount: 100)
            #expect(ranges.isForward)
            #expect(ranges.keeps(30))
        }
        ranges.update(visible: 22..<27, rowCount: 100)
        ranges.update(visible: 20..<25, rowCount: 100)
        #expect(ranges.isForward)
        ranges.update(visible: 19..<24, rowCount: 100)
        #expect(!ranges.isForward)
        ranges.update(visible: 21..<26, rowCount: 100)
        #expect(!ranges.isForward)
        ranges.update(visible: 22..<27, rowCount: 100)
        #expect(ranges.isForward)
    }

    @Test("a fast movement back turns at once, a fast one without a row gone back does not")
    func decisiveSpeed() {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.update(visible: 20..<25, rowCount: 100, velocity: -50)
        #expect(ranges.isForward)
        ranges.update(visible: 19..<24, rowCount: 100, velocity: -9)
        #expect(ranges.isForward)
        ranges.update(visible: 19..<24, rowCount: 100, velocity: -10)
        #expect(!ranges.isForward)
        ranges.update(visible: 20..<25, rowCount: 100, velocity: 10)
        #expect(ranges.isForward)
    }

    @Test("at speed the rows that come up while one is drawn are prefetched, as far as they are kept")
    func speed() {
        var ranges = ScrollRanges(options: Self.options)
        ranges.update(visible: 20..<25, rowCount: 100, velocity: 24)
        #expect(Array(ranges.prefetchRows.prefix(7)) == [25, 26, 27, 28, 29, 30, 19])
        ranges.update(visible: 21..<26, rowCount: 100, velocity: 1_000)
        #expect(ranges.prefetchRows.count == 8 + 2)
        #expect(ranges.keptRows == 17..<34)
        ranges.update(visible: 21..<26, rowCount: 100, velocity: .nan)
        #expect(ranges.prefetchRows.count == 4 + 2)
    }

    @Test("screenfuls follow what is visible, rounded up")
    func screenfuls() {
        var ranges = ScrollRanges()
        ranges.update(visible: 40..<46, rowCount: 1_000)
        #expect(Array(ranges.prefetchRows) == [46, 47, 48, 49, 50, 51, 39, 38])
        #expect(ranges.keptRows == 34..<58)
        ranges.update(visible: 41..<43, rowCount: 1_000)
        #expect(Array(ranges.prefetchRows) == [43, 44, 40])
    }

    @Test("less is prepared and kept for a list that is not looked at")
    func minimum() {
        var ranges = ScrollRanges(options: .minimum)
        ranges.update(visible: 40..<48, rowCount: 1_000)
        #expect(Array(ranges.prefetchRows) == [48, 49])
        #expect(ranges.keptRows == 38..<50)
    }

    @Test("nothing lies outside the list, and visible rows outside are cut off")
    func ends() {
        var ranges = Self.ranges(visible: 97..<110)
        #expect(Array(ranges.prefetchRows) == [96, 95])
        #expect(ranges.keptRows == 93..<100)
        ranges = Self.ranges(visible: -5..<1)
        #expect(Array(ranges.prefetchRows) == [1, 2, 3, 4])
        #expect(ranges.keptRows == 0..<9)
    }

    @Test("while nothing is visible nothing is prefetched, and what is kept stays as far as it exists")
    func nothingVisible() {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.update(visible: 25..<25, rowCount: 100)
        #expect(ranges.prefetchRows.isEmpty)
        #expect(ranges.keptRows == 16..<33)
        ranges.update(visible: 200..<205, rowCount: 30)
        #expect(ranges.keptRows == 16..<30)
        ranges.update(visible: 0..<5, rowCount: -1)
        #expect(ranges.keptRows.isEmpty)
        #expect(ranges.prefetchRows.isEmpty)
    }

    @Test("nonsense in the numbers is taken as zero, and more than everything as everything")
    func extremes() {
        var options = ScrollRanges.Options()
        options.prefetchAhead = .screenfuls(.infinity)
        options.prefetchBehind = .rows(.min)
        options.keepAhead = .screenfuls(.nan)
        options.keepBehind = .rows(.max)
        options.turnDistance = .screenfuls(-1)
        options.decisiveSpeed = .nan
        options.preparationTime = .seconds(-1)
        var ranges = ScrollRanges(options: options)
        ranges.update(visible: 500..<510, rowCount: .max, velocity: .infinity)
        #expect(ranges.keptRows == 0..<Int.max)
        #expect(ranges.prefetchRows.count == Int.max - 510)
        #expect(ranges.prefetchRows.last == Int.max - 1)
        ranges.update(visible: 499..<509, rowCount: 1_000, velocity: -1)
        #expect(!ranges.isForward)
        ranges.update(visible: Int.min..<Int.max, rowCount: 10)
        #expect(ranges.keptRows == 0..<10)

        options = ScrollRanges.Options()
        options.preparationTime = .seconds(-1)
        var still = ScrollRanges(options: ScrollRanges.Options())
        var moving = ScrollRanges(options: options)
        still.update(visible: 50..<60, rowCount: 1_000)
        moving.update(visible: 50..<60, rowCount: 1_000, velocity: -20)
        #expect(moving.prefetchRows == still.prefetchRows)
    }

    @Test(
        "without a decisive speed any movement back turns, also one whose speed is unknown",
        arguments: [0, -0.0, -1, .nan] as [Double], [0, -0.0, -1, .nan, -.infinity] as [Double])
    func noDecisiveSpeed(speed: Double, velocity: Double) {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.options.decisiveSpeed = speed
        ranges.update(visible: 20..<25, rowCount: 100, velocity: velocity)
        #expect(ranges.isForward)
        ranges.update(visible: 19..<24, rowCount: 100, velocity: velocity)
        #expect(!ranges.isForward)
        ranges.update(visible: 20..<25, rowCount: 100, velocity: -velocity)
        #expect(ranges.isForward)
    }

    @Test(
        "with an infinite decisive speed no speed turns the list",
        arguments: [-1e300, -.infinity] as [Double])
    func infiniteDecisiveSpeed(velocity: Double) {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.options.decisiveSpeed = .infinity
        ranges.update(visible: 18..<23, rowCount: 100, velocity: velocity)
        #expect(ranges.isForward)
        ranges.update(visible: 17..<22, rowCount: 100, velocity: velocity)
        #expect(!ranges.isForward)
    }

    @Test("at infinite speed no rows come up in no time, and all that are kept in any other")
    func infiniteSpeed() {
        var ranges = Self.ranges(visible: 20..<25)
        ranges.options.preparationTime = .zero
        ranges.update(visible: 20..<25, rowCount: 100, velocity: .infinity)
        #expect(ranges.prefetchRows.count == 4 + 2)
        ranges.options.preparationTime = .nanoseconds(1)
        ranges.update(visible: 20..<25, rowCount: 100, velocity: .infinity)
        #expect(ranges.prefetchRows.count == 8 + 2)
    }

    @Test(
        "after any updates, what is prefetched is kept, not visible, and listed once",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranges = ScrollRanges()
        var first = 50
        for step in 0..<3_000 {
            let count = Int.random(in: 0...120, using: &generator)
            first += Int.random(in: -6...6, using: &generator)
            if step % 50 == 0 {
                let extents: [ScrollRanges.Extent] = [
                    .rows(.random(in: -2...20, using: &generator)),
                    .screenfuls(.random(in: -1...4, using: &generator)),
                ]
                ranges.options.prefetchAhead = extents.randomElement(using: &generator) ?? .rows(1)
                ranges.options.prefetchBehind = extents.randomElement(using: &generator) ?? .rows(1)
                ranges.options.keepAhead = extents.randomElement(using: &generator) ?? .rows(1)
            }
            let visible = first..<first + Int.random(in: 0...9, using: &generator)
            let velocity = Double.random(in: -40...40, using: &generator)
            ranges.update(visible: visible, rowCount: count, velocity: velocity)

            let shown = visible.clamped(to: 0..<count)
            let rows = Array(ranges.prefetchRows)
            let isSound =
                rows.allSatisfy { ranges.keeps($0) && !shown.contains($0) && (0..<count).contains($0) }
                && Set(rows).count == rows.count && ranges.keptRows.clamped(to: 0..<count) == ranges.keptRows
                && (shown.isEmpty ? rows.isEmpty : shown.clamped(to: ranges.keptRows) == shown)
            if !isSound {
                Issue.record("\(ranges) at step \(step) of seed \(seed), with \(visible) of \(count) visible")
                return
            }
        }
    }
}
