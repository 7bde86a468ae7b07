#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization

    private typealias Chunk = UnsafeMutablePointer<InboxChunk>

    /// How jobs reach a ``MadeQueue``: a list with many senders and one receiver at a time, the queue's
    /// holder. Unlike a ``Mailbox``, which has 16 KiB of its own and addresses for a billion jobs, it takes
    /// some hundred bytes. The price is a lock, which a sender has for some instructions, and the holder once
    /// a batch.
    ///
    /// # The algorithm
    ///
    /// Positions are numbered 0, 1, 2, … and never reused. Their slots are in a list of chunks: the first is
    /// the inbox's own; later ones are allocated when the one before is full, larger each time up to a page
    /// of ``InboxPages``, and freed when they were read. Under the lock, a sender writes the slot of the next
    /// position. Under the lock, the holder notes how many there are; it reads that batch without the lock.
    ///
    /// # Invariants
    ///
    /// 1. **One holder.** `isHeld` changes under the lock: only a thread that finds it false sets it. The
    ///    next holder acquires by the lock all that the last one wrote, or by the call that grants it.
    /// 2. **No job is left behind.** A holder ends its role under the lock, and only if there is no work; or
    ///    it leaves an activation, as the sender does that finds no holder. An activation is in a lane until
    ///    a thread takes it, which looks for work.
    /// 3. **One activation.** At most one is there, also if another thread has taken the hold before it, as a
    ///    caller of `sync` may: a stale one finds a holder, or no work, or serves the next job.
    /// 4. **One thread gets a job.** A job that can be cancelled is claimed by changing its slot's state to
    ///    `skipped`, as in ``Mailbox``; relaxed: the lock has ordered the words for both, the canceller has
    ///    it while it reads them, and the holder takes it before it frees or reuses the slot.
    /// 5. **A canceller's slot is there.** Positions before that of the oldest chunk are gone. The others'
    ///    chunks, whose addresses the jobs have, are in the list until the holder has passed them. One whose
    ///    jobs are all cancelled has no slots until then, or has the newest positions.
    /// 6. **The holder's chunks are its own.** A batch ends at the end of a chunk or of all positions. So
    ///   each
    ///    chunk that the holder comes to begins before the batch's end, and only others are used again, or
    ///    lose their slots.
    struct Inbox: @unchecked Sendable {  // an address; all behind it is under the lock, or the holder's
        private let control: UnsafeMutablePointer<Control>
        private let pages: InboxPages

        private struct Control: ~Copyable {
            let state: Lock<State>
            // The holder's. It writes `batchEnd` under the lock, and others look at it there.
            var chunk: Chunk
            var batchEnd: UInt64 = 0
            /// Whether contexts of closures are left in the slots of pages: see ``Mailbox``.
            var keepsContexts = false
            /// The position that it reads next. Others look at it for a hint.
            let position = Atomic<UInt64>(0)

            init(home: Chunk) {
                state = Lock(State(home: home))
                chunk = home
            }
        }

        struct State: @unchecked Sendable {  // addresses of chunks
            var isHeld = false
            var isActivated = false
            var isClosed = false
            /// The next position.
            fileprivate(set) var end: UInt64 = 0
            fileprivate let home: Chunk
            fileprivate var oldest: Chunk
            fileprivate var newest: Chunk
            /// A chunk to use next.
            fileprivate var spare: Chunk?

            fileprivate init(home: Chunk) { (self.home, oldest, newest) = (home, home, home) }

            /// Whether positions were not read, while there is no holder: the last one has reset the inbox if
            /// there were none.
            var hasEntries: Bool { home.pointee.first != end }
        }

        init(pages: InboxPages) {
            self.pages = pages
            control = .allocate(capacity: 1)
            control.initialize(to: Control(home: .make(capacity: Chunk.homeCapacity)))
        }

        /// Frees the memory of an inbox that is idle.
        func freeMemory() {
            free(control.pointee.chunk)
            control.deinitialize(count: 1)
            control.deallocate()
        }

        @inline(__always)
        func withLock<Result>(_ body: (inout State) -> Result) -> Result {
            // Unsafe: callers return no part of the state.
            control.pointee.state.withLock { state in
                nonisolated(unsafe) let result = body(&state)
                return result
            }
        }

        /// How many positions there are.
        var positions: UInt64 { withLock { $0.end } }

        // MARK: The holder

        /// The next message, or nil if there is none. Cancelled jobs are passed over.
        @inline(__always)
        func take() -> Message? {
            while true {
                var position = control.pointee.position.load(ordering: .relaxed)
                if position == control.pointee.batchEnd, !beginBatch() { return nil }
                if position == control.pointee.chunk.end {
                    control.pointee.chunk = control.pointee.chunk.pointee.next.unsafelyUnwrapped
                    // Later than the end of the one before, if that one is in use for the second time.
                    position = control.pointee.chunk.pointee.first
                    control.pointee.chunk.noteContexts(ifKept: control.pointee.keepsContexts)
                }
                guard let slot = control.pointee.chunk.slot(of: position) else {
                    control.pointee.position.store(control.pointee.chunk.end, ordering: .relaxed)
                    continue
                }
                control.pointee.position.store(position + 1, ordering: .relaxed)
                var kind = slot.pointee.state.load(ordering: .relaxed).kind
                if kind == .cancellable {
                    kind = slot.pointee.state.exchange(.init(.skipped, at: position), ordering: .relaxed).kind
                }
                guard kind != .skipped else { continue }
                let words = slot.pointee.words
                if kind.isClosure, control.pointee.keepsContexts, control.pointee.chunk.keepsContexts {
                    slot.pointee.keepContext(words.1)
                }
                let sentAt = slot.pointee.sentAt.load(ordering: .relaxed)
                return Message(kind, words, sentAt: sentAt == 0 ? nil : sentAt)
            }
        }

        /// Frees the chunks that were read, and notes the messages that have come. Returns whether there are
        /// some.
        @inline(never)
        private func beginBatch() -> Bool {
            let position = control.pointee.position.load(ordering: .relaxed)
            var unused: Chunk?
            let hasMore = withLock { state in
                unused = discardRead(&state)
                // Long batches would keep the memory of messages that were read.
                // At the end of a chunk, so that no position that is passed over lies behind.
                var last = control.pointee.chunk
                while last.end < position + Self.batchLimit, let next = last.pointee.next { last = next }
                control.pointee.batchEnd = min(state.end, last.end)
                control.pointee.keepsContexts = state.end - position < Self.shortLength
                return state.end != position
            }
            free(unused)
            return hasMore
        }

        private static var batchLimit: UInt64 { 1_024 }
        /// How many may wait while contexts of closures are left.
        private static var shortLength: UInt64 { 1 << 15 }

        /// Takes the chunks before the holder's out of the list, and keeps one as a spare. Returns the first
        /// of the others.
        private func discardRead(_ state: inout State) -> Chunk? {
            var unused: Chunk?
            while state.oldest != control.pointee.chunk {
                let chunk = state.oldest
                state.oldest = chunk.pointee.next.unsafelyUnwrapped
                if chunk == state.home { continue }
                if state.spare == nil, chunk.isFull, chunk.pointee.slots != nil {
                    state.spare = chunk
                } else {
                    chunk.pointee.next = unused
                    unused = chunk
                }
            }
            return unused
        }

        /// Whether a message has come, for the holder.
        var hasArrival: Bool {
            let position = control.pointee.position.load(ordering: .relaxed)
            return position != control.pointee.batchEnd || positions != position
        }

        /// Whether all messages were read, for any thread.
        var isEmpty: Bool { withLock { control.pointee.position.load(ordering: .relaxed) == $0.end } }

        /// Ends the holder's role and frees what it has used, unless a message has come, or `hasWork`, which
        /// is asked under the lock.
        func becomeIdle(unless hasWork: () -> Bool) -> Bool {
            var unused: Chunk?
            let isIdle = withLock { state in
                guard control.pointee.position.load(ordering: .relaxed) == state.end, !hasWork() else {
                    return false
                }
                if control.pointee.chunk != state.home {
                    control.pointee.chunk = state.newest
                    unused = discardRead(&state)
                    state.newest.pointee.next = unused
                    unused = state.newest
                } else {
                    unused = nil
                }
                if let spare = state.spare {
                    spare.pointee.next = unused
                    unused = spare
                    state.spare = nil
                }
                state.home.pointee.next = nil
                (state.oldest, state.newest) = (state.home, state.home)
                reset(&state)
                state.isHeld = false
                return true
            }
            free(unused)
            return isIdle
        }

        /// Makes the home chunk that of the next position, when all before were read.
        private func reset(_ state: inout State) {
            state.home.pointee.first = state.end
            state.home.pointee.cancelled = 0
            control.pointee.chunk = state.home
            control.pointee.batchEnd = state.end
            control.pointee.position.store(state.end, ordering: .relaxed)
        }

        /// Passes over a position, for a caller that holds the queue and needs no slot.
        func skip(_ state: inout State) {
            state.end += 1
            reset(&state)
        }

        // MARK: Senders and cancellers

        /// Writes a message. The place serves ``cancel(_:)``.
        ///
        /// - Parameters:
        ///   - time: since when it has waited. Default: now.
        ///   - isStamped: whether it has its time in any case; otherwise one in sixteen has.
        func append(
            _ kind: Message.Kind, _ words: (UInt, UInt), since time: UInt64? = nil, isStamped: Bool,
            to state: inout State
        ) -> JobPlace {
            if state.end == state.newest.end { addChunk(&state) }
            let position = state.end
            // Not each queue's first job, because many queues have few.
            let salt = UInt64(UInt(bitPattern: control)) / 64
            let isStamped = isStamped || TimeHistogram.samples(position &+ salt)
            let sentAt = isStamped ? time ?? cqp_monotonic_nanoseconds() : 0
            let slot = state.newest.slot(of: position).unsafelyUnwrapped
            if state.newest.isFull { slot.pointee.releaseContext() }
            slot.pointee.first.store(words.0, ordering: .relaxed)
            slot.pointee.second.store(words.1, ordering: .relaxed)
            slot.pointee.sentAt.store(sentAt, ordering: .relaxed)
            slot.pointee.state.store(.init(kind, at: position), ordering: .relaxed)
            state.end = position + 1
            return JobPlace(address: UnsafeMutableRawPointer(state.newest), position: position)
        }

        @inline(never)
        private func addChunk(_ state: inout State) {
            let last = state.newest
            if isCancelled(last, in: state) {
                last.pointee.first = state.end
                last.pointee.cancelled = 0
                return
            }
            let capacity = min(4 * last.pointee.capacity, Chunk.fullCapacity)
            let chunk =
                state.spare.take()
                ?? .make(capacity: capacity, in: capacity == Chunk.fullCapacity ? pages : nil)
            chunk.pointee.first = state.end
            chunk.pointee.cancelled = 0
            chunk.pointee.next = nil
            last.pointee.next = chunk
            state.newest = chunk
        }

        /// Whether all jobs of a chunk are cancelled, and the holder does not look at it.
        private func isCancelled(_ chunk: Chunk, in state: State) -> Bool {
            chunk.pointee.cancelled == chunk.pointee.capacity && chunk != state.home
                && chunk.pointee.first >= control.pointee.batchEnd
        }

        /// Takes back a cancellable job that was not read yet; any thread.
        func cancel(_ place: JobPlace) -> Closure? {
            guard let address = place.address else { return nil }
            var unused: (slots: UnsafeMutablePointer<MailboxSlot>, isPage: Bool)?
            let closure = withLock { state -> Closure? in
                guard place.position >= state.oldest.pointee.first, place.position < state.end else {
                    return nil
                }
                let chunk = address.assumingMemoryBound(to: InboxChunk.self)
                guard place.position >= chunk.pointee.first, let slot = chunk.slot(of: place.position) else {
                    return nil
                }
                let waiting = MailboxSlot.State(.cancellable, at: place.position)
                guard slot.pointee.state.load(ordering: .relaxed) == waiting else { return nil }
                let words = slot.pointee.words
                let claim = slot.pointee.state.compareExchange(
                    expected: waiting, desired: .init(.skipped, at: place.position), ordering: .relaxed)
                guard claim.exchanged else { return nil }
                // No access to the chunk as a whole, in part of which the holder reads.
                chunk.pointee.cancelled = chunk.pointee.cancelled + 1
                // The newest is used again by the next sender.
                if chunk != state.newest, isCancelled(chunk, in: state) {
                    unused = chunk.pointee.slots.map { ($0, chunk.isFull) }
                    chunk.pointee.slots = nil
                }
                return Closure(owned: words)
            }
            if let unused { free(unused.slots, isPage: unused.isPage) }
            return closure
        }

        /// How long the first job that waits has waited, if all messages have their time.
        var longestWait: Duration? {
            withLock { state in
                var chunk: Chunk? = state.oldest
                while let present = chunk {
                    let first = max(present.pointee.first, control.pointee.position.load(ordering: .relaxed))
                    for position in first..<max(first, min(present.end, state.end)) {
                        guard let slot = present.slot(of: position) else { break }
                        guard slot.pointee.state.load(ordering: .relaxed).kind != .skipped else { continue }
                        let sentAt = slot.pointee.sentAt.load(ordering: .relaxed)
                        let now = cqp_monotonic_nanoseconds()
                        // A call of `sync` has none, unless it is one in sixteen, which all samples are.
                        guard sentAt != 0 else { continue }
                        return .nanoseconds(now > sentAt ? now - sentAt : 0)
                    }
                    chunk = present.pointee.next
                }
                return nil
            }
        }
    }

    extension Inbox {
        /// Frees a list of chunks.
        private func free(_ first: Chunk?) {
            var chunk = first
            while let present = chunk {
                chunk = present.pointee.next
                if let slots = present.pointee.slots { free(slots, isPage: present.isFull) }
                present.deallocate()
            }
        }

        private func free(_ slots: UnsafeMutablePointer<MailboxSlot>, isPage: Bool) {
            if isPage { pages.put(slots) } else { UnsafeMutableRawPointer(slots).deallocate() }
        }
    }
#endif
