import BenchmarkHarness

/// How does the cost of an empty job grow?
struct Growth: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (1, 7))

    /// With the number of queues (or workers), from one producer.
    static let withQueues = [1, 2, 4, 8, 16, 32, 64].map { (queues: Int) in
        let summary =
            "One thread submits empty jobs to \(queues) \(queues == 1 ? "queue" : "queues or workers")."
        return Growth(
            Metric("queues-\(queues)", unit: "ns/job", summary: summary), queues: queues, producers: 1)
    }

    /// With the number of producers, and as many queues as in the other benchmarks.
    static let withProducers = [1, 2, 4, 8, 16].map { (producers: Int) in
        let summary =
            "\(producers == 1 ? "1 thread submits" : "\(producers) threads submit") empty jobs to one tier."
        return Growth(
            Metric("producers-\(producers)", unit: "ns/job", summary: summary), queues: nil,
            producers: producers)
    }

    private init(_ metric: Metric, queues: Int?, producers: Int) {
        metrics = [metric]
        trials = Roster.sizable.map { kind in
            Trial(kind, workers: queues) { contender, scale in
                try EmptyJob.measure(
                    contender, count: scale.pick(quick: 8_000, full: 40_000), producers: producers)
            }
        }
    }

}
