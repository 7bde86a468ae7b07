import Dispatch
import QueuePools
import QueuePoolsTopology

/// A queue that remembers which node it was made for, and counts its jobs.
final class NodeQueue: SerialQueue {
    let node: CPUTopology.Node.ID?
    private let queue: DispatchQueue
    private let jobs = Counter()

    init(label: String, node: CPUTopology.Node.ID?) {
        self.node = node
        queue = DispatchQueue(label: label)
    }

    /// How many jobs it was given so far.
    var jobCount: Int { jobs.value }

    var isCurrent: Bool { queue.isCurrent }

    func enqueue(_ job: @escaping @Sendable () -> Void) {
        jobs.increment()
        queue.enqueue(job)
    }
}

extension PoolKind<NodeQueue> {
    static let nodeQueues = PoolKind(name: "queues made for a node") { options in
        try QueuePool(options) { label, _, node in NodeQueue(label: label, node: node) }
    }
}

extension QueuePool<NodeQueue> {
    /// All queues of a tier.
    func allQueues(for qos: QoSTier = .default, on machine: Machine) throws -> [NodeQueue] {
        var seen: Set<ObjectIdentifier> = []
        return try machine.cpus.flatMap { try queues(for: qos, onCPU: $0) }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
