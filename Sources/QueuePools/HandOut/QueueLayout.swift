import Topology

/// Which queues of a tier belong to which NUMA node, and which of them a CPU's callers are handed.
///
/// Pure arithmetic on a topology: made once for a pool, the same for each of its tiers.
struct QueueLayout: Hashable, Sendable {
    /// For each shelf, the node it belongs to and its range of queue indices. Never empty; ranges are
    /// not empty and cover 0..<queueCount in order.
    private(set) var shelves: [Shelf]

    /// For each CPU number, the shelf its callers are served from; empty when there is one shelf.
    private(set) var shelfOfCPU: [Int]

    /// How many queues there are on all shelves.
    var queueCount: Int { shelves.last?.queues.upperBound ?? 0 }

    struct Shelf: Hashable, Sendable {
        var node: CPUTopology.Node.ID?
        var queues: Range<Int>
    }

    init(queueCount: Int, topology: CPUTopology, placement: QueuePoolConfiguration.Placement) {
        let nodes = topology.nodes.filter { !$0.cpus.isEmpty }
        guard placement == .byNode, nodes.count > 1 else {
            shelves = [Shelf(node: nodes.count == 1 ? nodes[0].id : nil, queues: 0..<queueCount)]
            shelfOfCPU = []
            return
        }
        shelves = []
        var start = 0
        for (node, share) in zip(nodes, Self.shares(of: queueCount, among: nodes.map(\.cpus.count)))
        where share > 0 {
            shelves.append(Shelf(node: node.id, queues: start..<start + share))
            start += share
        }
        shelfOfCPU = Self.shelfTable(shelves: shelves, nodes: nodes)
    }

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

    /// More than any kernel numbers; a hand-made topology with higher numbers costs no more memory than this.
    private static let cpuLimit = 1 << 16

    /// A node without a queue of its own (fewer queues than nodes) is served by the nearest node that has.
    private static func shelfTable(shelves: [Shelf], nodes: [CPUTopology.Node]) -> [Int] {
        let largestCPU = nodes.flatMap(\.cpus).max() ?? 0
        var table = Array(repeating: 0, count: min(largestCPU, cpuLimit - 1) + 1)
        for node in nodes {
            let shelf =
                shelves.firstIndex { $0.node == node.id }
                ?? shelves.indices.min { distance(node, shelves[$0]) < distance(node, shelves[$1]) } ?? 0
            for cpu in node.cpus where cpu < table.count { table[cpu] = shelf }
        }
        return table
    }

    private static func distance(_ node: CPUTopology.Node, _ shelf: Shelf) -> Int {
        shelf.node.flatMap { node.distances[$0] } ?? .max
    }
}
