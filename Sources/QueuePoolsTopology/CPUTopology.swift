/// The CPUs that this process may use, and the NUMA nodes that they belong to.
///
/// A value, so thread-safe: it is read once with ``current()`` and does not follow later changes of affinity,
/// control groups or hot-plugged CPUs. Read it again to see those.
///
/// ``activeProcessorCount`` and the CPUs of ``nodes`` answer different questions. The nodes say *where*
/// threads may run; the count says *how many* of them can run all the time. A CPU quota reduces only the
/// count: a container limited to two CPUs' worth of time on a machine of 64 still runs on all 64.
public struct CPUTopology: Sendable, Equatable {
    /// The nodes in ascending order of ``Node/id``; never empty. The numbering may have gaps, and no CPU is
    /// in two nodes.
    public let nodes: [Node]

    /// How many CPUs' worth of time the process can really use: 1 to 65,536.
    public let activeProcessorCount: Int

    /// More CPUs than any kernel supports (Linux stops at 8,192). It bounds the memory that a typing error in
    /// a hand-made topology, or a garbled CPU list, can claim.
    static let maximumCPUCount = 65_536

    /// Makes a topology by hand, for tests and for programs that know better than the system.
    ///
    /// Nothing is refused; impossible values are corrected:
    /// - a count outside 1...65,536 is moved to the nearer end (it may be larger than the number of CPUs
    ///   listed);
    /// - of several nodes with one `id`, the first is kept;
    /// - a CPU that several nodes claim stays with the one of lowest `id`;
    /// - without any node there is one, number 0, with the CPUs `0..<activeProcessorCount`.
    ///
    /// Nodes without CPUs (memory only) are kept.
    ///
    /// - Complexity: O(*n* log *n*) in the number of nodes and CPUs.
    public init(nodes: [Node], activeProcessorCount: Int) {
        self.activeProcessorCount = min(max(activeProcessorCount, 1), Self.maximumCPUCount)
        guard !nodes.isEmpty else {
            self.nodes = [Node(id: 0, cpus: Array(0..<self.activeProcessorCount), distances: [0: 10])]
            return
        }
        var seenNodes: Set<Node.ID> = []
        var seenCPUs: Set<Int> = []
        self.nodes = nodes.filter { seenNodes.insert($0.id).inserted }
            .sorted { $0.id < $1.id }
            .map { node in node.keepingCPUs { seenCPUs.insert($0).inserted } }
    }

    /// A machine without NUMA: node 0 with the CPUs `0..<cpuCount`, all of them active.
    ///
    /// A count outside 1...65,536 is moved to the nearer end.
    ///
    /// - Complexity: O(*n*) in the number of CPUs.
    public static func singleNode(cpuCount: Int) -> CPUTopology {
        CPUTopology(nodes: [], activeProcessorCount: cpuCount)
    }

    /// The node that a CPU belongs to, or nil if the topology does not list that CPU.
    ///
    /// - Complexity: O(*n*) in the number of CPUs. Code that needs it for every job keeps a table of its own.
    public func node(ofCPU cpu: Int) -> Node.ID? { nodes.first { $0.cpus.contains(cpu) }?.id }
}

extension CPUTopology {
    /// CPUs and memory that are near each other.
    public struct Node: Sendable, Equatable, Identifiable {
        /// The number that the system gives the node. Numbers may have gaps.
        public let id: Int

        /// The CPUs of this node that the process may use, ascending, without duplicates. Empty for a node
        /// that has memory only, and for one whose CPUs are all denied to the process.
        public let cpus: [Int]

        /// The size of the node's memory in bytes, used or not; 0 if it has none or the size is unknown. A
        /// virtual machine that receives memory as it needs it has another size each time.
        public let memoryBytes: UInt64

        /// How far the memory of each node is from this one, by node id: 10 is local, 20 is twice as slow
        /// (the scale of the ACPI table SLIT). Nodes whose distance is unknown are missing.
        public let distances: [Int: Int]

        /// Makes a node by hand. Negative and repeated CPU numbers are dropped; distances are kept as given.
        ///
        /// - Complexity: O(*n* log *n*) in the number of CPUs.
        public init(id: Int, cpus: [Int], memoryBytes: UInt64 = 0, distances: [Int: Int] = [:]) {
            self.id = id
            self.cpus = Set(cpus).filter { $0 >= 0 }.sorted()
            self.memoryBytes = memoryBytes
            self.distances = distances
        }

        /// The same node with only the CPUs that the predicate accepts.
        func keepingCPUs(_ isKept: (Int) -> Bool) -> Node {
            Node(id: id, cpus: cpus.filter(isKept), memoryBytes: memoryBytes, distances: distances)
        }
    }
}

extension CPUTopology: CustomStringConvertible {
    /// Such as "CPUs 16, active 8, nodes 2".
    public var description: String {
        let cpus = nodes.reduce(0) { $0 + $1.cpus.count }
        return "CPUs \(cpus), active \(activeProcessorCount), nodes \(nodes.count)"
    }
}
