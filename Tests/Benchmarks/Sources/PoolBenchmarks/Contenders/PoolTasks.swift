import QueuePools

/// Tasks that prefer a pool's executor: `Task.detached(executorPreference: pool.taskExecutor(for:))`.
///
/// Made of closures for the reason that ``PoolJobs`` gives.
struct PoolTasks: Contender {
    private let submitJobs: @Sendable (EmptyJobs) -> Void
    private let submitBody: @Sendable (QoSTier, @escaping @Sendable () -> Void) -> Void
    private let shutDownPool: @Sendable () -> Void

    init<Queue>(_ pool: QueuePool<Queue>) {
        let executors = QoSTier.allCases.map { pool.taskExecutor(for: $0) }
        submitJobs = { jobs in
            for number in jobs.numbers {
                let executor = executors[jobs.tier(of: number).rawValue]
                Task.detached(executorPreference: executor) { [tally = jobs.tally] in tally.count(number) }
            }
        }
        submitBody = { tier, body in
            Task.detached(executorPreference: executors[tier.rawValue]) { body() }
        }
        shutDownPool = { pool.shutdownBlocking() }
    }

    func submit(_ jobs: EmptyJobs) {
        submitJobs(jobs)
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        submitBody(tier, body)
    }

    func shutDown() {
        shutDownPool()
    }
}
