import BenchmarkHarness
import QueuePools

/// What does a job cost more whose pool carries a task-local value to it?
struct CarriedContext: Benchmark {
    private static let ours = "WorkerQueuePool carrying one value"

    private enum Request { @TaskLocal static var id: Int? }

    let metrics = [
        Metric(
            "carried-context", unit: "ns/job", ours: ours,
            summary: "A thread with a task-local value submits jobs, and waits until all have run.")
    ]

    let trials = [
        trial(ours, threads: .own) { workers, end in
            let pool = try WorkerQueuePool(
                label: "context", queuesPerTier: .exactly(workers), carrying: Request.$id)
            return { try pool.async(qos: .default) { end.arrive() } }
        },
        trial("WorkerQueuePool without", threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "context", queuesPerTier: .exactly(workers))
            return { try pool.async(qos: .default) { end.arrive() } }
        },
        trial("WorkerQueuePool, by hand", threads: .own) { workers, end in
            let pool = try WorkerQueuePool(label: "context", queuesPerTier: .exactly(workers))
            return {
                let id = Request.id
                try pool.async(qos: .default) { Request.$id.withValue(id) { end.arrive() } }
            }
        },
        trial("Task", threads: .dispatchConcurrent) { _, end in
            { Task { end.arrive() } }
        },
    ]

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int, _ end: Countdown) throws -> () throws -> Void
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let count = scale.pick(quick: 5_000, full: 100_000)
            let end = Countdown()
            let submit = try make(scale.workers, end)
            return Session(measure: {
                end.expect(count)
                let start = Clock.now
                try Request.$id.withValue(7) { for _ in 0..<count { try submit() } }
                guard end.wait() else { throw MeasuringError("\(contender): not all jobs ran in a minute") }
                return [Reading(Double(Clock.now - start) / Double(count))]
            })
        }
    }
}
