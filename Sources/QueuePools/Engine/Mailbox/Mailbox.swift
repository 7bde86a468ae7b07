#if os(Linux)
    import Synchronization

    /// How jobs reach a queue: an unbounded list with many senders and one receiver at a time, without locks, and
    /// without an allocation for each job.
    ///
    /// # The algorithm
    ///
    /// Positions are numbered 0, 1, 2, … and never reused. A sender takes a position with one atomic
    /// increment of `tail`, writes the job's two words into that position's slot, and publishes by
    /// *exchanging* the slot's state. The receiver reads slots in the order of their positions. Slots lie in
    /// segments of 124, linked in order; a segment whose slots have been read is appended at the end of the
    /// list and used again.
    ///
    /// A receiver that finds its next slot unpublished may end its role. It announces so *in that slot*, changing the
    /// state to `awaited`. The sender that gets this back from its exchange decides who receives next: see ``WorkerQueue``.
    /// Where a mailbox is read under a lock (``UnorderedLane``), there is no announcement.
    ///
    /// # Invariants
    ///
    /// 1. **One sender a slot.** Increments of one atomic return different values: relaxed suffices. Sends
    ///    that are ordered by any happens-before take positions in that order, by coherence of `tail`.
    /// 2. **A published job is complete.** The words are stored before the exchange, which releases; the
    ///    receiver's load of the state acquires.
    /// 3. **No job is left behind.** Announcing is a compare-and-exchange, publishing an exchange, both on the
    ///    same word, so one comes first. If publishing does, announcing fails and the receiver finds the job.
    ///    If announcing does, the sender gets `awaited` back; it acquires what the last receiver released.
    /// 4. **A job ends up with one.** A job that can be cancelled is claimed by changing its state to
    ///    `skipped`: the receiver exchanges, the canceller compares and exchanges; one of them meets
    ///    `cancellable`. The canceller has read the words before: the state still holds this position, so
    ///    no sender has written there since. Its claim releases that it has read them, which the receiver
    ///    acquires before the slot is used again. It acquires nothing: it has the slot from the sender.
    /// 5. **A segment is not reused under a sender.** Segments are reused only when the receiver has passed
    ///    all of their slots. It cannot pass a slot that is not published, so the segment of a sender's
    ///    position stays what it is until the sender has published. Segments are never freed while the
    ///    mailbox lives, so a sender with an old address reads valid memory and learns from numbers that only
    ///    grow that it came too late; see `search(_:from:numbered:)`.
    ///
    /// A sender that is held up between taking a position and publishing holds up those behind it in the
    /// queue, not their senders.
    ///
    /// Taking positions by increment and keeping them in linked blocks is known from LCRQ (Morrison and Afek,
    /// 2013) and from Tokio's channels; announcing in the slot itself does away with a flag for the receiver.
    struct Mailbox: @unchecked Sendable {  // an address; what it leads to is atomic, or the receiver's alone
        private let control: UnsafeMutablePointer<MailboxControl>
        let memory: MailboxMemory
        /// Whether each message has the time at which it was sent.
        let stampsAll: Bool

        /// - Parameter isAnnounced: whether there is no receiver yet, so the first sender gets that announcement back.
        init(memory: MailboxMemory = .process, stampsAll: Bool = false, isAnnounced: Bool = false) {
            self.memory = memory
            self.stampsAll = stampsAll
            control = memory.allocate(byteCount: MemoryLayout<MailboxControl>.size)
                .bindMemory(to: MailboxControl.self, capacity: 1)
            // Two at least, so that the receiver always finds a next one and can append the one that it has
            // read.
            let (first, second) = (memory.makeSegment(number: 0), memory.makeSegment(number: 1))
            first.header.pointee.link.store(.segment(second), ordering: .relaxed)
            control.initialize(to: MailboxControl(first: first, last: second))
            if isAnnounced { _ = announceIdle() }
        }

        /// Frees the memory, and gives each job that was never read to `drop`. Nobody may use the mailbox any
        /// more.
        func destroy(dropping drop: (Message) -> Void) {
            while let message = take() { drop(message) }
            var next: MailboxSegment? = control.pointee.current
            while let segment = next {
                next = segment.header.pointee.link.load(ordering: .relaxed).segment
                memory.free(segment.rawValue, byteCount: MailboxSegment.byteCount)
            }
            control.deinitialize(count: 1)
            memory.free(UnsafeMutableRawPointer(control), byteCount: MemoryLayout<MailboxControl>.size)
        }

        // MARK: Senders

        /// Takes a position, any thread.
        ///
        /// Each position that was taken must be published, or nothing behind it is ever read.
        @inline(__always)
        func takePosition() -> (position: UInt64, isClosed: Bool) {
            let tail = control.pointee.tail.wrappingAdd(2, ordering: .relaxed).oldValue
            return (tail >> 1, tail & 1 != 0)
        }

        /// Publishes a job at a position.
        ///
        /// Sequentially consistent, because ``UnorderedLane`` needs that; it costs no more than acquiring and releasing.
        ///
        /// - Returns: the slot, and whether there is no receiver, so that the caller must provide one.
        @inline(__always)
        func publish(
            _ kind: Message.Kind, _ first: UInt, _ second: UInt, at position: UInt64
        ) -> (slot: UnsafeMutablePointer<MailboxSlot>, isAwaited: Bool) {
            let slot = segment(of: position).slot(of: position)
            slot.pointee.first.store(first, ordering: .relaxed)
            slot.pointee.second.store(second, ordering: .relaxed)
            if isStamped(position) { slot.pointee.stamp() }
            let before = slot.pointee.state.exchange(
                .init(kind, at: position), ordering: .sequentiallyConsistent)
            return (slot, before == .init(.awaited, at: position))
        }

        /// Waiting times are taken of one job in sixteen: reading the clock costs as much as half a job.
        @inline(__always)
        func isStamped(_ position: UInt64) -> Bool { position % 16 == 0 || stampsAll }

        @inline(__always)
        private func segment(of position: UInt64) -> MailboxSegment {
            let number = position / MailboxSegment.slotCount
            let newest = control.pointee.newest.load(ordering: .acquiring)
            // A segment has a number only while it is in the list, and no two have the same.
            let newestNumber = newest.header.pointee.number.load(ordering: .acquiring)
            if newestNumber == number { return newest }
            return search(number, from: newest, numbered: newestNumber)
        }

        /// Finds the segment of this number, going along the list, and appends what is missing. It goes from
        /// the newest, if that is not too far, or else from the oldest.
        ///
        /// The segment sought is not read before the caller has published, but those before it are; they may
        /// be reused while the search stands on them. A step from segment n is valid if n had not been read
        /// when its link was. The receiver moves `oldest` on, releasing, before it touches the link of what
        /// it leaves; so whoever acquires a link written later also sees `oldest` beyond n, and starts again,
        /// from a segment that is further on. The end of the list is marked by the number of its last
        /// segment, so appending to a segment that has been reused fails.
        ///
        /// All this holds wherever the search begins, for it asks nothing of the first segment but that it
        /// had the number that was read there. What is newest may have been passed and reused since it was
        /// stored, as may what is oldest between the loads of its address and of its number. So these two loads
        /// of numbers acquire what the receiver wrote before; the one after a step does not: a number later than
        /// the one that came with the address is greater, and only starts the search again. Appending acquires
        /// nothing, since the load before has: a link says only once that it is the end as this number.
        ///
        /// Only one attempt begins at the newest: the next would find it there again until the receiver has
        /// taken its number away, and so wait for the receiver. From the oldest alone, on the other hand, each
        /// new segment would cost a walk past all that is unread, and a backlog the square of its length.
        @inline(never)
        private func search(
            _ number: UInt64, from newest: MailboxSegment, numbered newestNumber: UInt64
        ) -> MailboxSegment {
            var (segment, current) = (newest, newestNumber)
            var isFromNewest = newestNumber < number
            restart: while true {
                if !isFromNewest {
                    segment = control.pointee.oldest.load(ordering: .acquiring)
                    current = segment.header.pointee.number.load(ordering: .acquiring)
                    if current > number { continue restart }
                }
                isFromNewest = false
                while current < number {
                    var link = segment.header.pointee.link.load(ordering: .acquiring)
                    if link == .end(current) {
                        let fresh = memory.makeSegment(number: current + 1)
                        let appended = segment.header.pointee.link.compareExchange(
                            expected: link, desired: .segment(fresh), successOrdering: .releasing,
                            failureOrdering: .acquiring)
                        link = appended.exchanged ? .segment(fresh) : appended.original
                        if !appended.exchanged {
                            memory.free(fresh.rawValue, byteCount: MailboxSegment.byteCount)
                        }
                    }
                    let oldest = control.pointee.oldest.load(ordering: .acquiring)
                    if oldest.header.pointee.number.load(ordering: .relaxed) > current { continue restart }
                    guard let next = link.segment else { continue restart }
                    segment = next
                    current += 1
                }
                control.pointee.newest.store(segment, ordering: .releasing)
                return segment
            }
        }

        // MARK: Taking back

        /// Takes back a cancellable job that was not read yet; any thread. The caller owns the words then.
        func cancel(_ slot: UnsafeMutablePointer<MailboxSlot>, at position: UInt64) -> (UInt, UInt)? {
            let waiting = MailboxSlot.State(.cancellable, at: position)
            guard slot.pointee.state.load(ordering: .relaxed) == waiting else { return nil }
            // Read before claiming: afterwards the receiver may pass, and the slot be another job's.
            let words = slot.pointee.words
            let claim = slot.pointee.state.compareExchange(
                expected: waiting, desired: .init(.skipped, at: position), ordering: .releasing)
            return claim.exchanged ? words : nil
        }

        // MARK: Closing

        /// Marks the mailbox as closed and takes a position in the same step, so that all positions taken
        /// before are before it, and all taken after see the mark. Nil if it was closed already.
        func close() -> UInt64? {
            var tail = control.pointee.tail.load(ordering: .relaxed)
            while tail & 1 == 0 {
                let exchange = control.pointee.tail.compareExchange(
                    expected: tail, desired: tail + 3, ordering: .relaxed)
                if exchange.exchanged { return tail >> 1 }
                tail = exchange.original
            }
            return nil
        }

        /// The segment with the next message, if the receiver does not pass it just now.
        var oldestSegment: MailboxSegment { control.pointee.oldest.load(ordering: .acquiring) }

        var isClosed: Bool { control.pointee.tail.load(ordering: .relaxed) & 1 != 0 }

        /// How many positions have been taken. Relaxed, as no change of `tail` releases anything.
        var takenPositions: UInt64 { control.pointee.tail.load(ordering: .relaxed) >> 1 }

        // MARK: The receiver

        /// The next job, or nil if it is not there yet. Jobs that were cancelled are passed over.
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
                    // Releases nothing: the slot's next sender comes after the segment was appended.
                    kind = slot.pointee.state.exchange(.init(.skipped, at: head), ordering: .acquiring).kind
                }
                let (first, second) = slot.pointee.words
                let sentAt = isStamped(head) ? slot.pointee.sentAt.load(ordering: .relaxed) : nil
                control.pointee.head.store(head + 1, ordering: .relaxed)
                if (head + 1) % MailboxSegment.slotCount == 0 { recycleSegment() }
                if kind != .skipped {
                    return Message(kind: kind, first: first, second: second, sentAt: sentAt)
                }
            }
        }

        /// Goes on to the next segment and appends the one that was read at the end of the list.
        @inline(never)
        private func recycleSegment() {
            let read = control.pointee.current
            // Relaxed: this link was met or written when the segment before was appended.
            guard let next = read.header.pointee.link.load(ordering: .relaxed).segment else {
                preconditionFailure("a mailbox has two segments at least")
            }
            control.pointee.current = next
            control.pointee.oldest.store(next, ordering: .releasing)
            // Without a number until it is in its new place: a sender that still has the address must not
            // take it for a segment of the list. Relaxed: it starts its search again, whatever else it sees.
            read.header.pointee.number.store(.max, ordering: .relaxed)
            while true {
                let link = control.pointee.last.header.pointee.link.load(ordering: .acquiring)
                if let further = link.segment {
                    control.pointee.last = further
                    continue
                }
                let number = link.endNumber + 1
                // Relaxed: appending releases it. A sender that meets it before starts its search again, because
                // it is neither a segment nor the end that the sender expects.
                read.header.pointee.link.store(.end(number), ordering: .relaxed)
                let appended = control.pointee.last.header.pointee.link.compareExchange(
                    expected: link, desired: .segment(read), ordering: .releasing)
                guard appended.exchanged else { continue }
                read.header.pointee.number.store(number, ordering: .releasing)
                control.pointee.last = read
                return
            }
        }

        /// Announces that there is no receiver from now on. False if the next job is there, and the caller stays the
        /// receiver.
        ///
        /// It acquires nothing: what the slot held before is older than the receiver's own last step.
        func announceIdle() -> Bool {
            let head = control.pointee.head.load(ordering: .relaxed)
            let slot = control.pointee.current.slot(of: head)
            let seen = slot.pointee.state.load(ordering: .relaxed)
            let awaited = MailboxSlot.State(.awaited, at: head)
            guard seen.position != head || seen == awaited else { return false }
            return slot.pointee.state.compareExchange(
                expected: seen, desired: awaited, ordering: .releasing
            ).exchanged
        }

        /// The receiver's next position.
        var nextPosition: UInt64 { control.pointee.head.load(ordering: .relaxed) }

        /// Whether a position has been taken that was not read, published or not, for a thread that is not the receiver.
        var mayHaveUnread: Bool { takenPositions > nextPosition }

        /// Whether the next job is there.
        @inline(__always)
        var hasArrival: Bool { nextArrival.hasCome }

        /// The slot of the next job, which others than the receiver may watch as long as the mailbox lives.
        @inline(__always)
        var nextArrival: Arrival {
            let head = control.pointee.head.load(ordering: .relaxed)
            return Arrival(slot: control.pointee.current.slot(of: head), position: head)
        }

        struct Arrival {
            fileprivate let slot: UnsafeMutablePointer<MailboxSlot>
            fileprivate let position: UInt64

            /// Whether the job is there, or was there and is gone. Sequentially consistent, which ``UnorderedLane`` needs.
            @inline(__always)
            var hasCome: Bool {
                let state = slot.pointee.state.load(ordering: .sequentiallyConsistent)
                return state != .never && state.position >= position
                    && state != MailboxSlot.State(.awaited, at: position)
            }
        }
    }

    /// Fills up the two cache lines that one word begins: x86 fetches lines in pairs.
    typealias LinePadding = InlineArray<15, UInt64>

    /// What is written by whom, on cache lines of their own.
    struct MailboxControl: ~Copyable {
        /// The next position, doubled, and whether the mailbox is closed in the lowest bit. Written by each
        /// sender.
        let tail = Atomic<UInt64>(0)
        private let tailLine = LinePadding(repeating: 0)

        /// A segment that was lately the last in use: only a hint. Written once a segment.
        let newest: Atomic<MailboxSegment>
        private let newestLine = LinePadding(repeating: 0)

        /// The segment that the receiver reads. Written by the receiver once a segment.
        let oldest: Atomic<MailboxSegment>

        // The receiver's own. Others look at `head` for a hint.
        let head = Atomic<UInt64>(0)
        var current: MailboxSegment
        var last: MailboxSegment

        init(first: MailboxSegment, last: MailboxSegment) {
            newest = Atomic(first)
            oldest = Atomic(first)
            current = first
            self.last = last
        }
    }
#endif
