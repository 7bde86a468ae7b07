public import Dispatch

/// A pool of serial `DispatchQueue`s, for every platform and for code that needs a `DispatchQueue`.
///
/// Its queues are ordinary Dispatch queues, with the properties of Dispatch on Linux:
/// - Dispatch chooses a queue's thread, which may change from job to job, so a queue cannot be kept on a NUMA
///   node; the pool only ensures that callers of one node share the same queues;
/// - at most as many threads as queues run a tier's jobs; Dispatch may keep idle ones after many tiny jobs;
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
    /// - Throws: ``PoolError`` if the configuration is impossible.
    public convenience init(_ configuration: QueuePoolConfiguration) throws(PoolError) {
        try self.init(configuration) { label, tier, _ in .pooled(label: label, tier: tier) }
    }

    /// The process's pool, labelled `shared`, with a queue per active core in each tier. Do not shut it down.
    public static var shared: DispatchQueuePool { sharedPool }
}

/// The default configuration is always possible.
private let sharedPool = try! DispatchQueuePool(label: "shared")

extension DispatchQueue: SerialQueue {
    /// Marks each pooled queue with its own identity, by which a job finds out where it runs.
    private static let identityKey = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes a queue for a pool: serial, at the tier's quality of service, with no explicit target. With
    /// `target: .global(qos:)` it would stop whenever the program blocks the queues of `DispatchQueue.global`
    /// (`Docs/Decisions/0001-dispatch-queue-target.md`).
    static func pooled(label: String, tier: QoSTier) -> DispatchQueue {
        let queue = DispatchQueue(label: label, qos: tier.dispatchQoS)
        queue.setSpecific(key: identityKey, value: ObjectIdentifier(queue))
        return queue
    }

    /// Submits a job with `async(execute:)`.
    public func enqueue(_ job: @escaping @Sendable () -> Void) { async(execute: job) }

    /// True on a job of this queue; always false for queues that no pool has made.
    public var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.identityKey) == ObjectIdentifier(self) }
}
