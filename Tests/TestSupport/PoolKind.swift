package import QueuePools

/// The kinds of pool, for tests of what holds for each.
package enum PoolKind: String, CaseIterable, Codable, Sendable {
    case dispatch
    #if os(Linux)
        case worker
    #endif

    /// Makes a pool of this kind.
    package func pool(_ label: String, _ queues: QueuePoolConfiguration.QueueCount) throws -> any AnyPool {
        switch self {
        case .dispatch: try DispatchQueuePool(label: label, queuesPerTier: queues)
        #if os(Linux)
            case .worker: try WorkerQueuePool(label: label, queuesPerTier: queues)
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
    func shutdown(cancellingWaiting: Bool, timeLimit: Duration?) async -> Bool
    func shutdownBlocking()
    var queuesPerTier: Int { get }
    var statistics: PoolStatistics { get }
    func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor
}

extension AnyPool {
    @discardableResult
    package func shutdown(cancellingWaiting: Bool = false, timeLimit: Duration? = nil) async -> Bool {
        await shutdown(cancellingWaiting: cancellingWaiting, timeLimit: timeLimit)
    }
}

extension QueuePool: AnyPool {
    package func anyTaskExecutor(for qos: QoSTier) -> any TaskExecutor { taskExecutor(for: qos) }
}
