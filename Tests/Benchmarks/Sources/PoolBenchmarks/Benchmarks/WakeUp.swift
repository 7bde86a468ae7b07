import Synchronization

/// How long does it take until a job begins that finds all workers asleep, and what does its submitter pay?
///
/// The submitter goes on working, as a main thread would: it looks until the job has begun.
struct WakeUp: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan: Plan

    /// Longer than any contender's workers spin before they park; oneTBB's do so for more than a millisecond.
    static let warm = WakeUp("wake-up-warm", "three milliseconds", Plan(), samples: (30, 200)) { _ in true }

    /// Long enough for Dispatch to have ended its idle threads, which it does after five seconds.
    ///
    /// Contenders that share threads cannot be measured after the same six seconds, so a quick run has but two of each.
    static let afterIdle = WakeUp(
        "wake-up-idle-6s", "six seconds", Plan(rounds: (1, 5), idleSeconds: 6), samples: (1, 1)
    ) { kind in
        kind.threads == .own
            || ["DispatchQueuePool", "DispatchQueues by hand", "DispatchQueue.global", "Task.detached"]
                .contains(kind.name)
    }

    private init(
        _ name: String, _ pause: String, _ plan: Plan, samples: (quick: Int, full: Int),
        isQuick: (ContenderKind) -> Bool
    ) {
        self.plan = plan
        metrics = [
            Metric(
                name, unit: "µs",
                summary: "From the submission of a job until it begins, all workers idle for \(pause)."),
            Metric(
                "\(name)-caller", unit: "µs",
                summary: "What the call that submits that job takes of its caller's time."),
        ]
        trials = Roster.all.map { kind in
            Trial(kind, isQuick: isQuick(kind)) { contender, scale in
                try WakeUp.measure(
                    contender, samples: scale.pick(quick: samples.quick, full: samples.full),
                    isWarm: plan.idleSeconds == 0)
            }
        }
    }

    private static func measure(_ contender: any Contender, samples: Int, isWarm: Bool) throws -> [Reading] {
        let begun = BeginningTime()
        var (latencies, calls): ([Double], [Double]) = ([], [])
        for _ in 0..<samples {
            if isWarm { Clock.sleep(microseconds: 3_000) }
            begun.reset()
            let before = Clock.now
            contender.submit(to: .userInitiated) { begun.set() }
            let after = Clock.now
            latencies.append(Double(try begun.spin() - before) / 1_000)
            calls.append(Double(after - before) / 1_000)
        }
        // A 99th percentile of a handful of samples would be their maximum.
        guard isWarm else { return [Reading(latencies[0]), Reading(calls[0])] }
        return [Reading(samples: latencies), Reading(samples: calls)]
    }
}

/// When a job began, in the submitter's hands.
private final class BeginningTime: Sendable {
    private let time = Atomic<UInt64>(0)

    func reset() { time.store(0, ordering: .relaxed) }

    func set() { time.store(Clock.now, ordering: .releasing) }

    func spin() throws -> UInt64 {
        let deadline = Clock.now + 10_000_000_000
        while true {
            for _ in 0..<10_000 {
                let time = time.load(ordering: .acquiring)
                if time != 0 { return time }
            }
            if Clock.now > deadline { throw MeasuringError("a job did not begin within 10 s") }
        }
    }
}
