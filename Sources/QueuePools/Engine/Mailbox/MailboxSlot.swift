#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// The place of one job: 32 bytes, so that two share a cache line and none straddles one.
    struct MailboxSlot: ~Copyable {
        /// A position, plus one, and what is there. Positions never repeat, so whatever a slot held before is recognised
        /// as old, and nothing has to be cleared when a page is used again. Zero is no position's: what the kernel has
        /// taken away and provided again.
        struct State: RawRepresentable, AtomicRepresentable {
            let rawValue: UInt64

            @inline(__always)
            init(rawValue: UInt64) { self.rawValue = rawValue }

            @inline(__always)
            init(_ kind: Message.Kind, at position: UInt64) {
                rawValue = (position + 1) << Message.Kind.bitCount | UInt64(kind.rawValue)
            }

            @inline(__always)
            var position: UInt64 { rawValue >> Message.Kind.bitCount &- 1 }

            @inline(__always)
            var isEmpty: Bool { rawValue == 0 }

            @inline(__always)
            var kind: Message.Kind {
                unsafeBitCast(UInt8(truncatingIfNeeded: rawValue & 15), to: Message.Kind.self)
            }
        }

        let state: Atomic<State>

        // Ordered by `state`. Atomic nevertheless: a canceller that comes too late reads what is not for it.
        let first: Atomic<UInt>
        let second: Atomic<UInt>
        let sentAt: Atomic<UInt64>

        @inline(__always)
        var words: (UInt, UInt) { (first.load(ordering: .relaxed), second.load(ordering: .relaxed)) }

        /// Leaves the context of a closure that was read, so that the slot's next sender frees its memory: see ``Mailbox``.
        @inline(__always)
        func keepContext(_ context: UInt) {
            if context != 0, clinux_context_keep(context) { first.store(0, ordering: .relaxed) }
        }

        /// Frees the memory of a context that was left.
        @inline(__always)
        func releaseContext() {
            guard first.load(ordering: .relaxed) == 0 else { return }
            let context = second.load(ordering: .relaxed)
            if context != 0 { clinux_context_release(context) }
        }

        func stamp() {
            sentAt.store(clinux_monotonic_nanoseconds(), ordering: .relaxed)
        }
    }
#endif
