import BenchmarkHarness
import Dispatch
import QueuePools
import Synchronization

/// How long does a job of the most urgent tier wait while all tiers below it are saturated?
struct LatencyUnderLoad: Benchmark {
    let metrics = [
        Metric(
            "ui-latency-under-load", unit: "µs",
            summary:
                "From the submission of a userInteractive job until it begins, all four tiers below being saturated."
        )
    ]

    let plan = Plan(rounds: (2, 9), warmsUp: false)

    let trials = Roster.all.map { kind in
        Trial(kind) { contender, scale in
            _ = sample(contender)  // the tier's threads are made before it is measured
            let load = Saturation(
                contender, tiers: QoSTier.allCases.filter { $0 < .userInteractive }, workers: scale.workers)
            defer { load.end() }
            Clock.sleep(microseconds: 10_000)
            // Fewer on a machine that has more to do, where one may wait for seconds.
            let deadline = Clock.now + UInt64(scale.pick(quick: 500_000_000, full: 10_000_000_000))
            var samples = [sample(contender)]
            while samples.count < scale.pick(quick: 40, full: 200), Clock.now < deadline {
                samples.append(sample(contender))
            }
            return [Reading(samples: samples)]
        }
    }

    /// Sleeps between samples and while it waits: a submitter that computed all the time would itself be one
    /// more thread that the job competes with.
    private static func sample(_ contender: any Contender) -> Double {
        Clock.sleep(microseconds: 1_000)
        let latency = Latency()
        let submitted = Clock.now
        contender.submit(to: .userInteractive) { latency.end() }
        return Double(latency.wait() - submitted) / 1_000
    }
}

private final class Latency: Sendable {
    private let time = Atomic<UInt64>(0)
    private let begun = DispatchSemaphore(value: 0)

    func end() {
        time.store(Clock.now, ordering: .relaxed)
        begun.signal()
    }

    func wait() -> UInt64 {
        begun.wait()
        return time.load(ordering: .relaxed)
    }
}
