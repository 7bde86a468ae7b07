import FeedKit
import Testing

@Suite("The grid of frames")
struct FrameGridTests {
    @Test("Ticks are computed from the origin, and a time lies at or before its tick")
    func ticks() {
        let grid = FrameGrid(hz: 120, origin: 5)
        #expect(grid.time(of: 0) == 5)
        #expect(grid.time(of: 1) == 5 + 8_333_333)
        #expect(grid.time(of: 120) == 5 + 1_000_000_000)
        #expect(grid.time(of: 1_000_000) == 5 + 8_333_333_333_333)
        for tick in [0, 1, 2, 3, 119, 120, 121, 999_999] {
            #expect(grid.tick(notBefore: grid.time(of: tick)) == tick)
            #expect(grid.tick(notBefore: grid.time(of: tick) + 1) == tick + 1)
        }
        #expect(grid.tick(notBefore: 0) == 0)
        #expect(FrameGrid(hz: 0, origin: 0).hz == 1)
        #expect(grid.duration(to: 120) == .seconds(1))
    }

    @Test("A frame is shown at the next tick, or at the first one after its work has ended")
    func shown() {
        let grid = FrameGrid(hz: 100, origin: 1_000)
        #expect(grid.shownTick(ofFrameAt: 4, endedAt: 0) == 5)
        #expect(grid.shownTick(ofFrameAt: 4, endedAt: grid.time(of: 5)) == 5)
        #expect(grid.shownTick(ofFrameAt: 4, endedAt: grid.time(of: 5) + 1) == 6)
        #expect(grid.shownTick(ofFrameAt: 4, endedAt: grid.time(of: 9)) == 9)
    }
}

@Suite("Distributions")
struct DistributionTests {
    fileprivate static let percentileCases: [([Double], Double, Double, Double)] = [
        ([], 0, 0, 0), ([7], 7, 7, 7), ([2, 1], 1, 2, 2), ([3, 1, 2], 2, 3, 3),
        ((1...100).map(Double.init), 50, 99, 100), ((1...200).map(Double.init), 100, 198, 200),
        ((1...101).map(Double.init), 51, 100, 101), ([1, .nan, .infinity], 1, 1, 1),
    ]

    @Test("Percentiles are by nearest rank", arguments: DistributionTests.percentileCases)
    func percentiles(measurements: [Double], p50: Double, p99: Double, max: Double) {
        let distribution = Distribution(measurements.reversed())
        #expect(distribution.p50 == p50)
        #expect(distribution.p99 == p99)
        #expect(distribution.max == max)
    }
}
