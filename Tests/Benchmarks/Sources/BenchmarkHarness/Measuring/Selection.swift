/// Which contenders are measured in which benchmarks.
struct Selection {
    private let pattern: Regex<AnyRegexOutput>?

    /// Selects every pair whose `benchmark/contender` the expression finds something in; without an
    /// expression, all.
    ///
    /// - Throws: where the expression is none.
    init(_ expression: String?) throws {
        pattern = try expression.map { try Regex($0) }
    }

    /// True if at least one contender was selected for a metric.
    func includes(_ metric: Metric, of benchmark: any Benchmark) -> Bool {
        benchmark.trials.contains { matches(metric, $0.contender) }
    }

    /// True if at least one contender was selected for one of a benchmark's metrics.
    func includes(_ benchmark: any Benchmark) -> Bool {
        benchmark.metrics.contains { includes($0, of: benchmark) }
    }

    /// True if a contender takes part in a benchmark: it was selected, or is what those that were are
    /// compared with.
    func includes(_ contender: String, of benchmark: any Benchmark) -> Bool {
        benchmark.metrics.contains { metric in
            matches(metric, contender) || contender == metric.ours && includes(metric, of: benchmark)
        }
    }

    private func matches(_ metric: Metric, _ contender: String) -> Bool {
        guard let pattern else { return true }
        return "\(metric.name)/\(contender)".firstMatch(of: pattern) != nil
    }
}
