import BenchmarkHarness
import CMeasuring
import Dispatch
import QueuePools

/// One of this package's pools, with all that the benchmarks do to it: its jobs, its queues, its tasks, and
/// what only pools can do.
struct PoolKind: Sendable {
    let name: String
    let threads: ThreadSource
    /// `pool.async`.
    let jobs: @Sendable (_ workers: Int) throws -> any KeyedContender
    /// `pool.queue(for:).enqueue`.
    let queues: @Sendable (_ workers: Int) throws -> any KeyedContender
    /// Tasks on the pool's executor.
    let tasks: @Sendable (_ workers: Int) throws -> any Contender
    /// Makes a pool and returns what hands out as many queues as it is told to.
    let selectQueues: @Sendable (_ workers: Int) throws -> @Sendable (_ count: Int) -> Void
    /// Makes a pool and returns what submits jobs that must wait, and tells how long cancelling one took.
    let cancelWaiting: @Sendable (_ workers: Int) throws -> @Sendable (_ count: Int) throws -> Double

    /// - Parameter makePool: makes a pool with this label and this many queues a tier.
    init<Queue>(
        _ name: String, threads: ThreadSource,
        makePool: @escaping @Sendable (_ label: String, _ queuesPerTier: Int) throws -> QueuePool<Queue>
    ) {
        self.name = name
        self.threads = threads
        jobs = { PoolJobs(try makePool("jobs", $0)) }
        queues = { PoolQueues(try makePool("queues", $0)) }
        tasks = { PoolTasks(try makePool("tasks", $0)) }
        selectQueues = { workers in
            let pool = try makePool("selection", workers)
            return { count in
                for _ in 0..<count {
                    let queue = Unmanaged.passUnretained(pool.queue(for: .default))
                    measuring_keep(UInt64(UInt(bitPattern: queue.toOpaque())))
                }
            }
        }
        cancelWaiting = { workers in
            let pool = try makePool("cancel", workers)
            return { count in
                try CancelWaiting.time(
                    count: count, blockers: workers,
                    block: { body in pool.queue(for: .default).enqueue(body) },
                    submit: { body in try pool.async(qos: .default, body) },
                    cancel: { $0.cancel() })
            }
        }
    }
}
