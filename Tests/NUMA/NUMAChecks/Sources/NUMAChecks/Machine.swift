/// What the program was told about the machine that it runs on, and about what it may use of it.
///
/// It comes from the options of the virtual machine, not from the kernel or from libnuma, so it is what their
/// answers are compared with.
struct Machine {
    struct Node {
        var id: Int
        /// The CPUs that the process may use; empty for a node that has none, or none for us.
        var cpus: Set<Int>
        var memoryMiB: Int
        /// To every node, by id.
        var distances: [Int]
    }

    /// All nodes, each at the index that is its id: Linux on x86 numbers the nodes of a machine without
    /// holes.
    var nodes: [Node]

    /// How many CPUs' worth of time the process may use.
    var processors: Int

    /// The nodes whose memory the process may use.
    var memoryNodes: [Int]

    var cpus: [Int] { nodes.flatMap(\.cpus).sorted() }

    /// The nodes that threads of the process may run on.
    var runnableNodes: [Node] { nodes.filter { !$0.cpus.isEmpty } }

    /// Of the candidates, those that no other candidate is nearer to the node than.
    func nearest(to node: Int, among candidates: some Collection<Int>) -> Set<Int> {
        let distances = nodes[node].distances
        let least = candidates.map { distances[$0] }.min()
        return Set(candidates.filter { distances[$0] == least })
    }
}
