import Testing

@testable import BenchmarkHarness

@Suite struct CatalogueCheckTests {
    private struct Sample: Benchmark {
        var metrics = [Metric("time-of-a-job", unit: "ns", ours: "a", summary: "")]
        var trials = [Self.trial("a"), Self.trial("b")]

        static func trial(_ name: String, isQuick: Bool = true) -> Trial {
            Trial(name, threads: .own, isQuick: isQuick) { _ in Session(measure: { [] }, end: {}) }
        }
    }

    @Test func eachFaultIsTold() {
        #expect(CatalogueCheck.problems(of: [Sample()]) == [])
        #expect(
            CatalogueCheck.problems(of: [Sample(), Sample()]) == ["two metrics are called time-of-a-job"])
        var sample = Sample()
        sample.metrics[0] = Metric("Time of a job", unit: "ns", ours: "a", summary: "")
        #expect(
            CatalogueCheck.problems(of: [sample]) == ["Time of a job is not made of words with hyphens"])
        sample = Sample(trials: [Sample.trial("a"), Sample.trial("b"), Sample.trial("b")])
        #expect(CatalogueCheck.problems(of: [sample]) == ["b takes part twice in time-of-a-job"])
        sample = Sample(trials: [Sample.trial("a", isQuick: false)])
        #expect(CatalogueCheck.problems(of: [sample]) == ["a does not take part in time-of-a-job"])
    }
}
