import QueuePoolsLocks
import Synchronization
public import QueuePoolsTopology

/// A pool of serial queues: five tiers, in each a fixed number of queues, selected round-robin.
///
/// The number of jobs that run at a time is fixed, whatever the jobs wait for; a concurrent queue starts
/// another thread whenever a job blocks. *n* serial queues run at most *n* jobs, and the threads of a worker
/// pool's tier as many as there are threads. The idea is that of YYDispatchQueuePool (2015).
///
///     let pool = try DispatchQueuePool(label: "feed")
///     try pool.async(qos: .userInitiated) { draw() }
///     pool.shutdownBlocking()
///
/// - ``queue(for:)`` and ``queue(for:key:)`` return a queue, for any use.
/// - ``async(qos:_:)`` submits an unordered job and returns a handle that can cancel it.
/// - ``taskExecutor(for:)`` and ``serialExecutor(for:)`` run Swift tasks and actors on the pool.
///
/// Queues are made tier by tier, each tier when it is first used. Dropping the last reference to a pool loses
/// nothing: accepted jobs run. *Thread-safe.*
public final class QueuePool<Queue: SerialQueue>: Sendable {
    /// Makes one queue of the pool.
    public typealias QueueMaker =
        @Sendable (_ label: String, _ tier: QoSTier, _ node: CPUTopology.Node.ID?) -> Queue

    /// The first part of every queue's label.
    public let label: String

    /// How many queues each tier has, by its number.
    private let queueCounts: [Int]
    /// How many threads each tier has at most.
    let threadCounts: [Int]
    private let newTier: @Sendable (QoSTier) -> TierQueues<Queue>

    /// Filled under `construction`, and read without it.
    @usableFromInline let published = PublishedTiers<Queue>()
    let construction = Lock(())
    /// One of each tier.
    let loops: [TierLoops]
    /// Changed under `construction`, which orders it; elsewhere it orders nothing.
    let closing = ClaimOnce()
    var isShutDown: Bool { closing.isClaimed }
    let time: PoolTime
    /// The task-local values that jobs carry; nil if they carry none.
    @usableFromInline let carrier: TaskLocalCarrier?
    /// Claimed by the one of the shutdowns beyond their limits that ends the threads.
    let ending = ClaimOnce()

    /// Intakes that are closed and not drained.
    let undrained = UseCount()
    /// The jobs that wait and can be awaited.
    let awaitedJobs = AwaitedJobs()
    var awaited: AwaitedJobs? { awaitedJobs }
    /// The task executors that exist. A task holds its executor until it ends.
    let executors = UseCount()
    /// The store releases and the load acquires the threads' writes.
    let areThreadsEnded = Atomic<Bool>(false)

    /// Makes a pool of any kind of serial queue.
    ///
    /// - Parameters:
    ///   - options: how the pool is laid out.
    ///   - makeQueue: makes a queue with this label for this tier and, on machines of several nodes, this
    ///     NUMA node. Called once per queue, on the tier's first use, under a lock: it must not use the pool.
    /// - Throws: ``PoolError`` if the options are impossible.
    public convenience init(
        _ options: QueuePoolOptions, makeQueue: @escaping QueueMaker
    ) throws(PoolError) {
        try self.init(options, clock: nil, makeQueue: makeQueue)
    }

    /// - Parameter clock: the time of delays and deadlines; nil for the system's.
    package convenience init(
        _ options: QueuePoolOptions, clock: (any PoolClock)?, makeQueue: @escaping QueueMaker
    ) throws(PoolError) {
        let label = options.label
        try self.init(options, clock: clock) { tier, layout, number, accounting in
            let part = layout.partitions[number]
            let queues = part.queues.map { makeQueue(tier.queueLabel(in: label, $0), tier, part.node) }
            return CountedPartition(
                queues, labels: part.queues.map { tier.queueLabel(in: label, $0) }, accounting: accounting)
        }
    }

