#if os(Linux)
    import Synchronization

    /// How a mailbox finds a segment's page of slots: through a directory of tables of segments.
    extension Mailbox {
        static let tableSize: UInt64 = 512
        private static let directorySize: UInt64 = 1 << 15
        static let directoryByteCount = Int(directorySize) * MemoryLayout<UInt>.stride

        typealias Word = UnsafeMutablePointer<Atomic<UInt>>
        /// The entry of a segment whose jobs are all cancelled. Others are zero or the address of a page. None looks like the
        /// state of a job that can be cancelled, or a claim, for a canceller that takes a table for a page of slots.
        static let cancelled: UInt = 255

        /// The place of the address of a segment's table. It is used again for a segment so far behind that it cannot
        /// come before this one is read; see ``attachPage(to:)``.
        @inline(__always)
        func tablePlace(of segment: UInt64) -> Word {
            let index = Int(truncatingIfNeeded: segment / Self.tableSize % Self.directorySize)
            let chunk = UnsafeMutableRawPointer(control) - Self.controlOffset
            return (chunk + MailboxMemory.chunkByteCount).assumingMemoryBound(to: Atomic<UInt>.self) + index
        }

        @inline(__always)
        func entry(of segment: UInt64, inTable table: UInt) -> Word {
            Word(bitPattern: table).unsafelyUnwrapped + Int(truncatingIfNeeded: segment % Self.tableSize)
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

        /// The slot of a position, for a thread that may come too late; nil if its segment has no page.
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot>? {
            let entry = loadEntry(of: position / MailboxPage.slotCount)
            return entry == 0 || entry == Self.cancelled
                ? nil : MailboxPage(address: entry).slot(of: position)
        }

        /// Has a segment's entry filled, for a thread whose position lies there, or the receiver.
        @inline(never)
        private func attachPage(to segment: UInt64) -> MailboxPage {
            // Each segment before was attached, too, so none comes as far as where the directory begins again.
            require(
                segment < nextPosition / MailboxPage.slotCount + Self.directorySize * Self.tableSize / 2,
                "more than a billion jobs wait in a queue")
            let page = control.pointee.memory.take()
            page.assign(to: segment)
            let attached = entry(of: segment, inTable: table(of: segment)).pointee.compareExchange(
                expected: 0, desired: page.address, successOrdering: .releasing, failureOrdering: .acquiring)
            if attached.exchanged { return page }
            control.pointee.memory.put(page)
            return MailboxPage(address: attached.original)
        }

        /// A segment's table, which is made if there is none: a page that never has slots again, because a canceller that
        /// is late may have its address.
        func table(of segment: UInt64) -> UInt {
            let place = tablePlace(of: segment)
            let present = place.pointee.load(ordering: .acquiring)
            if present != 0 { return present }
            let page = control.pointee.memory.takeEmpty()
            for index in 0..<Self.tableSize {
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
