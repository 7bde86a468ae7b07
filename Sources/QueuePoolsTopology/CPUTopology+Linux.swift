#if os(Linux)
    internal import CQueuePoolsThreads

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    extension CPUTopology {
        /// Reads the system now.
        ///
        /// The usable CPUs are those that are online, in the affinity mask of the *calling thread* (which the
        /// threads that it makes inherit), and in the cpuset of the process's control groups. Nodes come from
        /// libnuma; without the trait `NUMA`, or if libnuma says that NUMA is not available, there is one
        /// node with all usable CPUs. The tightest CPU quota, from the process's own control group up to the
        /// outermost visible one, reduces ``activeProcessorCount`` further.
        ///
        /// It cannot fail: what cannot be read or understood limits nothing.
        ///
        /// Thread-safe. It makes tens of system calls (0.2 to 0.5 ms on a machine of one node), so call it
        /// once and keep the result.
        public static func current() -> CPUTopology {
            CPUTopology(
                machineNodes: NUMANodes.read(), affinity: AffinityMask.read(),
                limits: ControlGroupLimits(root: ""),
                memoryBytes: physicalMemoryBytes())
        }

        /// The CPU that the calling thread ran on at the moment of the call, or nil if the system does not
        /// report it.
        ///
        /// Unless the thread is pinned the answer can be out of date immediately: a hint for choosing near
        /// memory, not a promise. Thread-safe; costs a few nanoseconds.
        public static func currentCPU() -> Int? {
            let cpu = cqp_thread_current_cpu()
            return cpu >= 0 ? Int(cpu) : nil
        }

        /// Puts together what was read.
        ///
        /// - Parameters:
        ///   - machineNodes: the nodes with all CPUs that are theirs; empty on a machine without NUMA.
        ///   - affinity: the online CPUs in the affinity mask.
        ///   - memoryBytes: the memory of the whole machine, for the case of one node.
        init(machineNodes: [Node], affinity: [Int], limits: ControlGroupLimits, memoryBytes: UInt64) {
            var usable = Set(affinity)
            if let cpus = limits.cpus, !usable.isDisjoint(with: cpus) {
                // The kernel never lets the two be disjoint; a file that says so is stale or not about this
                // process.
                usable.formIntersection(cpus)
            }
            var nodes = machineNodes.map { $0.keepingCPUs(usable.contains) }
            if nodes.allSatisfy(\.cpus.isEmpty) {
                nodes = [Node(id: 0, cpus: Array(usable), memoryBytes: memoryBytes, distances: [0: 10])]
            }
            self.init(nodes: nodes, activeProcessorCount: min(usable.count, limits.processors ?? .max))
        }

        private static func physicalMemoryBytes() -> UInt64 {
            let pages = UInt64(clamping: sysconf(Int32(_SC_PHYS_PAGES)))
            let (bytes, overflow) = pages.multipliedReportingOverflow(
                by: UInt64(clamping: sysconf(Int32(_SC_PAGESIZE))))
            return overflow ? 0 : bytes
        }
    }
#endif
