import BenchmarkHarness
import QueuePools

/// How much of the processors does the most urgent tier get when it and the default tier could each use all
/// of them?
struct ProcessorShare: Benchmark {
    let metrics = [
        Metric(
            "ui-cpu-share", unit: "%", better: .higher,
            summary:
                "The userInteractive tier's part of the work done while it and the default tier are both saturated."
        )
    ]

    let plan = Plan(rounds: (2, 9), warmsUp: false)

    let trials = Roster.all.map { kind in
        Trial(kind) { contender, scale in
            let load = Saturation(contender, tiers: [.default, .userInteractive], workers: scale.workers)
            defer { load.end() }
            Clock.sleep(microseconds: 20_000)
            func jobs() -> (ui: Int, rest: Int) {
                (load.finishedJobs(of: .userInteractive), load.finishedJobs(of: .default))
            }
            let before = jobs()
            Clock.sleep(microseconds: scale.pick(quick: 120_000, full: 400_000))
            let after = jobs()
            let (ui, rest) = (Double(after.ui - before.ui), Double(after.rest - before.rest))
            guard ui + rest > 0 else { throw MeasuringError("no job of \(kind.name) ran under load") }
            return [Reading(100 * ui / (ui + rest))]
        }
    }

}
