import BenchmarkHarness
import Dispatch
import QueuePools

/// What does a job cost that begins later, from its submission to its end?
struct DelayedStart: Benchmark {
    private static let ours = "WorkerQueuePool start(after:)"

    let metrics = [
        Metric(
            "delayed-start", unit: "ns/job", ours: ours,
            summary: "A thread submits jobs that begin a millisecond later, and waits until all have run.")
    ]

    let trials = [
        trial(ours, threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "delayed", queuesPerTier: .exactly(workers))
            return { try pool.start(qos: .default, after: delay) { end.arrive() } }
        },
        trial("WorkerQueuePool async(after:)", threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "delayed", queuesPerTier: .exactly(workers))
            return { try pool.async(qos: .default, after: delay) { end.arrive() } }
        },
        trial("WorkerQueuePool start, at once", threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "delayed", queuesPerTier: .exactly(workers))
            return { try pool.start(qos: .default) { end.arrive() } }
        },
        trial("WorkerQueuePool async, at once", threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "delayed", queuesPerTier: .exactly(workers))
            return { try pool.async(qos: .default) { end.arrive() } }
        },
        trial("DispatchQueue.asyncAfter", threads: .dispatchConcurrent) { _, end in
            let queue = DispatchQueue.global()
            return { queue.asyncAfter(deadline: .now() + .milliseconds(1)) { end.arrive() } }
        },
        trial("Task.sleep", threads: .dispatchConcurrent) { _, end in
            {
                Task.detached {
                    try? await Task.sleep(for: delay)
                    end.arrive()
                }
            }
        },
    ]

    private static let delay = Duration.milliseconds(1)

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int, _ end: Countdown) throws -> () throws -> Void
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let count = scale.pick(quick: 2_000, full: 20_000)
            let end = Countdown()
            let submit = try make(scale.workers, end)
            return Session(measure: {
                end.expect(count)
                let start = Clock.now
                for _ in 0..<count { try submit() }
                guard end.wait() else { throw MeasuringError("\(contender): not all jobs ran in a minute") }
                return [Reading(Double(Clock.now - start) / Double(count))]
            })
        }
    }
}
