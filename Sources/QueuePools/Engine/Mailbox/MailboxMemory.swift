#if os(Linux)
    import Topology

    /// Where a mailbox has its memory from.
    enum MailboxMemory: Sendable {
        /// The process's allocator.
        case process
        /// Pages of a NUMA node, and where it is counted if the kernel refuses them.
        case node(CPUTopology.Node.ID, RefusalCount)

        func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
            switch self {
            case .process: .allocate(byteCount: byteCount, alignment: 128)
            case .node(let node, let refusals):
                NodeMemory.allocate(byteCount: byteCount, on: node, whenRefused: refusals.increment)
            }
        }

        func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
            switch self {
            case .process: memory.deallocate()
            case .node: NodeMemory.free(memory, byteCount: byteCount)
            }
        }

        func makeSegment(number: UInt64) -> MailboxSegment {
            MailboxSegment(initializing: allocate(byteCount: MailboxSegment.byteCount), number: number)
        }
    }
#endif
