#if os(Linux)
    #if NUMA
        internal import CQueuePoolsNUMA
    #endif

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Whole pages of memory that lie on a NUMA node, if the kernel permits.
    package enum NodeMemory {
        /// Memory full of zeros, in whole pages. The kernel provides each page separately when it is first
        /// written, near the thread that writes if `node` is nil, and each can be returned separately.
        ///
        /// - Parameters:
        ///   - alignment: a power of two.
        ///   - onRefusal: called if the kernel refuses to prefer the node; then any memory serves.
        package static func allocate(
            byteCount: Int, alignment: Int = 1, on node: CPUTopology.Node.ID?,
            onRefusal: () -> Void = {}
        ) -> UnsafeMutableRawPointer {
            guard
                let mapping = mmap(
                    nil, byteCount + alignment - 1, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                mapping != MAP_FAILED
            else { fatalError("no memory: mmap of \(byteCount) bytes failed with error \(errno)") }
            let skipped = -Int(bitPattern: mapping) & (alignment - 1)
            let memory = mapping + skipped
            if alignment > 1 {
                if skipped > 0 { munmap(mapping, skipped) }
                munmap(memory + byteCount, alignment - skipped)
            }
            madvise(memory, byteCount, MADV_NOHUGEPAGE)
            #if NUMA
                // If the node is full, any memory serves, too.
                if let node, cqp_numa_prefer_node(memory, byteCount, Int32(clamping: node)) != 0 {
                    onRefusal()
                }
            #endif
            return memory
        }

        #if NUMA
            /// Whether the kernel is asked for memory of nodes: with the trait `NUMA`.
            package static let isAsked = true
        #else
            package static let isAsked = false
        #endif

        /// Returns the contents of the kernel's pages that lie within this memory. They read as zeros then;
        /// or as before, where the kernel refuses, because they are locked. The rest stays: the kernel's
        /// pages may be larger than the caller's, and `madvise` would empty the whole of one that it is given
        /// the beginning of.
        package static func discard(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
            let pageMask = Int(getpagesize()) - 1
            let skipped = -Int(bitPattern: memory) & pageMask
            let wholeByteCount = (byteCount - skipped) & ~pageMask
            guard wholeByteCount > 0 else { return }
            madvise(memory + skipped, wholeByteCount, MADV_DONTNEED)
        }

        /// For each node, the one to take its memory from: itself, or, if it has no memory or this process
        /// may not have it, the nearest that has some. No entry where none has: then the system chooses.
        ///
        /// The kernel would refuse such a request, and then take memory near the thread that happens to write
        /// first. It is asked with a page for each node, so call this once and keep the result.
        package static func homes(in topology: CPUTopology) -> [CPUTopology.Node.ID: CPUTopology.Node.ID] {
            let usable = topology.nodes.map(\.id).filter(isUsable)
            var homes: [CPUTopology.Node.ID: CPUTopology.Node.ID] = [:]
            for node in topology.nodes {
                func distance(_ id: CPUTopology.Node.ID) -> Int {
                    id == node.id ? 0 : node.distances[id] ?? .max
                }
                homes[node.id] = usable.min { distance($0) < distance($1) }
            }
            return homes
        }

        private static func isUsable(_ node: CPUTopology.Node.ID) -> Bool {
            #if NUMA
                let byteCount = 1  // the kernel makes it a page
                let page = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                guard let page, page != MAP_FAILED else { return false }
                defer { munmap(page, byteCount) }
                return cqp_numa_prefer_node(page, byteCount, Int32(clamping: node)) == 0
            #else
                return false
            #endif
        }

        /// Unmaps memory.
        package static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
            munmap(memory, byteCount)
        }
    }
#endif
