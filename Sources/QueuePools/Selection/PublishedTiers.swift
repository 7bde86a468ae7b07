public import Synchronization

/// One slot for each tier's queues: empty until published, then fixed, and owned for as long as this lives.
///
/// `AtomicLazyReference` would do but for one thing: its `load` retains, and a reference count that all
/// threads write on every hand-out is just the shared cache line that the pool avoids.
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

    /// Fills a slot, unless somebody else has, and returns what is in it.
    ///
    /// The exchange releases, so that readers who take no lock see complete queues; if it fails, it acquires
    /// those that are there.
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
