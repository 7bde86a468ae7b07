/// A snapshot of a pool's accounts.
///
/// It counts what went through the pool: `async` and the executors. What a caller puts on a queue that it was
/// handed by `queue(for:)` is counted too if that is a ``WorkerQueue``, and not seen if it is a `DispatchQueue`.
/// Figures of a running pool are read one after the other, so sums may be off by the jobs that moved meanwhile.
public struct PoolStatistics: Hashable, Sendable {
    /// The accounts of each tier; a tier never used is all zeros.
    public var tiers: [QoSTier: TierStatistics]

    /// The accounts of one tier.
    public subscript(tier: QoSTier) -> TierStatistics { tiers[tier] ?? TierStatistics() }
}

/// The accounts of one tier of a pool.
public struct TierStatistics: Hashable, Sendable {
    /// Jobs accepted so far.
    public var submitted = 0
    /// Jobs accepted and neither begun nor cancelled.
    public var waiting = 0
    /// Jobs running now.
    public var running = 0
    /// Jobs that ran to their end.
    public var finished = 0
    /// Jobs cancelled before they began.
    public var cancelled = 0
    /// Threads that serve the tier's queues. Worker queues only.
    public var threads = 0
    /// How often the system refused a thread; it is asked again while jobs wait. Worker queues only.
    public var threadFailures = 0
    /// How often the kernel refused a thread its scheduling or its CPUs, or a queue the memory of its node. What else was
    /// asked for is done. Worker queues only.
    public var schedulingFailures = 0
    /// How long jobs waited from submission to start, from a sample of one in sixteen.
    public var waitTimes = TimeSummary()
}
