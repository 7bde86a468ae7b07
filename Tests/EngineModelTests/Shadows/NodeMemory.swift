#if os(Linux)
    import MemoryModel
    import QueuePoolsTopology

    /// The engine's files use this in place of `QueuePoolsTopology.NodeMemory`: the model's own memory.
    enum NodeMemory {
        static func allocate(
            byteCount: Int, alignment: Int = 1, on node: CPUTopology.Node.ID?, onRefusal: () -> Void = {}
        ) -> UnsafeMutableRawPointer {
            // The mailbox's own words lie behind the rest.
            let memory = ModelMemory.allocate(byteCount: byteCount + 1024, alignment: alignment)
            // A chunk's header, and the mailbox's own words.
            Explorer.running?.begin(UInt(bitPattern: memory), wordCount: 5)
            if byteCount > MailboxSizes.chunk {
                Explorer.running?.begin(UInt(bitPattern: memory) + UInt(MailboxSizes.control), wordCount: 40)
            }
            return memory
        }

        static func discard(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
            for offset in stride(from: 0, to: byteCount, by: 8) {
                (memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
                    0, ordering: .relaxed)
            }
        }

        static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) {}

        static let isAsked = false
        static func homes(in topology: CPUTopology) -> [CPUTopology.Node.ID: CPUTopology.Node.ID] { [:] }
    }
#endif
