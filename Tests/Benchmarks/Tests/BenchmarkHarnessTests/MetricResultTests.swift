import Testing

@testable import BenchmarkHarness

@Suite struct MetricResultTests {
    private let metric = Metric("metric", unit: "ns", ours: "ours", summary: "")

    @Test func theRatioIsThatOfTheMedians() throws {
        let result = MetricResult(
            metric,
            readings: [
                ("ours", [Reading(1), Reading(2), Reading(30)]),
                ("peer", [Reading(8), Reading(6), Reading(2)]),
            ])
        #expect(result.entries[0].ratio == 1)
        #expect(result.entries[1].ratio == 3)
    }

    @Test func theRatiosSpreadIsThatOfTheRounds() throws {
        let result = MetricResult(
            metric,
            readings: [
                ("ours", [Reading(1), Reading(2), Reading(4)]),
                ("peer", [Reading(5), Reading(10), Reading(20)]),
            ])
        let spread = try #require(result.entries[1].ratioSpread)
        // Both were four times as slow in the last round as in the first: within each round, one takes five
        // times as long.
        #expect([spread.low, spread.median, spread.high] == [5, 5, 5])
    }

    @Test func withoutOursThereIsNoRatio() {
        let result = MetricResult(metric, readings: [("peer", [Reading(8)])])
        #expect(result.entries[0].ratio == nil)
        #expect(result.entries[0].ratioSpread == nil)
    }

    @Test func nothingIsDividedByZero() {
        let result = MetricResult(metric, readings: [("ours", [Reading(0)]), ("peer", [Reading(8)])])
        #expect(result.entries.allSatisfy { $0.ratio == nil && $0.ratioSpread == nil })
    }

    @Test func thePercentileIsTheMedianOfTheRoundsPercentiles() {
        let rounds = [9.0, 100, 10].map { Reading(1, p99: $0) }
        #expect(MetricResult(metric, readings: [("ours", rounds)]).entries[0].p99 == 10)
        #expect(MetricResult(metric, readings: [("ours", [Reading(1)])]).entries[0].p99 == nil)
    }
}
