package import QueuePools

/// The kinds of pool, for tests of what holds for each.
package enum PoolKind: String, CaseIterable, Codable, Sendable {
    case dispatch
    #if os(Linux)
        case worker
    #endif

    /// Makes a pool of this kind.
    package func pool(
        _ label: String, _ queues: QueuePoolConfiguration.QueueCount, capacity: [QoSTier: Int] = [:]
    ) throws -> any AnyPool {
        let configuration = QueuePoolConfiguration(label: label, queuesPerTier: queues, capacity: capacity)
        switch self {
        case .dispatch: return try DispatchQueuePool(configuration)
        #if os(Linux)
            case .worker: return try WorkerQueuePool(configuration)
        #endif
        }
    }
}

/// A pool of whatever kind, as tests use it.
package protocol AnyPool: AnyObject, JobSubmitting {
    @discardableResult
    func async(
        qos: QoSTier, key: some Hashable, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob
    @discardableResult
    func shutdown(cancellingWaiting: Bool, waitingForTasks: Bool, timeLimit: Duration?) async -> Bool
    func shutdownBlocking()
    var queuesPerTier: Int { get }
    var statistics: PoolStatistics { get }
    func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor
}

extension AnyPool {
    @discardableResult
    package func shutdown(
        cancellingWaiting: Bool = false, waitingForTasks: Bool = false, timeLimit: Duration? = nil
    ) async -> Bool {
        await shutdown(
            cancellingWaiting: cancellingWaiting, waitingForTasks: waitingForTasks, timeLimit: timeLimit)
    }
}

extension QueuePool: AnyPool {
    package func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor { taskExecutor(for: qos) }
}
