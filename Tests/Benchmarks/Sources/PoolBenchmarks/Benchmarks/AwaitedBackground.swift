import BenchmarkHarness
import Dispatch
import QueuePools
import Synchronization

/// How long does someone urgent wait for a background job, while all tiers are saturated?
struct AwaitedBackground: Benchmark {
    let metrics = [
        Metric(
            "awaited-background", unit: "µs",
            summary:
                "A background task has a job run on its tier and awaits it; a task of high priority awaits that task. From "
                + "then until the job begins, all five tiers being saturated.")
    ]

    let plan = Plan(rounds: (2, 9), warmsUp: false)

    let trials = [
        trial("WorkerQueuePool", Roster.ownContenders[0]) {
            try WorkerQueuePool(label: "awaited", queuesPerTier: .exactly($0))
        },
        trial("DispatchQueuePool", Roster.ownContenders[2]) {
            try DispatchQueuePool(label: "awaited", queuesPerTier: .exactly($0))
        },
    ]

    private static func trial<Queue>(
        _ name: String, _ kind: ContenderKind, _ make: @escaping @Sendable (Int) throws -> QueuePool<Queue>
    ) -> Trial {
        Trial(name, threads: kind.threads) { scale in
            let pool = try make(scale.workers)
            return Session(measure: {
                let load = Saturation(PoolJobs(pool), tiers: QoSTier.allCases, workers: scale.workers)
                defer { load.end() }
                Clock.sleep(microseconds: 10_000)
                let samples = try (0..<scale.pick(quick: 20, full: 50)).map { _ in try sample(pool) }
                return [Reading(samples: samples)]
            })
        }
    }

    private static func sample<Queue>(_ pool: QueuePool<Queue>) throws -> Double {
        Clock.sleep(microseconds: 1_000)
        let times = Times()
        let background = Task.detached(priority: .background) {
            times.isReached.signal()
            try await pool.run { times.begun.store(Clock.now, ordering: .relaxed) }
        }
        // The task itself runs on Dispatch, where it waits for a processor as well.
        guard times.isReached.wait(timeout: .now() + .seconds(60)) == .success else {
            throw MeasuringError("a background task has not begun after a minute")
        }
        Clock.sleep(microseconds: 1_000)
        Task.detached(priority: .high) {
            times.awaited.store(Clock.now, ordering: .relaxed)
            _ = await background.result
            times.isOver.signal()
        }
        guard times.isOver.wait(timeout: .now() + .seconds(60)) == .success else {
            throw MeasuringError("a background job has not begun after a minute")
        }
        let (begun, awaited) = (times.begun.load(ordering: .relaxed), times.awaited.load(ordering: .relaxed))
        return begun > awaited ? Double(begun - awaited) / 1_000 : 0
    }

    private final class Times: Sendable {
        let begun = Atomic<UInt64>(0)
        let awaited = Atomic<UInt64>(0)
        let isReached = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
    }
}
