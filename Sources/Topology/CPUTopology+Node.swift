extension CPUTopology {
    /// CPUs and memory that are near each other.
    public struct Node: Sendable, Hashable, Identifiable {
        /// The number that the system gives the node. Numbers may have holes.
        public let id: Int

        /// The CPUs of this node that the process may use, ascending, without duplicates. Empty for a node
        /// that has memory only, and for one whose CPUs are all denied to the process.
        public let cpus: [Int]

        /// The size of the node's memory in bytes, used or not; 0 where it has none or where the size is
        /// unknown. A virtual machine that is lent memory as it needs it tells another size each time.
        public let memoryBytes: UInt64

        /// How far the memory of each node is from this one, by node id: 10 is local, 20 is twice as slow
        /// (the scale of the ACPI table SLIT). Nodes whose distance the system does not tell are missing.
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
