package import QueuePools

/// The kinds of pool, for tests of what holds for each.
package enum PoolKind: String, CaseIterable, Codable, Sendable {
    case dispatch
    #if os(Linux)
        case worker
    #endif

    /// Makes a pool of this kind.
    package func pool(
        _ label: String, _ queues: TierCounts, capacity: TierCapacities = .unlimited
    ) throws -> any AnyPool {
        let options = QueuePoolOptions(label: label, queuesPerTier: queues, capacity: capacity)
        switch self {
        case .dispatch: return try DispatchQueuePool(options)
        #if os(Linux)
            case .worker: return try WorkerQueuePool(options)
        #endif
        }
    }
}

/// A pool of whatever kind, as tests use it.
package protocol AnyPool: AnyObject, JobSubmitting {
    func shutdown(
        waitingJobs: Shutdown.WaitingJobs, runningJobs: Shutdown.RunningJobs, tasks: Shutdown.Tasks,
        timeLimit: Duration?
    ) async throws
    func shutdownBlocking()
    func queueCount(of tier: QoSTier) -> Int
    var statistics: PoolStatistics { get }
    func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor
}

extension AnyPool {
    package func shutdown(
        waitingJobs: Shutdown.WaitingJobs = .run, runningJobs: Shutdown.RunningJobs = .leave,
        tasks: Shutdown.Tasks = .leave, timeLimit: Duration? = nil
    ) async throws {
        try await shutdown(
            waitingJobs: waitingJobs, runningJobs: runningJobs, tasks: tasks, timeLimit: timeLimit)
    }

    /// Whether a shutdown ends before its time limit, and before the calling task is cancelled.
    package func hasShutDown(
        waitingJobs: Shutdown.WaitingJobs = .run, tasks: Shutdown.Tasks = .leave, timeLimit: Duration? = nil
    ) async -> Bool {
        do {
            try await shutdown(waitingJobs: waitingJobs, tasks: tasks, timeLimit: timeLimit)
            return true
        } catch {
            return false
        }
    }
}

extension QueuePool: AnyPool {
    package func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor { taskExecutor(for: qos) }
}
