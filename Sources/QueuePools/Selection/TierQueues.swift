public import Synchronization

/// The queues of one tier: made together on first use, never changed again, and selected in turn.
///
/// All on the way from a caller to its queue is reached through plain pointers. Arrays and references would
/// retain and release at each step, on a count that all callers share, and take three times as long.
@usableFromInline
final class TierQueues<Queue: SerialQueue>: @unchecked Sendable {  // nothing behind the pointers ever changes
    @usableFromInline let queues: UnsafeMutableBufferPointer<Unmanaged<Queue>>
    /// One for each NUMA node that has queues, or one.
    @usableFromInline let partitions: UnsafeMutableBufferPointer<Unmanaged<NodePartition<Queue>>>
    let accounting: TierAccounting
    @usableFromInline let capacity: JobCapacity?
    private let layout: QueueLayout
    private let currentCPU: @Sendable () -> Int?

    init(
        _ partitions: [NodePartition<Queue>], layout: QueueLayout, accounting: TierAccounting,
        currentCPU: @escaping @Sendable () -> Int?
    ) {
        self.partitions = .allocate(capacity: partitions.count)
        _ = self.partitions.initialize(from: partitions.map { .passRetained($0) })
        queues = .allocate(capacity: layout.queueCount)
        _ = queues.initialize(from: partitions.flatMap(\.queues))
        self.accounting = accounting
        capacity = accounting.capacity
        self.layout = layout
        self.currentCPU = currentCPU
    }

    deinit {
        for partition in partitions { partition.release() }
        partitions.deallocate()
        queues.deallocate()
    }

    @inlinable @inline(__always)
    var callersPartition: Unmanaged<NodePartition<Queue>> {
        partitions[partitions.count == 1 ? 0 : callersPartitionNumber()]
    }

    /// The number of the queue of all keys with a hash value. It does not depend on the caller's node.
    @inlinable @inline(__always)
    func number(hash: Int) -> Int { Int(UInt(bitPattern: hash) % UInt(queues.count)) }

    /// Submits a job to the queue of a hash value's keys, or an unordered job. Returns nil if it is refused.
    @inlinable @inline(__always)
    func submit(
        _ body: consuming @escaping @Sendable () -> Void, keyHash: Int?, because reason: SubmissionReason
    ) -> PoolJob? {
        var closure = Optional(Closure(body))
        guard let keyHash else {
            return callersPartition._withUnsafeGuaranteedRef {
                $0.submit(closure.take().unsafelyUnwrapped.body, to: nil, because: reason)
            }
        }
        let (partition, number) = place(hash: keyHash)
        return partitions[partition]._withUnsafeGuaranteedRef {
            $0.submit(closure.take().unsafelyUnwrapped.body, to: number, because: reason)
        }
    }

    /// Submits a job that begins at a time, in nanoseconds of the pool's clock. Returns nil if it is refused.
    func submit(_ body: @escaping @Sendable () -> Void, keyHash: Int?, at time: UInt64) -> PoolJob? {
        guard let keyHash else {
            return callersPartition.takeUnretainedValue().submit(body, to: nil, at: time)
        }
        let (partition, number) = place(hash: keyHash)
        return partitions[partition].takeUnretainedValue().submit(body, to: number, at: time)
    }

    /// The partition of the queue of a hash value's keys, and the queue's number there.
    @inlinable @inline(__always)
    func place(hash: Int) -> (partition: Int, queue: Int) {
        var (partition, number) = (0, number(hash: hash))
        while case let count = partitions[partition]._withUnsafeGuaranteedRef({ $0.queues.count }),
            number >= count
        {
            (partition, number) = (partition + 1, number - count)
        }
        return (partition, number)
    }

    /// Takes a place of the capacity for a job that an `async` submits. Returns false if there is no room.
    @inlinable @inline(__always)
    func takePlace(keyHash: Int?) -> Bool {
        capacity?.take(besideThread: { waitsForThreadOnly(keyHash: keyHash) }) ?? true
    }

    /// Whether a thread that runs no job would take a job at once: none comes before it in its queue.
    @usableFromInline
    func waitsForThreadOnly(keyHash: Int?) -> Bool {
        guard let keyHash else { return true }
        return queues[number(hash: keyHash)]._withUnsafeGuaranteedRef { ($0 as? any IdleReporting)?.isIdle }
            ?? false
    }

    /// The number of the partition that serves the callers of the calling thread's CPU.
    @usableFromInline
    func callersPartitionNumber() -> Int {
        guard let cpu = currentCPU(), layout.partitionOfCPU.indices.contains(cpu) else { return 0 }
        return layout.partitionOfCPU[cpu]
    }

    /// For callers that need not be fast.
    var allPartitions: [NodePartition<Queue>] { partitions.map { $0.takeUnretainedValue() } }

    func add(to statistics: inout TierStatistics) {
        // First, because a void job is counted there before its queue counts its end.
        let correct = accounting.corrections()
        for partition in allPartitions { partition.add(to: &statistics) }
        correct(&statistics)
        (statistics.waitTimes, statistics.runTimes) = (
            accounting.waits.snapshot(), accounting.runs.snapshot()
        )
    }
}

/// One slot for each tier's queues: empty until published, then fixed, and owned for as long as this lives.
/// Not `AtomicLazyReference`, whose `load` retains: all callers would write the reference count.
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

    /// Fills a slot, unless another thread has, and returns its contents. The exchange releases, so that
    /// readers see complete queues; a failed one acquires them.
    func publish(_ tier: TierQueues<Queue>, for qos: QoSTier) -> Unmanaged<TierQueues<Queue>> {
        let owned = Unmanaged.passRetained(tier)
        let (isOurs, present) = slots[qos.rawValue].compareExchange(
            expected: nil, desired: owned, successOrdering: .releasing, failureOrdering: .acquiring)
        guard !isOurs, let present else { return owned }
        owned.release()
        return present
    }

    /// The tiers used so far.
    var all: [TierQueues<Queue>] { QoSTier.allCases.compactMap { self[$0]?.takeUnretainedValue() } }
}

/// A queue that knows whether it has no job. A hint.
protocol IdleReporting { var isIdle: Bool { get } }
