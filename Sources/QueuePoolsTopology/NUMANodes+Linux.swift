#if os(Linux)
    #if NUMA
        internal import CQueuePoolsNUMA
        internal import QueuePoolsLocks

        /// The machine's NUMA nodes, as libnuma reports them.
        enum NUMANodes {
            /// libnuma fills its caches (a node's CPUs, the distances) on first use and takes no lock for it.
            private static let lock = Lock(())

            /// All nodes with all their CPUs, usable or not; empty where NUMA is not available: the kernel
            /// was built without it, or a sandbox forbids the call.
            static func read() -> [CPUTopology.Node] {
                lock.withLock { _ in
                    guard numa_available() >= 0, let mask = numa_allocate_cpumask() else { return [] }
                    defer { numa_bitmask_free(mask) }
                    // The numbering may have gaps.
                    let ids = (0..<max(0, numa_max_node() + 1)).filter {
                        cqp_numa_node_exists(UInt32($0)) != 0
                    }
                    return ids.map { id in
                        CPUTopology.Node(
                            id: Int(id), cpus: cpus(of: id, using: mask),
                            memoryBytes: UInt64(clamping: numa_node_size64(id, nil)),
                            distances: distances(from: id, to: ids))
                    }
                }
            }

            private static func cpus(of id: Int32, using mask: UnsafeMutablePointer<bitmask>) -> [Int] {
                // After a failure the mask means nothing.
                guard numa_node_to_cpus(id, mask) == 0 else { return [] }
                return (0..<Int(mask.pointee.size)).filter { numa_bitmask_isbitset(mask, UInt32($0)) != 0 }
            }

            private static func distances(from id: Int32, to others: [Int32]) -> [Int: Int] {
                var distances: [Int: Int] = [:]
                for other in others {
                    let distance = numa_distance(id, other)
                    // 0 means "unknown" in libnuma.
                    if distance > 0 { distances[Int(other)] = Int(distance) }
                }
                return distances
            }
        }
    #else
        /// Replaces libnuma while the trait `NUMA` is off.
        enum NUMANodes {
            /// No nodes, which means a machine without NUMA.
            static func read() -> [CPUTopology.Node] { [] }
        }
    #endif
#endif
