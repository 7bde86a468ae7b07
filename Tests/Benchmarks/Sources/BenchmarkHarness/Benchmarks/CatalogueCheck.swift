/// What must hold of every program's benchmarks, for its tests.
package enum CatalogueCheck {
    /// What is wrong, in words: nothing, if names are unique and in words with hyphens, no contender takes
    /// part twice, and what others are compared with takes part itself, also in quick runs.
    package static func problems(of benchmarks: [any Benchmark]) -> [String] {
        var problems: [String] = []
        var names: Set<String> = []
        for metric in benchmarks.flatMap(\.metrics) {
            if !names.insert(metric.name).inserted {
                problems.append("two metrics are called \(metric.name)")
            }
            if metric.name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) == nil {
                problems.append("\(metric.name) is not made of words with hyphens")
            }
        }
        for benchmark in benchmarks {
            var contenders: Set<String> = []
            for trial in benchmark.trials where !contenders.insert(trial.contender).inserted {
                problems.append("\(trial.contender) takes part twice in \(benchmark.metrics[0].name)")
            }
            for metric in benchmark.metrics
            where !benchmark.trials.contains(where: { $0.contender == metric.ours && $0.isQuick }) {
                problems.append("\(metric.ours) does not take part in \(metric.name)")
            }
        }
        return problems
    }
}
