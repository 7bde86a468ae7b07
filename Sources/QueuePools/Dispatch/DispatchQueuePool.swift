public import Dispatch

/// A pool of serial `DispatchQueue`s, for every platform and for code that must be given a `DispatchQueue`.
///
/// Its queues are ordinary Dispatch queues, with what Dispatch on Linux makes of them:
/// - a queue's thread is Dispatch's to choose and may change from job to job, so a queue cannot be kept on a
///   NUMA node; the pool only sees to it that callers of one node share the same queues;
/// - at most as many threads as queues run a tier's jobs, but Dispatch may keep more of them idle after a
///   flood of tiny jobs;
/// - relative priorities are nice values, set when a thread starts, and need privileges to be raised.
///
/// `Docs/Platforms.md` has the figures.
public typealias DispatchQueuePool = QueuePool<DispatchQueue>

extension QueuePool where Queue == DispatchQueue {
    /// Makes a pool with the given number of queues a tier.
    ///
    /// - Throws: ``PoolError`` for an empty label, no queues, or more than
    ///   ``QueuePoolConfiguration/maximumQueuesPerTier``.
    public convenience init(
        label: String, queuesPerTier: QueuePoolConfiguration.QueueCount = .activeCores
    ) throws(PoolError) {
        try self.init(QueuePoolConfiguration(label: label, queuesPerTier: queuesPerTier))
    }

    /// Makes a pool from a full configuration.
    ///
    /// - Throws: ``PoolError`` when the configuration is impossible.
    public convenience init(_ configuration: QueuePoolConfiguration) throws(PoolError) {
        try self.init(configuration) { label, tier, _ in .pooled(label: label, tier: tier) }
    }

    /// The pool of the process, labelled `shared`, with one queue per active core in each tier.
    ///
    /// It belongs to everybody: do not shut it down.
    public static var shared: DispatchQueuePool { sharedPool }
}

/// The next queue of the shared pool: short for `DispatchQueuePool.shared.queue(for: qos)`, with the same
/// counter.
public func pooledQueue(for qos: QoSTier) -> DispatchQueue {
    sharedPool.queue(for: qos)
}

private let sharedPool: DispatchQueuePool = {
    do {
        return try DispatchQueuePool(label: "shared")
    } catch {
        preconditionFailure("the default configuration is always possible: \(error)")
    }
}()
