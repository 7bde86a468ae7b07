import Synchronization

/// How long does it take until a job begins that finds all workers asleep, and what does its submitter pay?
///
/// The submitter goes on working, as a main thread would: it looks until the job has begun.
struct WakeUp: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let idleSeconds: Int
    private let rounds: (quick: Int, full: Int)

    /// Workers have been asleep for a millisecond.
    static let warm = WakeUp(
        "wake-up-warm", "a millisecond", idleSeconds: 0, rounds: (3, 9), samples: (60, 300))

    /// Long enough for Dispatch to have ended its idle threads, which it does after five seconds.
    static let afterIdle = WakeUp(
        "wake-up-idle-6s", "six seconds", idleSeconds: 6, rounds: (1, 5), samples: (1, 1))

    private init(
        _ name: String, _ pause: String, idleSeconds: Int, rounds: (quick: Int, full: Int),
        samples: (quick: Int, full: Int)
    ) {
        self.idleSeconds = idleSeconds
        self.rounds = rounds
        metrics = [
            Metric(
                name, unit: "µs",
                summary: "From the submission of a job until it begins, all workers idle for \(pause)."),
            Metric(
                "\(name)-caller", unit: "µs",
                summary: "What the call that submits that job takes of its caller's time."),
        ]
        trials = Roster.all.map { kind in
            Trial(kind) { contender, scale in
                try WakeUp.measure(
                    contender, samples: scale.pick(quick: samples.quick, full: samples.full),
                    isWarm: idleSeconds == 0)
            }
        }
    }

    func defaultRounds(isQuick: Bool) -> Int { isQuick ? rounds.quick : rounds.full }

    private static func measure(_ contender: any Contender, samples: Int, isWarm: Bool) throws -> [Reading] {
        let begun = BeginningTime()
        var (latencies, calls): ([Double], [Double]) = ([], [])
        for _ in 0..<samples {
            if isWarm { Clock.sleep(microseconds: 1_000) }
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
