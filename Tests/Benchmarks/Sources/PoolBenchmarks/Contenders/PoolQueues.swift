import QueuePools

/// A pool's queues, used directly: `pool.queue(for:).enqueue`. Such a job cannot be cancelled, and the pool
/// keeps no account of it.
///
/// Made of closures for the reason that ``PoolJobs`` gives.
struct PoolQueues: KeyedContender {
    private let submitJobs: @Sendable (EmptyJobs) -> Void
    private let submitJobsByKey: @Sendable (EmptyJobs) -> Void
    private let submitBody: @Sendable (QoSTier, @escaping @Sendable () -> Void) -> Void
    private let shutDownPool: @Sendable () -> Void

    init<Queue>(_ pool: QueuePool<Queue>) {
        submitJobs = { jobs in
            for number in jobs.numbers {
                pool.queue(for: jobs.tier(of: number)).enqueue { [tally = jobs.tally] in tally.count(number) }
            }
        }
        submitJobsByKey = { jobs in
            for number in jobs.numbers {
                let queue = pool.queue(for: jobs.tier(of: number), key: jobs.key(of: number))
                queue.enqueue { [tally = jobs.tally] in tally.count(number) }
            }
        }
        submitBody = { tier, body in pool.queue(for: tier).enqueue(body) }
        shutDownPool = { pool.shutdownBlocking() }
    }

    func submit(_ jobs: EmptyJobs) {
        submitJobs(jobs)
    }

    func submitByKey(_ jobs: EmptyJobs) {
        submitJobsByKey(jobs)
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        submitBody(tier, body)
    }

    func shutDown() {
        shutDownPool()
    }
}
