#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization
    import QueuePoolsTopology

    /// How jobs reach a queue: an unbounded list with many senders and one receiver at a time, without locks,
    /// and without an allocation for each job.
    ///
    /// # The algorithm
    ///
    /// Positions are numbered 0, 1, 2, … and never reused. A sender takes one by an increment of `tail`,
    /// writes the job's two words into its slot, and publishes by *exchanging* the slot's state. The receiver
    /// reads slots in order.
    ///
    /// 127 positions are a segment, whose slots are a page of memory; a directory of tables of 512 entries
    /// maps segments to pages. The first sender of a segment, or the receiver, attaches a page. The receiver
    /// puts it back when it has read the slots, or the canceller of the last job does, if the receiver has
    /// not begun the segment: then the entry says `cancelled`, and the receiver passes over it. So the memory
    /// is proportional to the waiting jobs, except for eight pages, and eight bytes a segment for the tables.
    ///
    /// A receiver (``MailboxReceiver``) that finds its next slot unpublished may end its role. It announces
    /// that *in the slot*, changing the state to `awaited`. The sender that gets this back from its exchange
    /// has the role, and decides who receives next: see ``HeldQueue``. A mailbox that is read under a lock
    /// (``UnorderedLane``) is never announced.
    ///
    /// # The memory of closures
    ///
    /// That another thread frees the context that a sender has allocated is the largest part of the cost of a
    /// small job. So the receiver leaves an unowned reference to the context in the slot: the closure's
    /// captures are released when the job ends, but the block only when the slot's next sender releases that
    /// reference, and can use it again. Done while the mailbox is short, with small blocks, and if the
    /// runtime permits it (``ClosureContexts``).
    ///
    /// # Invariants
    ///
    /// 1. **One sender a slot.** Increments of one atomic return different values: relaxed suffices. Sends
    ///    that are ordered by any happens-before take positions in that order, by coherence of `tail`.
    /// 2. **A published job is complete.** The words are stored before the exchange, which releases; the
    ///    receiver's load of the state acquires.
    /// 3. **No job is left behind.** Announcing, by compare-and-exchange, and publishing, by exchange, change
    ///    the same word. If publishing comes first, announcing fails and the receiver finds the job. If not,
    ///    the sender gets `awaited` back, and acquires the last receiver's writes.
    /// 4. **One thread gets a job.** A job that can be cancelled is claimed by changing its state to
    ///    `skipped`: the receiver exchanges, the canceller compares and exchanges; one of them meets
    ///    `cancellable`. The canceller has read the words before: the state still holds this position, so no
    ///    sender has written there since. Its claim releases these reads, which the receiver acquires before
    ///    the page is put back. It acquires nothing: it has the slot from the sender.
    /// 5. **A sender's page stays.** A page leaves its segment when the receiver has passed all slots, or all
    ///    jobs are cancelled: not before a sender with a position there has published. The same is true of
    ///    the tables. Attaching is a compare-and-exchange of the entry with zero, so all senders of a segment
    ///    use one page; it releases, and reading the entry acquires, the writes made when the page was
    ///    another segment's.
    /// 6. **A page has one owner.** Receiver and cancellers change the page's claim, which has the segment's
    ///    number: either the receiver begins the segment, or a canceller counts the last job
    ///    (``MailboxPage``). The canceller of a job that comes too late, in a page that has been put back,
    ///    meets another position or number, because these only grow, or zero.
    /// 7. **A context that was left is released once.** The receiver marks its slot by a function word of
    ///    zero, before it puts the page back; the next to write in the slot, or to empty the page, has the
    ///    page from that, so it sees the mark, and overwrites it. If the job still runs then, the later of
    ///    the two releases frees the block.
    ///
    /// A sender that is delayed between taking a position and publishing delays the jobs behind it in the
    /// queue, not their senders. Positions by increment, in blocks, are known from LCRQ (Morrison and Afek,
    /// 2013) and Tokio's channels; announcing in the slot itself replaces a flag for the receiver.
    struct Mailbox: @unchecked Sendable {  // an address; all behind it is atomic, or the receiver's
        let control: UnsafeMutablePointer<MailboxControl>
        let stampsAll: Bool

        /// - Parameters:
        ///   - memoryNode: the node to have memory from. Default: the system chooses.
        ///   - refusals: counts how often the kernel refuses such memory.
        ///   - stampsAll: whether each message has the time at which it was sent.
        ///   - isAnnounced: whether it begins without a receiver: then the first sender's `publish` returns
        ///     the role. Otherwise the role is the owner's, which claims it under its lock.
        init(
            on memoryNode: CPUTopology.Node.ID? = nil, refusals: RefusalCount? = nil, stampsAll: Bool = false,
            isAnnounced: Bool = false
        ) {
            self.stampsAll = stampsAll
            let chunk = MailboxMemory.allocateChunk(
                on: memoryNode, refusals: refusals, extraByteCount: Self.directoryByteCount)
            control = (chunk + MailboxSizes.control).bindMemory(to: MailboxControl.self, capacity: 1)
            control.initialize(
                to: MailboxControl(memory: MailboxMemory(chunk: chunk, on: memoryNode, refusals: refusals)))
            let receiver = claimedReceiver
            receiver.beginSegment(0)
            if isAnnounced {
                receiver.announceIdle()?.passOn()  // nil, because there is no sender yet
            } else {
                receiver.passOn()
            }
        }

        /// Called by the receiver that ends with the mailbox.
        func freeMemory() {
            let chunk = control.pointee.memory.freeLaterChunks()
            control.deinitialize(count: 1)
            MailboxMemory.free(chunk, extraByteCount: Self.directoryByteCount)
        }

        // MARK: Senders

        /// Takes a position, any thread. It must be published, or nothing behind it is ever read.
        @inline(__always)
        func takePosition() -> (position: UInt64, isClosed: Bool) {
            let tail = control.pointee.tail.wrappingAdd(2, ordering: .relaxed).oldValue
            return (tail >> 1, tail & 1 != 0)
        }

        /// A message that has been published.
        struct Published: ~Copyable {
            let place: JobPlace
            /// The role of the receiver, if the mailbox had none: the sender provides one.
            let receiver: MailboxReceiver?
        }

        /// Publishes a message at a position. Sequentially consistent, at no cost, for ``UnorderedLane``.
        ///
        /// - Parameter time: since when the job has waited. Default: now.
        @inline(__always)
        func publish(
            _ kind: Message.Kind, _ words: (UInt, UInt), at position: UInt64, since time: UInt64? = nil
        ) -> Published {
            let slot = page(of: position / MailboxPage.slotCount).slot(of: position)
            cqp_prefetch_for_writing(slot)
            slot.pointee.releaseContext()
            slot.pointee.first.store(words.0, ordering: .relaxed)
            slot.pointee.second.store(words.1, ordering: .relaxed)
            if isStamped(position) { slot.pointee.stamp(time) }
            let before = slot.pointee.state.exchange(
                .init(kind, at: position), ordering: .sequentiallyConsistent)
            // Not after a step: once it can run, it may release the last reference to the mailbox's owner.
            if kind != .actorStep, kind != .queueStep { prefetch(after: slot) }
            let place = JobPlace(address: UnsafeMutableRawPointer(slot), position: position)
            return Published(
                place: place, receiver: before == .init(.awaited, at: position) ? claimedReceiver : nil)
        }

        /// Takes a position and publishes a message there. Returns the role of the receiver, as
        /// ``Published/receiver``.
        @inline(__always)
        func send(_ kind: Message.Kind, _ words: (UInt, UInt)) -> MailboxReceiver? {
            let published = publish(kind, words, at: takePosition().position)
            return published.receiver
        }

        /// Fetches the lines that the next sender will write, if it is this thread again.
        @inline(__always)
        private func prefetch(after slot: UnsafeMutablePointer<MailboxSlot>) {
            guard UInt(bitPattern: slot + 1) % UInt(MailboxPage.byteCount) != 0 else { return }
            cqp_prefetch_for_writing(slot + 2)
            let next = slot + 1
            if next.pointee.first.load(ordering: .relaxed) == 0 {
                cqp_prefetch_for_writing(
                    UnsafeRawPointer(bitPattern: next.pointee.second.load(ordering: .relaxed)))
            }
        }

        @inline(__always)
        func isStamped(_ position: UInt64) -> Bool { TimeHistogram.samples(position) || stampsAll }

        /// Takes back a cancellable job that was not read yet; any thread.
        func cancel(_ place: JobPlace) -> Closure? {
            guard let slot = place.address?.assumingMemoryBound(to: MailboxSlot.self) else { return nil }
            let position = place.position
            let waiting = MailboxSlot.State(.cancellable, at: position)
            guard slot.pointee.state.load(ordering: .relaxed) == waiting else { return nil }
            // Read before claiming: afterwards the receiver may pass, and the slot be another job's.
            let words = slot.pointee.words
            let claim = slot.pointee.state.compareExchange(
                expected: waiting, desired: .init(.skipped, at: position), ordering: .releasing)
            guard claim.exchanged else { return nil }
            putBackIfCancelled(MailboxPage(of: slot), of: position / MailboxPage.slotCount)
            return Closure(owned: words)
        }

        /// Counts a cancelled job, and puts the page back if it was its segment's last.
        private func putBackIfCancelled(_ page: MailboxPage, of segment: UInt64) {
            guard page.countCancelled(segment: segment) else { return }
            // If the receiver is faster, it finds from the claim that all jobs are cancelled, and clears the
            // entry, or leaves no table. No other entry has this page before it is put back. Relaxed: it
            // publishes nothing.
            let table = tablePlace(of: segment).pointee.load(ordering: .relaxed)
            if table != 0 {
                _ = entry(of: segment, inTable: table).pointee.compareExchange(
                    expected: page.address, desired: Self.cancelled, ordering: .relaxed)
            }
            control.pointee.memory.put(page)
        }

        /// Marks the mailbox as closed and takes a position in the same step, so that all positions taken
        /// before are before it, and all taken after see the mark. Returns nil if it was closed already.
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

        var isClosed: Bool { control.pointee.tail.load(ordering: .relaxed) & 1 != 0 }

        /// How many positions have been taken. Relaxed, because no change of `tail` releases anything.
        var takenPositions: UInt64 { control.pointee.tail.load(ordering: .relaxed) >> 1 }

        /// The position that the receiver reads next, or a later one.
        var nextPosition: UInt64 { control.pointee.head.load(ordering: .relaxed) }

        /// Whether a position was taken and not read, published or not.
        var mayHaveUnread: Bool { takenPositions > nextPosition }
    }

    /// The words of senders, of all threads and of the receiver, each on cache lines of their own.
    struct MailboxControl: ~Copyable {
        /// The next position, doubled, and in the lowest bit whether it is closed. Written by each sender.
        let tail = Atomic<UInt64>(0)
        private let tailLine = LinePadding(repeating: 0)

        /// Written a few times a segment.
        let memory: MailboxMemory
        private let memoryLine = LinePadding(repeating: 0)

        // The receiver's own. Others look at `head` for a hint.
        let head = Atomic<UInt64>(0)
        /// The page of the segment that `head` lies in.
        var current = MailboxPage(address: 0)
        /// Whether the contexts of closures are left in their slots.
        var keepsContexts = false

        init(memory: consuming MailboxMemory) { self.memory = memory }
    }
#endif
