import BenchmarkHarness

/// What does it cost to submit an empty job and to run it?
///
/// The time from the first submission until the last job has run, divided by the number of jobs. All
/// contenders are given the same number of jobs, as fast as the producers can submit them.
struct EmptyJob: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (3, 15))

    private init(_ metric: Metric, _ kinds: [ContenderKind], producers: Int, tiers: TierCycle) {
        metrics = [metric]
        trials = kinds.map { kind in
            Trial(kind) { contender, scale in
                try EmptyJob.measure(
                    contender, count: scale.pick(quick: 20_000, full: 100_000), producers: producers,
                    tiers: tiers)
            }
        }
    }

    static let oneProducer = EmptyJob(
        Metric(
            "empty-job-1-producer", unit: "ns/job",
            summary: "One thread submits empty jobs to one tier, until all have run."),
        Roster.all + [Roster.leastJob], producers: 1, tiers: .one)

    static let fourProducersFourTiers = EmptyJob(
        Metric(
            "empty-job-4-producers-4-tiers", unit: "ns/job",
            summary: "Four threads submit empty jobs to four tiers in turn, until all have run."),
        Roster.all, producers: 4, tiers: .four)

    /// Tasks instead of jobs.
    static let task = EmptyJob(
        Metric(
            "task", unit: "ns/task",
            summary:
                "One thread makes empty detached tasks, on the pool's task executor or another, until all have run."
        ),
        Roster.tasks + [Roster.leastTask], producers: 1, tiers: .one)

    /// Measures once.
    static func measure(
        _ contender: any Contender, count: Int, producers: Int, tiers: TierCycle = .one,
        submit: @escaping @Sendable (any Contender, EmptyJobs) -> Void = { $0.submit($1) }
    ) throws -> [Reading] {
        let tally = Tally()
        defer { tally.deallocate() }
        let (start, _) = Producers.run(producers) { producer in
            let numbers = Producers.share(producer, of: count, among: producers)
            submit(contender, EmptyJobs(tally: tally, numbers: numbers, tiers: tiers))
        }
        let end = try tally.wait(for: count)
        return [Reading(Double(end - start) / Double(count))]
    }
}
