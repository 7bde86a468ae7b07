#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// The role of a mailbox's receiver, which one thread has at a time: the one that has this value.
    ///
    /// It comes from a word or a lock that the last receiver released: the announcement in a slot, which a
    /// sender gets back (``Mailbox/publish(_:_:at:since:)``), or one that its owner has claimed
    /// (``Mailbox/claimedReceiver``). It ends when the receiver announces that there is none, or passes the
    /// role on by such a word. Dropping the value would leave the mailbox without a receiver, so that traps
    /// in a debug build.
    struct MailboxReceiver: ~Copyable {
        let mailbox: Mailbox

        fileprivate init(of mailbox: Mailbox) { self.mailbox = mailbox }

        deinit { assertionFailure("a mailbox has lost its receiver") }

        /// Passes the role on, by a word that the caller releases next, or by a lock.
        @inline(__always)
        consuming func passOn() { discard self }

        /// Frees the memory, and drops each unread message. Nothing may use the mailbox afterwards.
        consuming func destroy() {
            while let message = take() { message.drop() }
            control.pointee.current.releaseContexts()
            mailbox.freeMemory()
            discard self
        }

        private var control: UnsafeMutablePointer<MailboxControl> { mailbox.control }

        /// How many segments long the mailbox may be while contexts of closures are left in their slots.
        private static var shortLength: UInt64 { 256 }

        /// The next message, or nil if it is not there yet. Cancelled jobs are passed over.
        @inline(__always)
        func take() -> Message? {
            while true {
                let head = control.pointee.head.load(ordering: .relaxed)
                let slot = control.pointee.current.slot(of: head)
                let state = slot.pointee.state.load(ordering: .acquiring)
                guard state.position == head else { return nil }
                var kind = state.kind
                if kind == .awaited { return nil }
                if kind == .cancellable {
                    // Releases nothing: the slot's next sender comes after the page was put back.
                    kind = slot.pointee.state.exchange(.init(.skipped, at: head), ordering: .acquiring).kind
                }
                let words = slot.pointee.words
                if control.pointee.keepsContexts, kind.isClosure { slot.pointee.keepContext(words.1) }
                let sentAt = mailbox.isStamped(head) ? slot.pointee.sentAt.load(ordering: .relaxed) : nil
                control.pointee.head.store(head + 1, ordering: .relaxed)
                if (head + 1) % MailboxPage.slotCount == 0 { endSegment() }
                if kind != .skipped { return Message(kind, words, sentAt: sentAt) }
            }
        }

        /// Passes over the first position, which was skipped. ``take()`` would return the message behind it.
        func passOverFirst() { control.pointee.head.store(1, ordering: .relaxed) }

        /// Puts the page that was read back, and continues with the next one.
        @inline(never)
        private func endSegment() {
            let segment = nextPosition / MailboxPage.slotCount - 1
            clearEntry(of: segment)
            control.pointee.memory.put(control.pointee.current)
            beginSegment(segment + 1)
        }

        /// Makes the page of the first segment, from this one on, that is not cancelled the current one.
        func beginSegment(_ first: UInt64) {
            var segment = first
            while true {
                let page = mailbox.page(of: segment)
                if page.address != Mailbox.cancelled, page.claimForReceiver(segment: segment) {
                    control.pointee.current = page
                    let isShort =
                        mailbox.takenPositions < (segment + Self.shortLength) * MailboxPage.slotCount
                    control.pointee.keepsContexts = isShort && ClosureContexts.canBeKept
                    page.keepsContexts = control.pointee.keepsContexts
                    return
                }
                clearEntry(of: segment)
                segment += 1
                control.pointee.head.store(segment * MailboxPage.slotCount, ordering: .relaxed)
            }
        }

        /// Clears the entry of a segment that was read. After a table's last segment, the table serves the
        /// first segments that have none.
        private func clearEntry(of segment: UInt64) {
            let table = mailbox.table(of: segment)
            mailbox.entry(of: segment, inTable: table).pointee.store(0, ordering: .relaxed)
            guard segment % MailboxSizes.table == MailboxSizes.table - 1 else { return }
            mailbox.tablePlace(of: segment).pointee.store(0, ordering: .relaxed)
            var next = segment + 1
            // Releases the entries, which are zero.
            while !mailbox.tablePlace(of: next).pointee.compareExchange(
                expected: 0, desired: table, ordering: .releasing
            ).exchanged {
                next += MailboxSizes.table
            }
        }

        /// Announces that there is no receiver from now on. Returns the role if the next message is there.
        /// The exchange acquires nothing: the slot's state is older than the receiver's last step.
        consuming func announceIdle() -> MailboxReceiver? {
            let head = control.pointee.head.load(ordering: .relaxed)
            let slot = control.pointee.current.slot(of: head)
            let seen = slot.pointee.state.load(ordering: .relaxed)
            let awaited = MailboxSlot.State(.awaited, at: head)
            guard seen.position != head || seen == awaited,
                slot.pointee.state.compareExchange(expected: seen, desired: awaited, ordering: .releasing)
                    .exchanged
            else { return self }
            discard self
            return nil
        }

        /// Exact, for the receiver.
        var nextPosition: UInt64 { mailbox.nextPosition }

        @inline(__always)
        var hasArrival: Bool { nextArrival.hasCome }

        /// The slot of the next message, which any thread may watch while the mailbox lives.
        @inline(__always)
        var nextArrival: Arrival {
            let head = control.pointee.head.load(ordering: .relaxed)
            return Arrival(slot: control.pointee.current.slot(of: head), position: head)
        }

        struct Arrival {
            fileprivate let slot: UnsafeMutablePointer<MailboxSlot>
            fileprivate let position: UInt64

            /// Whether the message is there or taken. Sequentially consistent for ``UnorderedLane``.
            @inline(__always)
            var hasCome: Bool {
                let state = slot.pointee.state.load(ordering: .sequentiallyConsistent)
                return state.nextPosition > position && state != MailboxSlot.State(.awaited, at: position)
            }
        }
    }

    extension Mailbox {
        /// The receiver's role, for a thread that has got it by a word, or a lock, that the last receiver
        /// released and that the caller has acquired. In the owner's `deinit` that word is the reference
        /// count; while the mailbox is made, there was no receiver before.
        @inline(__always)
        var claimedReceiver: MailboxReceiver { MailboxReceiver(of: self) }
    }
#endif