    /// - Parameter threadCount: how many threads a tier has. Default: one for each queue.
    init(
        _ options: QueuePoolOptions, threadCount: ((QoSTier) -> Int)? = nil,
        currentCPU: @escaping @Sendable () -> Int? = CPUTopology.currentCPU,
        clock: (any PoolClock)? = nil,
        makePartition:
            @escaping @Sendable (
                QoSTier, QueueLayout, _ partition: Int, TierAccounting
            ) -> NodePartition<Queue>
    ) throws(PoolError) {
        markForkedChildren()
        label = options.label
        try options.validate()
        time = PoolTime(clock: clock)
        let carrier = TaskLocalCarrier(options.carrying)
        self.carrier = carrier
        queueCounts = QoSTier.allCases.map { options.queueCount(of: $0) }
        let layouts = QoSTier.allCases.map { tier in
            QueueLayout(
                queueCount: options.queueCount(of: tier), topology: options.topology,
                placement: options.placement)
        }
        let threadCounts = threadCount.map { QoSTier.allCases.map($0) }
        self.threadCounts = threadCounts ?? queueCounts
        loops = QoSTier.allCases.map { tier in
            let layout = layouts[tier.rawValue]
            // Beside loops, at most as many threads as can compute at a time are of use.
            let most = max(layout.queueCount, options.topology.activeProcessorCount)
            let counts = threadCounts.map { layout.shares(of: min($0[tier.rawValue], most)) }
            return TierLoops(threadCounts: counts ?? layout.partitions.map(\.queues.count))
        }
        newTier = { [awaitedJobs] qos in
            let layout = layouts[qos.rawValue]
            let accounting = TierAccounting(
                qos, capacity: options.capacity[qos], awaited: awaitedJobs, carrier: carrier,
                time: PoolTime(clock: clock))
            let partitions = layout.partitions.indices.map { makePartition(qos, layout, $0, accounting) }
            return TierQueues(partitions, layout: layout, accounting: accounting, currentCPU: currentCPU)
        }
    }

    /// How many queues a tier has. O(1).
    public func queueCount(of tier: QoSTier) -> Int { queueCounts[tier.rawValue] }

    /// The next queue of a tier, in turn: of k·n calls from any number of threads, each of the tier's n
    /// queues is returned by exactly k. On several NUMA nodes, with
    /// ``QueuePoolOptions/Placement/byNode``, this holds for each node's callers and queues.
    ///
    /// One atomic increment, no lock, no allocation, except when the tier is first used.
    @inlinable
    public func queue(for qos: QoSTier) -> Queue { withPartition(of: qos) { $0.nextQueue } }

    /// The queue of a key: equal keys get the same queue for as long as the process lives, so jobs about one
    /// object stay in order. Different keys may share a queue. O(1), plus hashing the key.
    @inlinable
    public func queue(for qos: QoSTier, key: some Hashable) -> Queue {
        withTier(qos) { $0.queues[$0.number(hash: key.hashValue)]._withUnsafeGuaranteedRef { $0 } }
    }

    // In closures, so that no reference is taken: all submitters would write its count.

    @inlinable @inline(__always)
    func withPartition<Result>(of qos: QoSTier, _ body: (NodePartition<Queue>) -> Result) -> Result {
        withTier(qos) { $0.callersPartition._withUnsafeGuaranteedRef(body) }
    }

    @inlinable @inline(__always)
    func withTier<Result>(_ qos: QoSTier, _ body: (TierQueues<Queue>) -> Result) -> Result {
        (published[qos] ?? makeTier(qos))._withUnsafeGuaranteedRef(body)
    }

    @usableFromInline @inline(never)
    func makeTier(_ qos: QoSTier) -> Unmanaged<TierQueues<Queue>> {
        // In a forked child a thread of the parent may hold the lock. These queues refuse all jobs.
        guard !isForkedChild else { return published.publish(newTier(qos), for: qos) }
        return construction.withLock { _ in
            if let tier = published[qos] { return tier }
            let tier = newTier(qos)
            if isShutDown {
                for partition in tier.allPartitions {
                    for intake in partition.intakes { intake.close {} }
                    partition.endThreads(joining: false)  // as soon as there are some
                }
            }
            return published.publish(tier, for: qos)
        }
    }

    /// How many jobs each tier has run, how they ended, how long they waited. O(tiers · queues).
    public var statistics: PoolStatistics {
        PoolStatistics(
            tiers: QoSTier.allCases.reduce(into: [:]) { tiers, qos in
                var statistics = TierStatistics()
                published[qos]?._withUnsafeGuaranteedRef { $0.add(to: &statistics) }
                tiers[qos] = statistics
            })
    }
}

