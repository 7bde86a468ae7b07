#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// The slots of successive positions.
    struct InboxChunk {
        /// The position of the first slot.
        var first: UInt64 = 0
        var next: UnsafeMutablePointer<InboxChunk>?
        /// Nil if all jobs are cancelled.
        var slots: UnsafeMutablePointer<MailboxSlot>?
        let capacity: UInt32
        var cancelled: UInt32 = 0
    }

    extension UnsafeMutablePointer<MailboxSlot> {
        static func allocateSlots(_ count: UInt32) -> Self {
            let byteCount = Int(count) * MemoryLayout<MailboxSlot>.stride
            let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
            // Zero is the state of no position.
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            return memory.assumingMemoryBound(to: MailboxSlot.self)
        }
    }

    extension UnsafeMutablePointer<InboxChunk> {
        static var homeCapacity: UInt32 { 2 }
        /// Those of a page.
        static var fullCapacity: UInt32 { UInt32(MailboxPage.slotCount) }

        static func make(capacity: UInt32, in pages: InboxPages? = nil) -> UnsafeMutablePointer<InboxChunk> {
            let chunk = UnsafeMutablePointer<InboxChunk>.allocate(capacity: 1)
            let slots = pages?.take() ?? .allocateSlots(capacity)
            chunk.initialize(to: InboxChunk(slots: slots, capacity: capacity))
            return chunk
        }

        /// Behind the last slot's position.
        var end: UInt64 { pointee.first + UInt64(pointee.capacity) }

        /// Whether its slots are in a page. Here, not in the chunk: the holder reads no more than the one
        /// word.
        @inline(__always)
        var isFull: Bool { pointee.capacity == Self.fullCapacity }

        /// Whether contexts of closures may be left in the slots: a page says so until it is given back to
        /// the system.
        @inline(__always)
        var keepsContexts: Bool {
            isFull && (pointee.slots.map { MailboxPage(of: $0).keepsContexts } ?? false)
        }

        /// For the holder, when it comes to the chunk.
        func noteContexts(ifKept areKept: Bool) {
            guard areKept, ClosureContexts.canBeKept, isFull, let slots = pointee.slots else {
                return
            }
            MailboxPage(of: slots).keepsContexts = true
        }

        @inline(__always)
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot>? {
            pointee.slots.map { $0 + Int(position - pointee.first) }
        }
    }

    /// Pages for the inboxes of a group, because the allocator need not return to the system the memory that
    /// many waiting jobs have taken. The first slot's place in a page remains zero: it is for mailboxes.
    final class InboxPages: @unchecked Sendable {  // atomics
        private let memory: MailboxMemory

        init(of settings: ThreadSettings) {
            let (node, refusals) = (settings.memoryNode, settings.refusals)
            let chunk = MailboxMemory.allocateChunk(on: node, refusals: refusals)
            memory = MailboxMemory(chunk: chunk, on: node, refusals: refusals)
        }

        deinit { MailboxMemory.free(memory.freeLaterChunks()) }

        func take() -> UnsafeMutablePointer<MailboxSlot> { memory.take().slot(of: 0) }

        func put(_ slots: UnsafeMutablePointer<MailboxSlot>) {
            memory.put(MailboxPage(of: slots))
        }
    }
#endif
