public import Topology

/// How a ``QueuePool`` is laid out. ``WorkerOptions`` has what only pools of worker queues have. Checked when
/// a pool is made from it.
public struct QueuePoolConfiguration: Sendable {
    /// How many queues a tier has.
    public enum QueueCount: Hashable, Sendable {
        /// One for each core that this process can use (`CPUTopology.activeProcessorCount`), at most
        /// ``QueuePoolConfiguration/maximumQueuesPerTier``.
        case activeCores
        /// This many: 1…``QueuePoolConfiguration/maximumQueuesPerTier``, otherwise making the pool throws.
        case exactly(Int)
    }

    /// How a pool uses a machine with several NUMA nodes. With one node both are the same.
    public enum Placement: Hashable, Sendable {
        /// A tier's queues are divided among the nodes in proportion to their cores, and a caller gets those
        /// of the node that it runs on. Threads of worker queues are confined to their node.
        case byNode
        /// All callers share all queues of a tier. No thread is confined.
        case shared
    }

    /// The most queues that a tier can have: 64. Dispatch on Linux runs the serial queues of userInteractive
    /// and userInitiated from one set of at most 255 threads; two tiers of 64 leave half to the program.
    public static let maximumQueuesPerTier = 64

    /// The first part of every queue's label: `<label>.<tier>.<index>`. Not empty, no NUL.
    public var label: String

    /// Queues in each tier. Default: one per active core.
    public var queuesPerTier: QueueCount

    /// The machine to lay the queues out for. Default: this one, read when the configuration is made.
    public var topology: CPUTopology

    /// Whether queues belong to NUMA nodes. Default: ``Placement/byNode``.
    public var placement: Placement

    /// How many jobs of each tier may wait, neither begun nor cancelled: 1…``maximumCapacity``. Beyond that
    /// `async` throws ``PoolError`` (`.full`), and `run` is suspended until there is room. Default: any
    /// number, as for each tier without an entry. Calls of `sync`, what `enqueue` sends, and steps of tasks
    /// and actors do not count, because they cannot be refused.
    public var capacity: [QoSTier: Int]

    /// The largest capacity: 2³⁰.
    public static let maximumCapacity = 1 << 30

    /// Describes a pool.
    public init(
        label: String,
        queuesPerTier: QueueCount = .activeCores,
        topology: CPUTopology = .current(),
        placement: Placement = .byNode,
        capacity: [QoSTier: Int] = [:]
    ) {
        self.label = label
        self.queuesPerTier = queuesPerTier
        self.topology = topology
        self.placement = placement
        self.capacity = capacity
    }

    /// How many queues a tier has. Throws if the label, the count or a capacity is impossible.
    func validatedQueueCount() throws(PoolError) -> Int {
        try PoolError.checkLabel(label)
        let limit = Self.maximumQueuesPerTier
        var queueCount = min(topology.activeProcessorCount, limit)
        if case .exactly(let count) = queuesPerTier { queueCount = count }
        guard (1...limit).contains(queueCount) else {
            throw PoolError(
                .invalidQueueCount, "a tier has 1 to \(limit) queues; \(queueCount) were asked for")
        }
        for count in capacity.values where !(1...Self.maximumCapacity).contains(count) {
            throw PoolError(
                .invalidCapacity,
                "from 1 to \(Self.maximumCapacity) jobs can be allowed to wait; \(count) was asked for")
        }
        return queueCount
    }
}
