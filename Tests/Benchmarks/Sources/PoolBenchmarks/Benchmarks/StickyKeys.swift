import BenchmarkHarness

/// What does an empty job cost that must go to the queue of its key?
struct StickyKeys: Benchmark {
    let metrics = [
        Metric(
            "sticky-keys", unit: "ns/job",
            summary:
                "One thread submits empty jobs, each to the queue of its key, one of a thousand, until all have run."
        )
    ]

    let plan = Plan(rounds: (3, 15))

    let trials = Roster.keyed.map { kind in
        Trial(kind) { contender, scale in
            guard let contender = contender as? any KeyedContender else {
                throw MeasuringError("\(kind.name) knows no keys")
            }
            return try EmptyJob.measure(
                contender, count: scale.pick(quick: 20_000, full: 100_000), producers: 1,
                submit: { _, jobs in contender.submitByKey(jobs) })
        }
    }
}
