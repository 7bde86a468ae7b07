import Synchronization
import Topology

/// The queues of one tier: made together on first use, never changed again, and handed out in turn.
///
/// Everything on the way from a caller to its queue is reached through plain pointers. Through arrays and
/// class references each step would take and give back a reference, on a count that all callers share: beside
/// a bare atomic increment of 5 ns, a hand-out measured 22 ns with them and 7 without.
@usableFromInline
final class TierQueues<Queue: SerialQueue>: @unchecked Sendable {  // what the pointers lead to never changes
    @usableFromInline let queues: UnsafeMutableBufferPointer<Unmanaged<PooledQueue<Queue>>>
    @usableFromInline let partitions: UnsafeMutableBufferPointer<Unmanaged<NodePartition<Queue>>>
    private let waits: TimeHistogram
    @usableFromInline let capacity: JobCapacity?
    private let partitionOfCPU: [Int]
    private let currentCPU: @Sendable () -> Int?

    init(
        layout: QueueLayout, accounts: TierAccounts, currentCPU: @escaping @Sendable () -> Int?,
        makePartition: (QueueLayout.Partition) -> NodePartition<Queue>
    ) {
        queues = .allocate(capacity: layout.queueCount)
        partitions = .allocate(capacity: layout.partitions.count)
        waits = accounts.waits
        capacity = accounts.capacity
        partitionOfCPU = layout.partitionOfCPU
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
        guard let cpu = currentCPU(), partitionOfCPU.indices.contains(cpu) else { return 0 }
        return partitionOfCPU[cpu]
    }

    /// Whether the caller is one of the tier's jobs.
    var isCurrent: Bool { partitions.contains { $0.takeUnretainedValue().isCurrent } }

    /// What takes jobs, and must be closed.
    var intakes: [any JobIntake] {
        partitions.flatMap { $0.takeUnretainedValue().intakes } + (capacity.map { [$0] } ?? [])
    }

    /// Ends the tier's threads.
    func endThreads(joining isJoining: Bool) {
        for partition in partitions { partition.takeUnretainedValue().endThreads(joining: isJoining) }
    }

    /// Adds the tier's figures.
    func add(to statistics: inout TierStatistics) {
        for partition in partitions { partition.takeUnretainedValue().add(to: &statistics) }
        statistics.waitTimes = waits.snapshot()
    }
}
