import QueuePools

/// A kind of pool to be checked: its name, and how one is made.
struct PoolKind<Queue: SerialQueue>: Sendable {
    var name: String
    var make: @Sendable (QueuePoolOptions) throws -> QueuePool<Queue>

    /// A new pool, of one queue for each active core unless said otherwise.
    func pool(
        queuesPerTier: TierCounts = .automatic,
        placement: QueuePoolOptions.Placement = .byNode
    ) throws -> QueuePool<Queue> {
        try make(
            QueuePoolOptions(label: "numa", queuesPerTier: queuesPerTier, placement: placement))
    }
}

extension QueuePool {
    /// The queues that a caller on this CPU is handed, in so many calls.
    func queues(for qos: QoSTier = .default, calls: Int, onCPU cpu: Int) throws -> [Queue] {
        try CurrentThread.on(cpu: cpu) { (0..<calls).map { _ in queue(for: qos) } }
    }

    /// All queues that callers on this CPU are handed.
    func queues(for qos: QoSTier = .default, onCPU cpu: Int) throws -> [Queue] {
        // In one turn each comes once, if they are selected in turn, and no CPU has more than all.
        var seen: Set<ObjectIdentifier> = []
        return try queues(for: qos, calls: queueCount(of: qos), onCPU: cpu)
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

extension Sequence where Element: AnyObject {
    /// The same objects as identities, to be compared and counted.
    var identities: Set<ObjectIdentifier> { Set(map(ObjectIdentifier.init)) }

    /// How often each object occurs.
    var counts: [ObjectIdentifier: Int] {
        reduce(into: [:]) { $0[ObjectIdentifier($1), default: 0] += 1 }
    }
}
