public import Topology

/// How a ``QueuePool`` is laid out. Values are checked when a pool is made from them.
public struct QueuePoolConfiguration: Sendable {
    /// How many queues a tier has.
    public enum QueueCount: Hashable, Sendable {
        /// One for each core that this process can use (`CPUTopology.activeProcessorCount`), cut to
        /// ``QueuePoolConfiguration/maximumQueuesPerTier``.
        case activeCores
        /// This many: 1…``QueuePoolConfiguration/maximumQueuesPerTier``, otherwise making the pool throws.
        case exactly(Int)
    }

    /// What a machine with several NUMA nodes does to the pool. With one node both are the same.
    public enum Placement: Hashable, Sendable {
        /// A tier's queues are divided among the nodes in proportion to their cores, and a caller is handed
        /// those of the node that it runs on. Threads of worker queues are confined to their node.
        case byNode
        /// All callers share all queues of a tier. No thread is confined.
        case shared
    }

    /// The most queues that a tier can have: 64.
    ///
    /// Dispatch on Linux runs the serial queues of userInteractive and userInitiated from one set of at most
    /// 255 threads. Two tiers of 64 leave half of it to the rest of the program.
    public static let maximumQueuesPerTier = 64

    /// The first part of every queue's label: `<label>.<tier>.<index>`. Not empty, no NUL.
    public var label: String

    /// Queues in each tier. Default: one per active core.
    public var queuesPerTier: QueueCount

    /// The machine to lay the queues out for. Default: this one, read when the configuration is made.
    public var topology: CPUTopology

    /// Whether queues belong to NUMA nodes. Default: ``Placement/byNode``.
    public var placement: Placement

    /// How the threads of each tier are scheduled; a tier without an entry runs as the process does. Default:
    /// `.separated`, each tier below the one above it; `.inherited` switches that off. Worker queues only.
    public var scheduling: [QoSTier: ThreadScheduling]

    /// How many jobs of each tier may wait, neither begun nor cancelled: 1…``maximumCapacity``. Beyond that
    /// `async` throws ``PoolError`` (`.full`), and `run` is suspended until there is room. Default: any
    /// number, as for each tier without an entry. Calls of `sync`, what `enqueue` sends, and steps of tasks
    /// and actors do not count: they cannot be refused.
    public var capacity: [QoSTier: Int]

    /// The largest capacity: 2³⁰.
    public static let maximumCapacity = 1 << 30

    /// How the threads are made, wait and end. Worker queues only.
    public var threads: ThreadConfiguration

    /// What is noted of each job. Default: nil, nothing. Worker queues only.
    public var observation: JobObservation?

    /// Describes a pool.
    public init(
        label: String,
        queuesPerTier: QueueCount = .activeCores,
        topology: CPUTopology = .current(),
        placement: Placement = .byNode,
        scheduling: [QoSTier: ThreadScheduling] = .separated,
        capacity: [QoSTier: Int] = [:],
        threads: ThreadConfiguration = ThreadConfiguration(),
        observation: JobObservation? = nil
    ) {
        self.label = label
        self.queuesPerTier = queuesPerTier
        self.topology = topology
        self.placement = placement
        self.scheduling = scheduling
        self.capacity = capacity
        self.threads = threads
        self.observation = observation
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

/// How threads of worker queues are made, wait and end. Checked when a pool or a queue is made from it.
///
/// The hooks are called on the thread itself, outside of any queue: they may submit jobs, but must not wait
/// for jobs that the thread is to run. Several threads call them at once, and retain them.
public struct ThreadConfiguration: Sendable {
    /// Called on a thread or about it, with the thread's label.
    ///
    /// The label is `<pool>.<tier>.<index>`, `<pool>.<tier>` if the tier has one thread, or that of a queue
    /// made by itself. Linux cuts it to 15 bytes for the thread's name. Each NUMA node counts from 0.
    public typealias Hook = @Sendable (_ label: String) -> Void

    /// How long a thread waits for work before it ends. Default: 60 s.
    ///
    /// With zero it ends as soon as it has nothing to do. A time of more than 292 years never ends. Of each
    /// tier (and NUMA node) that was used one thread stays, as does the thread of a queue made with
    /// `runsSyncOnThread`.
    public var idleLifetime: Duration

    /// The size of a thread's stack in bytes: 64 KiB, or what the system requires if that is more
    /// (`PTHREAD_STACK_MIN`), to 1 GiB. Default: nil, the system's choice (`ulimit -s`, 8 MiB by default).
    ///
    /// Linux provides memory for the part that is used only. Where the system has no address space for the
    /// stack, it has no thread: `PoolError.Code.noThread`.
    public var stackSize: Int?

    /// How often a thread that has nothing to do yields before it sleeps: 0…10,000. Default: 8;
    /// `Docs/Decisions/0004-worker-queues.md` has the figures.
    ///
    /// Threads with slices longer than 0.2 ms do not yield, those of userInteractive only after several jobs.
    public var yieldsBeforeParking: Int

    /// Called before a thread's first job, when it has its name, scheduling and CPUs. Default: nil.
    public var whenStarted: Hook?

    /// Called after a thread's last job, by when another thread may have taken its place. Default: nil.
    ///
    /// It is not called in a forked child, nor by threads that are idle when the process exits.
    public var whenEnding: Hook?

    /// Describes threads.
    public init(
        idleLifetime: Duration = .seconds(60),
        stackSize: Int? = nil,
        yieldsBeforeParking: Int = 8,
        whenStarted: Hook? = nil,
        whenEnding: Hook? = nil
    ) {
        self.idleLifetime = idleLifetime
        self.stackSize = stackSize
        self.yieldsBeforeParking = yieldsBeforeParking
        self.whenStarted = whenStarted
        self.whenEnding = whenEnding
    }
}
