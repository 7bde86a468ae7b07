import Testing

@testable import BenchmarkHarness

@Suite struct SelectionTests {
    private struct Sample: Benchmark {
        let metrics = [
            Metric("first", unit: "ns", ours: "ours", summary: ""),
            Metric("second", unit: "ns", ours: "ours", summary: ""),
        ]
        let trials = ["ours", "Task.detached", "oneTBB"].map { name in
            Trial(name, threads: .own) { _ in Session(measure: { [Reading(1), Reading(1)] }) }
        }
    }

    private func selected(_ expression: String?) throws -> (metrics: [String], contenders: [String]) {
        let (selection, benchmark) = (try Selection(expression), Sample())
        return (
            benchmark.metrics.filter { selection.includes($0, of: benchmark) }.map(\.name),
            benchmark.trials.map(\.contender).filter { selection.includes($0, of: benchmark) }
        )
    }

    @Test func withoutAnExpressionEverythingIsSelected() throws {
        let (metrics, contenders) = try selected(nil)
        #expect(metrics == ["first", "second"])
        #expect(contenders == ["ours", "Task.detached", "oneTBB"])
    }

    @Test func aPartOfABenchmarksNameSelectsItWithAllContenders() throws {
        let (metrics, contenders) = try selected("seco")
        #expect(metrics == ["second"])
        #expect(contenders == ["ours", "Task.detached", "oneTBB"])
    }

    @Test func aContenderIsMeasuredTogetherWithOurs() throws {
        let (metrics, contenders) = try selected("first/oneTBB")
        #expect(metrics == ["first"])
        #expect(contenders == ["ours", "oneTBB"])
    }

    @Test func capitalsTellContendersFromBenchmarks() throws {
        #expect(try selected("task").contenders.isEmpty)
        #expect(try selected("Task").contenders == ["ours", "Task.detached"])
    }

    @Test func alternativesAndAnchorsWork() throws {
        #expect(try selected("^fir|detached$").metrics == ["first", "second"])
        #expect(try selected("^irst").metrics.isEmpty)
    }

    @Test func whatIsNoExpressionThrows() {
        #expect(throws: (any Error).self) { try Selection("[") }
    }
}
