/// What `--list` prints.
enum Listing {
    /// The selected metrics of a benchmark, each with what it is and who takes part.
    static func text(of benchmark: any Benchmark, _ selection: Selection) -> String {
        let contenders = benchmark.trials.map(\.contender).filter { selection.includes($0, of: benchmark) }
        return benchmark.metrics.filter { selection.includes($0, of: benchmark) }.map { metric in
            "\(metric.name) (\(metric.unit)): \(metric.summary)\n    \(contenders.joined(separator: ", "))\n"
        }.joined()
    }
}
