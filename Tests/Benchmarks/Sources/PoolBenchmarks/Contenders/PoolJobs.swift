import QueuePools

/// A pool's jobs: `pool.async(qos:)` and `pool.async(qos:key:)`.
///
/// The closures are made where the kind of queue is known, so their loops are compiled for it: methods of a
/// generic type that are called through a protocol would ask at run time what kind it is.
struct PoolJobs: KeyedContender {
    private let submitJobs: @Sendable (EmptyJobs) throws -> Void
    private let submitJobsByKey: @Sendable (EmptyJobs) throws -> Void
    private let submitBody: @Sendable (QoSTier, @escaping @Sendable () -> Void) throws -> Void
    private let shutDownPool: @Sendable () -> Void

    init<Queue>(_ pool: QueuePool<Queue>) {
        submitJobs = { jobs in
            for number in jobs.numbers {
                try pool.async(qos: jobs.tier(of: number)) { [tally = jobs.tally] in tally.count(number) }
            }
        }
        submitJobsByKey = { jobs in
            for number in jobs.numbers {
                try pool.async(qos: jobs.tier(of: number), key: jobs.key(of: number)) {
                    [tally = jobs.tally] in
                    tally.count(number)
                }
            }
        }
        submitBody = { tier, body in try pool.async(qos: tier, body) }
        shutDownPool = { pool.shutdownBlocking() }
    }

    func submit(_ jobs: EmptyJobs) {
        accepted { try submitJobs(jobs) }
    }

    func submitByKey(_ jobs: EmptyJobs) {
        accepted { try submitJobsByKey(jobs) }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        accepted { try submitBody(tier, body) }
    }

    func shutDown() {
        shutDownPool()
    }

    private func accepted(_ submission: () throws -> Void) {
        do {
            try submission()
        } catch {
            fatalError("the pool refused a job while it was measured: \(error)")
        }
    }
}
