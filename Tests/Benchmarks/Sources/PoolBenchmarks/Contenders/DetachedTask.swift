import QueuePools

/// `Task.detached` on the default executor, with a priority for each tier.
struct DetachedTask: Contender {
    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            Task.detached(priority: jobs.tier(of: number).taskPriority) { [tally = jobs.tally] in
                tally.count(number)
            }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        Task.detached(priority: tier.taskPriority) { body() }
    }

    func shutDown() {}
}

extension QoSTier {
    /// The task priorities have the raw values of the quality-of-service classes, and no name for the
    /// highest.
    fileprivate var taskPriority: TaskPriority {
        switch self {
        case .background: .background
        case .utility: .utility
        case .default: .medium
        case .userInitiated: .userInitiated
        case .userInteractive: TaskPriority(rawValue: 0x21)
        }
    }
}
