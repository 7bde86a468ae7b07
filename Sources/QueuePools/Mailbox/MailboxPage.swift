#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// A page of memory with the slots of one segment, while a segment has it.
    struct MailboxPage {
        static var byteCount: Int { MailboxSizes.page }
        /// The first slot's place is the claim's.
        static var slotCount: UInt64 { UInt64(byteCount / MemoryLayout<MailboxSlot>.stride) - 1 }

        let address: UInt

        init(address: UInt) { self.address = address }

        init(of slot: UnsafeMutablePointer<MailboxSlot>) {
            address = UInt(bitPattern: slot) & ~UInt(Self.byteCount - 1)
        }

        @inline(__always)
        private var slots: UnsafeMutablePointer<MailboxSlot> { .init(bitPattern: address).unsafelyUnwrapped }

        @inline(__always)
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot> {
            slots + Int(truncatingIfNeeded: 1 + position % Self.slotCount)
        }

        /// Whether slots may have contexts of closures left in them.
        var keepsContexts: Bool {
            get { contextMark.pointee.load(ordering: .relaxed) != 0 }
            nonmutating set { contextMark.pointee.store(newValue ? 1 : 0, ordering: .relaxed) }
        }

        private var contextMark: UnsafeMutablePointer<Atomic<UInt64>> { claim + 1 }

        /// Frees the memory of contexts that were left. For the page's only holder.
        func releaseContexts() {
            guard keepsContexts else { return }
            keepsContexts = false
            for index in 1...Int(Self.slotCount) {
                slots[index].releaseContext()
                slots[index].first.store(1, ordering: .relaxed)
            }
        }

        /// Whose page it is: above eight bits the number of its segment. The eight bits are one more than the
        /// count of the segment's cancelled jobs, until the receiver begins the segment.
        private var claim: UnsafeMutablePointer<Atomic<UInt64>> {
            UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
        }
        private static var open: ClosedRange<UInt64> { 1...slotCount }
        private static let received: UInt64 = 255

        /// For the page's only holder, which publishes it afterwards.
        func assign(to segment: UInt64) { claim.pointee.store(segment << 8 | 1, ordering: .relaxed) }

        /// Keeps cancellers from taking the page. Returns false if they have, because all jobs are cancelled.
        func claimForReceiver(segment: UInt64) -> Bool { change(segment) { $0 | Self.received } != nil }

        /// Counts a cancelled job. Returns true if it was the segment's last: then the page belongs to the
        /// caller. The canceller has released its slot, so the receiver may have passed, and the page may be
        /// another segment's: then the number is another, as none is used again, and nothing is counted.
        func countCancelled(segment: UInt64) -> Bool {
            change(segment) { $0 + 1 }.map { $0 & 255 == Self.slotCount } ?? false
        }

        /// Changes the claim while it is the segment's and open. Acquires and releases, so that other
        /// cancellers' accesses to the page come before those of its new owner. Returns the claim before.
        private func change(_ segment: UInt64, _ changed: (UInt64) -> UInt64) -> UInt64? {
            var seen = claim.pointee.load(ordering: .relaxed)
            while seen >> 8 == segment, Self.open.contains(seen & 255) {
                let exchange = claim.pointee.weakCompareExchange(
                    expected: seen, desired: changed(seen), successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed)
                if exchange.exchanged { return seen }
                seen = exchange.original
            }
            return nil
        }
    }

    /// The place of one job: 32 bytes, so that two share a cache line and none straddles one.
    struct MailboxSlot: ~Copyable {
        /// A position, plus one, and the kind of message there. Positions never repeat, so an old state is
        /// recognised, and nothing has to be cleared. Zero, which the kernel provides, is no position.
        struct State: RawRepresentable, AtomicRepresentable {
            let rawValue: UInt64

            @inline(__always)
            init(rawValue: UInt64) { self.rawValue = rawValue }

            @inline(__always)
            init(_ kind: Message.Kind, at position: UInt64) {
                rawValue = (position + 1) << Message.Kind.bitCount | UInt64(kind.rawValue)
            }

            @inline(__always)
            var nextPosition: UInt64 { rawValue >> Message.Kind.bitCount }

            @inline(__always)
            var position: UInt64 { nextPosition &- 1 }

            @inline(__always)
            var kind: Message.Kind {
                unsafeBitCast(UInt8(truncatingIfNeeded: rawValue & 15), to: Message.Kind.self)
            }
        }

        let state: Atomic<State>

        // Ordered by `state`. Atomic nevertheless: a late canceller reads another job's words.
        let first: Atomic<UInt>
        let second: Atomic<UInt>
        let sentAt: Atomic<UInt64>

        @inline(__always)
        var words: (UInt, UInt) { (first.load(ordering: .relaxed), second.load(ordering: .relaxed)) }

        /// Leaves the context of a closure that was read; the slot's next sender frees it: see ``Mailbox``.
        @inline(__always)
        func keepContext(_ context: UInt) {
            if context != 0, cqp_context_keep(context) { first.store(0, ordering: .relaxed) }
        }

        /// Frees the memory of a context that was left.
        @inline(__always)
        func releaseContext() {
            guard first.load(ordering: .relaxed) == 0 else { return }
            let context = second.load(ordering: .relaxed)
            if context != 0 { cqp_context_release(context) }
        }

        func stamp(_ time: UInt64?) {
            sentAt.store(time ?? cqp_monotonic_nanoseconds(), ordering: .relaxed)
        }
    }

    /// How a mailbox finds a segment's page of slots: through a directory of tables of segments.
    extension Mailbox {
        static let directoryByteCount = Int(MailboxSizes.directory) * MemoryLayout<UInt>.stride

        typealias Word = UnsafeMutablePointer<Atomic<UInt>>
        /// The entry of a segment whose jobs are all cancelled. Others are zero or the address of a page.
        /// None looks like the state of a job that can be cancelled, or a claim, for a canceller that takes a
        /// table for a page of slots.
        static let cancelled: UInt = 255

        /// The place of the address of a segment's table. It is used again for a segment so far behind that
        /// it cannot come before this one is read; see ``attachPage(to:)``.
        @inline(__always)
        func tablePlace(of segment: UInt64) -> Word {
            let index = Int(truncatingIfNeeded: segment / MailboxSizes.table % MailboxSizes.directory)
            let chunk = UnsafeMutableRawPointer(control) - MailboxSizes.control
            return (chunk + MailboxSizes.chunk).assumingMemoryBound(to: Atomic<UInt>.self) + index
        }

        @inline(__always)
        func entry(of segment: UInt64, inTable table: UInt) -> Word {
            Word(bitPattern: table).unsafelyUnwrapped + Int(truncatingIfNeeded: segment % MailboxSizes.table)
        }

        /// A segment's entry, or zero if there is not even a table.
        @inline(__always)
        private func loadEntry(of segment: UInt64) -> UInt {
            let table = tablePlace(of: segment).pointee.load(ordering: .acquiring)
            return table == 0 ? 0 : entry(of: segment, inTable: table).pointee.load(ordering: .acquiring)
        }

        @inline(__always)
        func page(of segment: UInt64) -> MailboxPage {
            let entry = loadEntry(of: segment)
            return entry != 0 ? MailboxPage(address: entry) : attachPage(to: segment)
        }

        /// The slot of a position, for a thread that may come too late. Nil if its segment has no page.
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot>? {
            let entry = loadEntry(of: position / MailboxPage.slotCount)
            return entry == 0 || entry == Self.cancelled
                ? nil : MailboxPage(address: entry).slot(of: position)
        }

        /// Fills a segment's entry, for a thread whose position lies there, or the receiver.
        @inline(never)
        private func attachPage(to segment: UInt64) -> MailboxPage {
            // Each segment before was attached, too, so none reaches where the directory begins again.
            require(
                segment < nextPosition / MailboxPage.slotCount + MailboxSizes.directory * MailboxSizes.table
                    / 2,
                "more than a billion jobs wait in a queue")
            let page = control.pointee.memory.take()
            page.assign(to: segment)
            let attached = entry(of: segment, inTable: table(of: segment)).pointee.compareExchange(
                expected: 0, desired: page.address, successOrdering: .releasing, failureOrdering: .acquiring)
            if attached.exchanged { return page }
            control.pointee.memory.put(page)
            return MailboxPage(address: attached.original)
        }

        /// A segment's table, made if there is none: a page that never has slots again, for late cancellers.
        func table(of segment: UInt64) -> UInt {
            let place = tablePlace(of: segment)
            let present = place.pointee.load(ordering: .acquiring)
            if present != 0 { return present }
            let page = control.pointee.memory.takeEmpty()
            for index in 0..<MailboxSizes.table {
                entry(of: index, inTable: page.address).pointee.store(0, ordering: .relaxed)
            }
            let exchange = place.pointee.compareExchange(
                expected: 0, desired: page.address, successOrdering: .releasing, failureOrdering: .acquiring)
            if exchange.exchanged { return page.address }
            control.pointee.memory.put(page)
            return exchange.original
        }
    }
#endif