/// How a ``QueuePool`` is laid out; the pool's initializer checks it. See also ``WorkerOptions``.
public struct QueuePoolOptions: Sendable {
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
    public static let queuesPerTierLimit = 64

    /// The first part of every queue's label: `<label>.<tier>.<index>`. Not empty, no NUL.
    public var label: String

    /// How many queues each tier has: 1…``queuesPerTierLimit``. Default: ``TierCounts/automatic``, one for
    /// each core that this process can use (`CPUTopology.activeProcessorCount`), at most 64.
    public var queuesPerTier: TierCounts

    /// The machine to lay the queues out for. Default: this one, read when the options are made.
    public var topology: CPUTopology

    /// Whether queues belong to NUMA nodes. Default: ``Placement/byNode``.
    public var placement: Placement

    /// How many jobs of each tier may wait, neither begun nor cancelled. Beyond that `async` throws
    /// ``PoolError`` (`.full`), and `start` and `run` follow their ``FullTierPolicy``. Default:
    /// ``TierCapacities/unlimited``.
    ///
    /// In a worker pool one more may wait for each thread of the tier that runs no job, and takes one at
    /// once; a job of a queue only if the queue has none. A delayed job counts when its time has come. Calls
    /// of `sync`, jobs of `enqueue`, releases of memory, and steps of tasks and actors do not count, because
    /// they cannot be refused.
    public var capacity: TierCapacities

    /// The task-local values that jobs have: those of their submitters at the submission, in every form, also
    /// in each call of a loop, and in jobs of a worker pool's queues. Default: none. Without them a job has
    /// no task-local values, whichever code runs its queue. The closure of a `sync` runs in the caller's
    /// task.
    public var carrying: [any CarriedTaskLocal]

    /// Describes a pool.
    public init(
        label: String, queuesPerTier: TierCounts = .automatic, topology: CPUTopology = .current(),
        placement: Placement = .byNode, capacity: TierCapacities = .unlimited,
        carrying: any CarriedTaskLocal...
    ) {
        self.label = label
        self.queuesPerTier = queuesPerTier
        self.topology = topology
        self.placement = placement
        self.capacity = capacity
        self.carrying = carrying
    }

    /// Throws if the label, a count or a capacity is impossible.
    func validate() throws(PoolError) {
        try PoolError.checkLabel(label)
        try queuesPerTier.validate(1...Self.queuesPerTierLimit, .invalidQueueCount, of: "queues")
        try capacity.validate()
    }

    func queueCount(of tier: QoSTier) -> Int {
        queuesPerTier[tier] ?? min(topology.activeProcessorCount, Self.queuesPerTierLimit)
    }
}

#if os(Linux)
    /// The kind of pool that layers use by default, and programs should: on Linux a ``WorkerQueuePool``.
    ///
    ///     let pool = try DefaultQueuePool(label: "tiles")
    ///     Task(executorPreference: DefaultQueuePool.shared.taskExecutor(for: .utility)) { … }
    public typealias DefaultQueuePool = WorkerQueuePool
#else
    /// The kind of pool that layers use by default, and programs should: here a ``DispatchQueuePool``.
    public typealias DefaultQueuePool = DispatchQueuePool
#endif

/// A queue for a pool: it runs jobs one at a time, in order. `DispatchQueue` conforms; a queue of another
/// kind needs no more than this to be pooled. Conforming types are *thread-safe*.
///
/// A queue may run its jobs in tasks. The pool's jobs see nothing of these, which costs each 0.5 µs on queues
/// of the program's own kinds.
public protocol SerialQueue: AnyObject, Sendable {
    /// Adds a job behind all jobs added before it, and returns without waiting for it.
    func enqueue(_ job: consuming @escaping @Sendable () -> Void)

    /// True if the caller is a job of this queue.
    var isCurrent: Bool { get }
}

/// A kind of queue whose jobs run in no task and have no task-local values: pools need not hide these.
package protocol ContextFreeQueue: SerialQueue {}

extension QueuePool: CustomStringConvertible {
    /// The label.
    public var description: String { label }
}
