import QueuePoolsTopology

/// Which queues of a tier belong to which NUMA node, and which of them a CPU's callers get. Pure arithmetic
/// on a topology: made once for a pool, the same for each of its tiers.
struct QueueLayout: Hashable, Sendable {
    /// For each partition, its node and its range of queue indices. Never empty; ranges are not empty and
    /// cover 0..<queueCount in order.
    let partitions: [Partition]

    /// For each CPU number, the partition that serves its callers; empty if there is one partition.
    private(set) var partitionOfCPU: [Int]

    /// How many CPUs each partition's node has; 1 if there is one partition.
    private let weights: [Int]

    var queueCount: Int { partitions.last?.queues.upperBound ?? 0 }

    struct Partition: Hashable, Sendable {
        var node: CPUTopology.Node.ID?
        var queues: Range<Int>
    }

    /// Divides something else than the queues among the partitions, in the same proportion: at least one for
    /// each.
    func shares(of total: Int) -> [Int] {
        Self.shares(of: total, among: weights).map { max(1, $0) }
    }

    init(queueCount: Int, topology: CPUTopology, placement: QueuePoolOptions.Placement) {
        let nodes = topology.nodes.filter { !$0.cpus.isEmpty }
        guard placement == .byNode, nodes.count > 1 else {
            partitions = [Partition(node: nodes.count == 1 ? nodes[0].id : nil, queues: 0..<queueCount)]
            (partitionOfCPU, weights) = ([], [1])
            return
        }
        let shares = Self.shares(of: queueCount, among: nodes.map(\.cpus.count))
        var start = 0
        partitions = zip(nodes, shares).filter { $1 > 0 }.map { node, share in
            defer { start += share }
            return Partition(node: node.id, queues: start..<start + share)
        }
        weights = zip(nodes, shares).filter { $1 > 0 }.map(\.0.cpus.count)
        let largestCPU = nodes.flatMap(\.cpus).max() ?? 0
        partitionOfCPU = Array(repeating: 0, count: min(largestCPU, Self.cpuLimit - 1) + 1)
        for node in nodes {
            // If there are fewer queues than nodes, a node without one is served by the nearest with one.
            let distances = partitions.map { part in
                part.node == node.id ? -1 : part.node.flatMap { node.distances[$0] } ?? .max
            }
            let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
            for cpu in node.cpus where cpu < partitionOfCPU.count { partitionOfCPU[cpu] = nearest }
        }
    }

    /// More than any kernel has; a hand-made topology with higher numbers costs no more memory than this.
    private static let cpuLimit = 1 << 16

    /// Divides `total` in proportion to `weights` by largest remainder; earlier nodes win ties.
    private static func shares(of total: Int, among weights: [Int]) -> [Int] {
        let sum = weights.reduce(0, +)
        var shares = weights.map { total * $0 / sum }
        let byRemainder = weights.indices.sorted {
            let (a, b) = (total * weights[$0] % sum, total * weights[$1] % sum)
            return a == b ? $0 < $1 : a > b
        }
        for index in byRemainder.prefix(total - shares.reduce(0, +)) { shares[index] += 1 }
        return shares
    }
}
