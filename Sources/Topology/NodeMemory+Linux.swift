#if os(Linux)
    #if NUMA
        internal import CLibNUMA
    #endif

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Whole pages of memory that lie on a NUMA node, if the kernel can have it so.
    package enum NodeMemory {
        /// Memory full of zeros; in whole pages, so rounded up. The kernel places a page when it is first written.
        package static func allocate(byteCount: Int, on node: CPUTopology.Node.ID) -> UnsafeMutableRawPointer
        {
            guard
                let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                memory != MAP_FAILED
            else { fatalError("no memory: mmap of \(byteCount) bytes failed with error \(errno)") }
            #if NUMA
                // A wish: where the node is full, or the policy cannot be set, any memory serves.
                _ = clibnuma_prefer_node(memory, byteCount, Int32(node))
            #endif
            return memory
        }

        /// Gives memory back.
        package static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
            munmap(memory, byteCount)
        }
    }
#endif
