#if !os(Linux)
    internal import Foundation

    extension CPUTopology {
        /// Reads the system now: one node with the CPUs that Foundation calls active.
        ///
        /// Thread-safe.
        public static func current() -> CPUTopology {
            let process = ProcessInfo.processInfo
            let count = process.activeProcessorCount
            let node = Node(
                id: 0, cpus: Array(0..<max(count, 1)), memoryBytes: process.physicalMemory, distances: [0: 10]
            )
            return CPUTopology(nodes: [node], activeProcessorCount: count)
        }

        /// The CPU that the calling thread runs on: always nil, because only Linux reports it.
        public static func currentCPU() -> Int? { nil }
    }
#endif
