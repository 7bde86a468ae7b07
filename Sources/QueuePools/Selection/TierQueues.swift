public import Synchronization
import Topology

/// The queues of one tier: made together on first use, never changed again, and handed out in turn.
///
/// Everything on the way from a caller to its queue is reached through plain pointers. Through arrays and
/// class references each step would take and give back a reference, on a count that all callers share: beside
/// a bare atomic increment of 5 ns, a selection measured 22 ns with them and 7 without.
@usableFromInline
final class TierQueues<Queue: SerialQueue>: @unchecked Sendable {  // what the pointers lead to never changes
    @usableFromInline let queues: UnsafeMutableBufferPointer<Unmanaged<PooledQueue<Queue>>>
    /// One for each NUMA node that has queues, or one.
    @usableFromInline let partitions: UnsafeMutableBufferPointer<Unmanaged<NodePartition<Queue>>>
    private let waits: TimeHistogram
    @usableFromInline let capacity: JobCapacity?
    private let layout: QueueLayout
    private let currentCPU: @Sendable () -> Int?

    init(
        layout: QueueLayout, accounting: TierAccounting, currentCPU: @escaping @Sendable () -> Int?,
        makePartition: (QueueLayout.Partition) -> NodePartition<Queue>
    ) {
        queues = .allocate(capacity: layout.queueCount)
        partitions = .allocate(capacity: layout.partitions.count)
        waits = accounting.waits
        capacity = accounting.capacity
        self.layout = layout
        self.currentCPU = currentCPU
        for (number, part) in layout.partitions.enumerated() {
            let partition = makePartition(part)
            partitions.initializeElement(at: number, to: .passRetained(partition))
            for (index, queue) in zip(part.queues, partition.queues) {
                queues.initializeElement(at: index, to: queue)
            }
        }
    }

    deinit {
        for partition in partitions { partition.release() }
        partitions.deallocate()
        queues.deallocate()
    }

    /// The queues of the caller's node.
    @inlinable @inline(__always)
    var callersPartition: Unmanaged<NodePartition<Queue>> {
        partitions[partitions.count == 1 ? 0 : callersPartitionNumber()]
    }

    /// Takes a place for a job that will wait. Returns false if there is none.
    @inlinable @inline(__always)
    func takeRoom() -> Bool { capacity?.take() ?? true }

    /// The queue that a key always maps to. Nodes play no part: it must not depend on who asks.
    @inlinable @inline(__always)
    func queue(for key: some Hashable) -> Unmanaged<PooledQueue<Queue>> {
        queues[Int(UInt(bitPattern: key.hashValue) % UInt(queues.count))]
    }

    @usableFromInline
    func callersPartitionNumber() -> Int {
        guard let cpu = currentCPU(), layout.partitionOfCPU.indices.contains(cpu) else { return 0 }
        return layout.partitionOfCPU[cpu]
    }

    /// For all that a caller need not be fast for.
    var allPartitions: [NodePartition<Queue>] { partitions.map { $0.takeUnretainedValue() } }

    /// Adds the tier's figures.
    func add(to statistics: inout TierStatistics) {
        for partition in allPartitions { partition.add(to: &statistics) }
        statistics.waitTimes = waits.snapshot()
    }
}

/// One slot for each tier's queues: empty until published, then fixed, and owned for as long as this lives.
///
/// `AtomicLazyReference` would do but for one thing: its `load` retains, and a reference count that all
/// threads write on every selection is just the shared cache line that the pool avoids.
@usableFromInline
struct PublishedTiers<Queue: SerialQueue>: ~Copyable, @unchecked Sendable {  // slots are atomic
    @usableFromInline typealias Slot = Atomic<Unmanaged<TierQueues<Queue>>?>

    @usableFromInline let slots: UnsafeMutablePointer<Slot>

    init() {
        slots = .allocate(capacity: QoSTier.allCases.count)
        for qos in QoSTier.allCases { (slots + qos.rawValue).initialize(to: Slot(nil)) }
    }

    deinit {
        for qos in QoSTier.allCases { self[qos]?.release() }
        slots.deinitialize(count: QoSTier.allCases.count)
        slots.deallocate()
    }

    /// The tier's queues, if it was used before. Acquires, see ``publish(_:for:)``.
    @inlinable @inline(__always)
    subscript(qos: QoSTier) -> Unmanaged<TierQueues<Queue>>? {
        slots[qos.rawValue].load(ordering: .acquiring)
    }

    /// Fills a slot, unless another thread has, and returns what is in it.
    ///
    /// The exchange releases, so that readers who take no lock see complete queues; a failed one acquires
    /// them.
    func publish(_ tier: TierQueues<Queue>, for qos: QoSTier) -> Unmanaged<TierQueues<Queue>> {
        let owned = Unmanaged.passRetained(tier)
        let (isOurs, present) = slots[qos.rawValue].compareExchange(
            expected: nil, desired: owned, successOrdering: .releasing, failureOrdering: .acquiring)
        guard !isOurs, let present else { return owned }
        owned.release()
        return present
    }

    /// The tiers used so far.
    var all: [TierQueues<Queue>] {
        QoSTier.allCases.compactMap { self[$0]?.takeUnretainedValue() }
    }
}
