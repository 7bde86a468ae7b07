@testable import BenchmarkHarness

/// Results with whatever a report must cope with.
enum SampleResults {
    static let all = [
        MetricResult(
            Metric("latency", unit: "µs", ours: "ours", summary: "How long <it> takes & why."),
            readings: [
                ("ours", [Reading(10, p99: 20), Reading(12, p99: 40)]),
                ("peer", [Reading(33, p99: 60), Reading(33, p99: 60)]),
            ]),
        MetricResult(
            Metric("share", unit: "%", better: .higher, ours: "ours", summary: "How much it gets."),
            readings: [("ours", [Reading(70)]), ("a \"peer\"", [Reading(0)]), ("another", [Reading(1e9)])]),
        MetricResult(
            Metric("alone", unit: "ns", ours: "ours", summary: "Ours is missing."),
            readings: [("peer", [Reading(0)])]),
    ]
}
