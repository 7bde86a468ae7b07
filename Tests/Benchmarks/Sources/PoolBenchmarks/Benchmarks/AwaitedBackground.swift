import BenchmarkHarness
import Dispatch
import QueuePools
import Synchronization

/// How long does an urgent task wait for a background job, while all tiers are saturated?
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
        trial("WorkerQueuePool", Roster.ownContenders[0], makeWorkerPool) { pool, times in
            try await pool.run { times.begin() }
        },
        trial(
            "DispatchQueuePool", Roster.ownContenders[2],
            { label, count in try DispatchQueuePool(label: label, queuesPerTier: count) }
        ) { pool, times in
            try await pool.run { times.begin() }
        },
        // What the pool cannot do better, since a tier has no more threads than queues: from when the task's
        // priority has risen until a thread of the tier to which it has risen ends its job.
        trial("the next free thread", Roster.ownContenders[0], makeWorkerPool, beginsAtEnd: true) {
            _, times in
            let (news, told) = AsyncStream<Void>.makeStream()
            let noteRise: @Sendable () -> Void = {
                times.isRaised.store(true, ordering: .relaxed)
                told.finish()
            }
            await withTaskPriorityEscalationHandler {
                // It may have risen before the handler was there.
                if Task.currentPriority > .background { noteRise() }
                for await _ in news {}
            } onPriorityEscalated: { _, _ in
                noteRise()
            }
        },
    ]

    @Sendable
    private static func makeWorkerPool(
        label: String, queuesPerTier: TierCounts
    ) throws -> WorkerQueuePool {
        try WorkerQueuePool(label: label, queuesPerTier: queuesPerTier)
    }

    private static func trial<Queue>(
        _ name: String, _ kind: ContenderKind,
        _ makePool:
            @escaping @Sendable (String, TierCounts) throws -> QueuePool<Queue>,
        beginsAtEnd: Bool = false,
        work: @escaping @Sendable (QueuePool<Queue>, Times) async throws -> Void
    ) -> Trial {
        Trial(name, threads: kind.threads) { scale in
            let pool = try makePool("awaited", .exactly(scale.workers))
            return Session(measure: {
                let present = Mutex<Times?>(nil)
                let load = Saturation(PoolJobs(pool), tiers: QoSTier.allCases, workers: scale.workers) {
                    tier in
                    if beginsAtEnd, tier == .userInitiated { present.withLock { $0?.beginIfRaised() } }
                }
                defer { load.end() }
                Clock.sleep(microseconds: 10_000)
                let samples = try (0..<scale.pick(quick: 20, full: 50)).map { _ in
                    let times = Times()
                    present.withLock { $0 = times }
                    return try sample(times) { try await work(pool, times) }
                }
                return [Reading(samples: samples)]
            })
        }
    }

    private static func sample(
        _ times: Times, _ work: @escaping @Sendable () async throws -> Void
    ) throws -> Double {
        Clock.sleep(microseconds: 1_000)
        let background = Task.detached(priority: .background) {
            times.isReached.signal()
            try await work()
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
        while times.begun.load(ordering: .relaxed) == 0 { Clock.sleep(microseconds: 100) }
        let (begun, awaited) = (times.begun.load(ordering: .relaxed), times.awaited.load(ordering: .relaxed))
        return begun > awaited ? Double(begun - awaited) / 1_000 : 0
    }

    final class Times: Sendable {
        let begun = Atomic<UInt64>(0)
        let awaited = Atomic<UInt64>(0)
        let isRaised = Atomic<Bool>(false)
        let isReached = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)

        func begin() { begun.store(Clock.now, ordering: .relaxed) }

        func beginIfRaised() {
            if isRaised.load(ordering: .relaxed), begun.load(ordering: .relaxed) == 0 { begin() }
        }
    }
}
