import Testing

@testable import BenchmarkHarness

@Suite struct StatisticsTests {
    @Test func aSpreadIsTheMedianAndTheQuartiles() {
        let spread = Spread([5, 1, 4, 2, 3])
        #expect(spread.median == 3)
        #expect(spread.low == 2)
        #expect(spread.high == 4)
    }

    @Test func quartilesBetweenTwoFiguresLieOnTheLineThatJoinsThem() {
        let spread = Spread([10, 20])
        #expect(spread.median == 15)
        #expect(spread.low == 12.5)
        #expect(spread.high == 17.5)
    }

    @Test func oneFigureIsItsOwnMedianAndQuartiles() {
        let spread = Spread([7])
        #expect([spread.low, spread.median, spread.high] == [7, 7, 7])
    }

    @Test(arguments: [(1, 0), (50, 49), (100, 98), (101, 99), (200, 197), (1_000, 989)])
    func thePercentile99IsTheSmallestFigureNotExceededBy99InAHundred(count: Int, index: Int) {
        let figures = (0..<count).map(Double.init)
        #expect(Statistics.percentile99(ofSorted: figures) == Double(index))
    }

    @Test func samplesOfAnyOrderBecomeAMedianAndAPercentile() {
        let reading = Reading(samples: (1...200).map(Double.init).shuffled())
        #expect(reading.value == 100.5)
        #expect(reading.p99 == 198)
    }
}
