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
    /// `capacity`: how many jobs of a tier may wait (``QueuePoolOptions/capacity``). Default: any.
    /// `carrying`: the task-local values that jobs carry (``QueuePoolOptions/carrying``). Default:
    /// none.
    ///
    /// - Throws: ``PoolError`` for an empty label, no queues, more than
    ///   ``QueuePoolOptions/queuesPerTierLimit``, or an impossible capacity.
    public convenience init(
        label: String, queuesPerTier: TierCounts = .automatic,
        capacity: TierCapacities = .unlimited, carrying: any CarriedTaskLocal...
    ) throws(PoolError) {
        var options = QueuePoolOptions(
            label: label, queuesPerTier: queuesPerTier, capacity: capacity)
        options.carrying = carrying
        try self.init(options)
    }

    /// Makes a pool from options.
    ///
    /// - Throws: ``PoolError`` if the options are impossible.
    public convenience init(_ options: QueuePoolOptions) throws(PoolError) {
        try self.init(options) { label, tier, _ in .pooled(label: label, tier: tier) }
    }

    /// The process's pool, labelled `shared`, with a queue per active core in each tier. The whole program
    /// uses it: do not shut it down.
    public static var shared: DispatchQueuePool { sharedPool }
}

/// The default options are always possible.
private let sharedPool = try! DispatchQueuePool(label: "shared")

extension DispatchQueue: ContextFreeQueue {}

extension DispatchQueue: SerialQueue {
    /// The key of the mark of each pooled queue, from which a job finds out where it runs.
    private static let markKey = DispatchSpecificKey<PoolMark>()

    /// The description of a pooled queue, for its jobs.
    struct PoolMark: Sendable {
        let queue: ObjectIdentifier
        let tier: QoSTier
        let label: String
    }

    static var currentMark: PoolMark? { getSpecific(key: markKey) }

    /// Makes a queue for a pool: serial, at the tier's quality of service, with no explicit target. With
    /// `target: .global(qos:)` it would stop whenever the program blocks the queues of `DispatchQueue.global`
    /// (`Docs/Decisions/0001-dispatch-queue-target.md`).
    static func pooled(label: String, tier: QoSTier) -> DispatchQueue {
        let queue = DispatchQueue(label: label, qos: tier.dispatchQoS)
        let mark = PoolMark(queue: ObjectIdentifier(queue), tier: tier, label: label)
        queue.setSpecific(key: markKey, value: mark)
        return queue
    }

    /// Submits a job with `async(execute:)`.
    public func enqueue(_ job: @escaping @Sendable () -> Void) { async(execute: job) }

    /// True on a job of this queue; always false for queues that no pool has made.
    public var isCurrent: Bool { Self.currentMark?.queue == ObjectIdentifier(self) }
}
