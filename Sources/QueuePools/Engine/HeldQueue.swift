#if os(Linux)
    import Synchronization

    /// The role of a queue's holder, which one thread has at a time: a thread of the queue's group, or a
    /// caller of `sync`. The holder receives the queue's messages and runs its jobs.
    ///
    ///     idle ── a sender gets the announcement back ──▶ ready ── a thread clears the bit ──▶ held
    ///     idle ── a caller of `sync` gets it back ──────────────────────────────────────────▶ held
    ///     held ── the mailbox is empty: announces ──▶ idle
    ///     held ── its share is used ──▶ ready
    ///     held ── the next message is a call of `sync` ──▶ held, by the caller
    ///     held, but the thread only looks for messages ── a `sync` claims it ──▶ held, by the caller
    ///     idle ── a step's sender gets it back, and keeps it for its thread (``NextSlot``) ──▶ held
    ///
    /// Each arrow consumes the value and releases the holder's writes, through the announcement's slot,
    /// `ready`, the call's word, `permitsClaims`, or the number in ``NextSlot``; the next holder acquires
    /// that, and so has the value. All that is not atomic in a queue is reached through it. Dropping it would
    /// stop the queue for ever, so that traps in a debug build (``MailboxReceiver``).
    ///
    /// **A queue outlives its jobs.** The role includes a reference to the queue, which ends when the queue
    /// becomes idle. A caller of `sync` that finds the queue idle has a reference of its own instead.
    struct HeldQueue: ~Copyable {
        private let reference: Unmanaged<MailboxQueue>
        private let isRetained: Bool
        private let receiver: MailboxReceiver

        /// The role of a sender that has got the announcement back.
        init(_ queue: MailboxQueue, receiver: consuming MailboxReceiver) {
            reference = .passUnretained(queue)
            isRetained = false
            self.receiver = receiver
        }

        /// The role, with its reference, for the thread that has claimed it by the last holder's word.
        init(claimed queue: MailboxQueue) {
            reference = .passUnretained(queue)
            isRetained = true
            receiver = queue.mailbox.claimedReceiver
        }

        /// The role of a caller of `sync`, which passes it on to itself.
        init(_ queue: MailboxQueue, _ role: consuming EngineQueue.CallersRole) {
            reference = .passUnretained(queue)
            isRetained = role.end()
            receiver = queue.mailbox.claimedReceiver
        }

        consuming func intoCallersRole() -> EngineQueue.CallersRole {
            let isRetained = isRetained
            receiver.passOn()
            return EngineQueue.CallersRole(isRetained: isRetained)
        }

        /// Takes no reference, whose count senders write: the role's own keeps the queue, or that of the
        /// caller of `sync`.
        @inline(__always)
        private func withQueue<Result>(_ body: (MailboxQueue) -> Result) -> Result {
            reference._withUnsafeGuaranteedRef(body)
        }

        /// Its number in the group.
        var index: Int { withQueue { $0.index } }

        /// Calls a closure as a part of the queue; see ``RunFrame``.
        @inline(__always)
        func run<Result: ~Copyable>(
            isHelped: Bool = false, _ body: (borrowing HeldQueue) throws -> Result
        ) rethrows -> Result {
            try RunFrame.around(reference, isHelped ? .helpedJobs : .jobs) { try body(self) }
        }

        // MARK: Ending the role

        /// Makes the queue ready: the next free thread of its group runs it. Retains the group: see there.
        @inline(never)
        consuming func makeReady() {
            let group = withQueue { Unmanaged.passRetained($0.group) }
            let index = intoIndex()
            group._withUnsafeGuaranteedRef { $0.setReady(index) }
            group.release()
        }

        /// Passes the role on with its reference, by a word that the caller writes next.
        @inline(__always)
        consuming func intoIndex() -> Int {
            let index = index
            if !isRetained { _ = reference.retain() }
            receiver.passOn()
            return index
        }

        /// Makes the queue idle. Returns the role if there is work after all: a message, or a due job, whose
        /// position may have been passed.
        consuming func becomeIdle() -> HeldQueue? {
            if withQueue({ $0.due.isFilled }) { return self }
            withQueue { $0.lookForCalls() }
            let (reference, isRetained) = (reference, isRetained)
            if let receiver = receiver.announceIdle() {
                return HeldQueue(reference, isRetained: isRetained, receiver: receiver)
            }
            if isRetained { reference.release() }
            return nil
        }

        private init(
            _ reference: Unmanaged<MailboxQueue>, isRetained: Bool, receiver: consuming MailboxReceiver
        ) {
            self.reference = reference
            self.isRetained = isRetained
            self.receiver = receiver
        }

        /// Hands the queue over to the caller of `sync` whose message is the next.
        consuming func grant(_ call: consuming Message) {
            _ = intoIndex()
            SyncCall.grant(call)
        }

        /// Permits callers of `sync` to claim the queue, while this thread only looks for messages.
        consuming func lend() -> LentQueue {
            let (queue, arrival) = (reference.takeUnretainedValue(), receiver.nextArrival)
            _ = intoIndex()
            queue.permitsClaims.store(true, ordering: .releasing)
            return LentQueue(queue: queue, arrival: arrival)
        }

        // MARK: Receiving and running messages

        var hasWork: Bool { hasArrival || withQueue { $0.due.isFilled } }

        @inline(__always)
        var hasArrival: Bool { receiver.hasArrival }

        @inline(__always)
        func take() -> Message? { receiver.take() }

        /// Takes the message of the caller's own call, if the queue runs it next.
        func takeOwnCall(at position: UInt64) -> Bool {
            guard !withQueue({ $0.due.isFilled }), receiver.nextPosition == position else { return false }
            if let call = receiver.take() { _ = call.intoParts() }
            return true
        }

        /// Passes over the first position, of a queue that was never used.
        func passOverFirst() { receiver.passOverFirst() }

        @inline(__always)
        func perform(_ message: consuming Message) {
            let sentAt = message.sentAt
            let (kind, words) = message.intoParts()
            withQueue { $0.perform(Message(kind, words, sentAt: sentAt)) }
        }

        @inline(__always)
        func begin() { withQueue { _ = $0.begin() } }

        @inline(__always)
        func finish() { withQueue { $0.finish() } }

        @inline(__always)
        func runDueJobs() { withQueue { $0.runDueJobs() } }

        // MARK: The caller of `sync` helps

        /// Runs the queue until a call has been granted, here or by another thread, or there is no work.
        consuming func runUntilGranted(_ call: UnsafePointer<SyncCall>) {
            var queue: HeldQueue? = consume self
            runWithinJob { queue.take()!.runJobs(untilGranted: call) }
        }

        private consuming func runJobs(untilGranted call: UnsafePointer<SyncCall>) {
            var held: HeldQueue? = consume self
            // A loop, because jobs that become due may keep the queue from becoming idle any number of times.
            while let queue = held.take() {
                switch queue.run(isHelped: true, { $0.nextCall(until: call) }) {
                case .call(let message): queue.grant(message)
                case .granted: queue.makeReady()
                case .empty: held = queue.becomeIdle()
                }
            }
        }

        private enum NextCall: ~Copyable {
            /// The awaited call, or another.
            case call(Message)
            /// The awaited call, which is another queue's, was granted.
            case granted
            /// A sender before the call has not published, or the call is another queue's.
            case empty
        }

        private func nextCall(until call: UnsafePointer<SyncCall>) -> NextCall {
            while !call.pointee.isGranted {
                runDueJobs()
                if let message = take() {
                    if message.kind == .call { return .call(message) }
                    perform(message)
                } else {
                    return .empty
                }
            }
            return .granted
        }
    }

    /// A queue that its holder lends to callers of `sync`, while the thread only looks for messages.
    struct LentQueue: ~Copyable {
        /// Retained, because a caller of `sync` may claim the queue and release it.
        fileprivate let queue: MailboxQueue
        /// Where the next message comes.
        let arrival: MailboxReceiver.Arrival

        /// Takes the queue back. Returns nil if a caller of `sync` was faster.
        consuming func takeBack() -> HeldQueue? { queue.claimLent() }
    }

    extension MailboxQueue {
        /// Claims the queue from a thread that lends it. Returns nil if none does, or another was faster.
        func claimLent() -> HeldQueue? {
            let change = permitsClaims.compareExchange(
                expected: true, desired: false, successOrdering: .acquiring, failureOrdering: .relaxed)
            return change.exchanged ? HeldQueue(claimed: self) : nil
        }
    }
#endif
