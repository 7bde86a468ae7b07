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
        private let reference: Unmanaged<WorkerQueue>
        private let isRetained: Bool
        private let receiver: MailboxReceiver

        /// The role of a sender that has got the announcement back.
        init(_ queue: WorkerQueue, receiver: consuming MailboxReceiver) {
            reference = .passUnretained(queue)
            isRetained = false
            self.receiver = receiver
        }

        /// The role, with its reference, for the thread that has claimed it by the last holder's word.
        init(claimed queue: WorkerQueue) {
            reference = .passUnretained(queue)
            isRetained = true
            receiver = queue.mailbox.claimedReceiver
        }

        /// Takes no reference, whose count senders write: the role's own keeps the queue, or that of the
        /// caller of `sync`.
        @inline(__always)
        private func withQueue<Result>(_ body: (WorkerQueue) -> Result) -> Result {
            reference._withUnsafeGuaranteedRef(body)
        }

        /// Its number in the group.
        var index: Int { withQueue { $0.index } }

        /// Calls a closure as a part of the queue; see ``RunFrame``.
        @inline(__always)
        func run<Result: ~Copyable>(
            isHelped: Bool = false, _ body: (borrowing HeldQueue) throws -> Result
        ) rethrows -> Result {
            try RunFrame.around(reference, isHelped: isHelped) { try body(self) }
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

        /// Makes the queue idle. Returns the role if there is work after all: a message; a due job, whose
        /// position may have been passed; or handlers for an empty queue that were not called.
        consuming func becomeIdle() -> HeldQueue? {
            if withQueue({ $0.due.isFilled || !$0.holderState.emptyHandlers.isEmpty }) { return self }
            let (reference, isRetained) = (reference, isRetained)
            if let receiver = receiver.announceIdle() {
                return HeldQueue(reference, isRetained: isRetained, receiver: receiver)
            }
            if isRetained { reference.release() }
            return nil
        }

        private init(
            _ reference: Unmanaged<WorkerQueue>, isRetained: Bool, receiver: consuming MailboxReceiver
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

        /// Runs a message, unless a shutdown has cancelled it.
        @inline(__always)
        func perform(_ message: consuming Message) {
            if message.kind == .holder { return HolderMessage.take(message).body(self) }
            guard withQueue({ $0.jobs.admits(message.kind) }) else {
                message.drop()
                return withQueue { $0.countCancelled() }
            }
            let begin = begin(sentAt: message.sentAt)
            if message.kind == .threadCall {
                SyncCall.callBody(of: message)
                finish(begunAt: begin)
                SyncCall.grant(message)
            } else {
                message.run()
                finish(begunAt: begin)
            }
            withQueue { $0.jobs.leaveThread() }
        }

        /// Returns when the job begins, if its time is measured.
        @inline(__always) @discardableResult
        func begin(sentAt: UInt64? = nil) -> UInt64? {
            withQueue { queue in
                queue.jobs.counters.begin()
                return queue.jobs.noteBegin(in: queue.group.record(ofQueue: queue.index), sentAt: sentAt)
            }
        }

        @inline(__always)
        func finish(begunAt: UInt64? = nil) {
            withQueue { queue in
                queue.jobs.noteEnd(in: queue.group.record(ofQueue: queue.index), begunAt: begunAt)
                queue.jobs.counters.finish()
            }
        }

        /// Runs the delayed jobs whose time has come, unless they were cancelled.
        @inline(__always)
        func runDueJobs() {
            if withQueue({ $0.due.isFilled }) { runJobs(withQueue { $0.due.takeAll() }) }
        }

        @inline(never)
        private func runJobs(_ jobs: [DelayedJob]) {
            for job in jobs {
                // First: while the job has both a place and a thread, it makes no room.
                withQueue { $0.jobs.accounting?.capacity?.beginWithoutPlace() }
                defer { withQueue { $0.jobs.leaveThread() } }
                guard let body = job.begin() else { continue }
                if withQueue({ $0.jobs.cancelsWaiting.load(ordering: .relaxed) }) {
                    withQueue { $0.countCancelled() }
                } else {
                    begin()
                    Self.call(consume body)
                    finish()
                }
            }
        }

        /// A function of its own, as ``Message``'s for closures.
        @inline(never)
        private static func call(_ body: consuming @escaping () -> Void) { (consume body)() }

        /// Keeps a closure, which is called when no message waits in the queue.
        func whenEmpty(_ body: @escaping @Sendable () -> Void) {
            withQueue { $0.holderState.emptyHandlers.append(body) }
        }

        /// Calls the closures for an empty queue. Returns false if there are none.
        func runEmptyHandlers() -> Bool {
            let handlers = withQueue { queue in
                guard !queue.holderState.emptyHandlers.isEmpty else { return [@Sendable () -> Void]() }
                defer { queue.holderState.emptyHandlers = [] }
                return queue.holderState.emptyHandlers
            }
            for handler in handlers { handler() }
            return !handlers.isEmpty
        }

        // MARK: The caller of `sync` helps

        /// Runs the queue until this thread's call has been granted. Returns the role if that happened here.
        ///
        /// Within a step of a task, the queue's jobs run in a task of their own: otherwise the runtime would
        /// take them for that step's. They would be isolated to its actor, which is in the middle of a
        /// method, and have its cancellation and its task-local values. The new task runs before it returns
        /// from being made, in the call of its executor.
        consuming func runUntilGranted(_ call: UnsafePointer<SyncCall>) -> HeldQueue? {
            guard withUnsafeCurrentTask(body: { $0 != nil }) else { return runJobs(untilGranted: call) }
            // Unsafe: the task runs on this thread, within the call that makes it.
            nonisolated(unsafe) let call = call
            nonisolated(unsafe) var queue: HeldQueue? = consume self
            nonisolated(unsafe) var granted: HeldQueue?
            _ = Task.detached(executorPreference: CallersThread.executor) { @Sendable in
                granted = queue.take()!.runJobs(untilGranted: call)
            }
            return granted.take()
        }

        /// Runs steps of tasks on the thread that sends them, within the call.
        private final class CallersThread: TaskExecutor {
            static let executor = CallersThread()

            func enqueue(_ step: consuming ExecutorJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        private consuming func runJobs(untilGranted call: UnsafePointer<SyncCall>) -> HeldQueue? {
            var held: HeldQueue? = consume self
            // A loop, because jobs that become due may keep the queue from becoming idle any number of times.
            while let queue = held.take() {
                switch CancellationSource.with(
                    nil, { queue.run(isHelped: true) { $0.nextCall(until: call) } })
                {
                case .own: return queue
                case .other(let message): queue.grant(message)
                case .none: queue.makeReady()
                case .empty: held = queue.becomeIdle()
                }
            }
            return nil
        }

        private enum NextCall: ~Copyable {
            case own
            case other(Message)
            /// A call of another queue was granted.
            case none
            /// A sender before the call has not published, or the call is another queue's.
            case empty
        }

        private func nextCall(until call: UnsafePointer<SyncCall>) -> NextCall {
            while !call.pointee.isGranted {
                runDueJobs()
                if let message = take() {
                    guard message.kind == .call else {
                        perform(message)
                        continue
                    }
                    guard message.words.0 == UInt(bitPattern: call) else { return .other(message) }
                    _ = message.intoParts()
                    return .own
                }
                if !runEmptyHandlers() { return .empty }
            }
            return .none
        }
    }

    /// A queue that its holder lends to callers of `sync`, while the thread only looks for messages.
    struct LentQueue: ~Copyable {
        /// Retained, because a caller of `sync` may claim the queue and release it.
        fileprivate let queue: WorkerQueue
        /// Where the next message comes.
        let arrival: MailboxReceiver.Arrival

        /// Takes the queue back. Returns nil if a caller of `sync` was faster.
        consuming func takeBack() -> HeldQueue? { queue.claimLent() }
    }

    extension WorkerQueue {
        /// Claims the queue from a thread that lends it. Returns nil if none does, or another was faster.
        func claimLent() -> HeldQueue? {
            let change = permitsClaims.compareExchange(
                expected: true, desired: false, successOrdering: .acquiring, failureOrdering: .relaxed)
            return change.exchanged ? HeldQueue(claimed: self) : nil
        }

        /// The state of a queue that only its holder reads and writes.
        struct HolderState {
            fileprivate var emptyHandlers: [@Sendable () -> Void] = []
        }
    }

    /// A message that serves the queue itself, and is not counted as a job.
    final class HolderMessage: Sendable {
        let body: @Sendable (borrowing HeldQueue) -> Void

        init(_ body: @escaping @Sendable (borrowing HeldQueue) -> Void) { self.body = body }

        /// The message's words, which own a reference to this object.
        consuming func intoWords() -> (UInt, UInt) {
            (UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), 0)
        }

        /// Takes the object out of its message, with the reference.
        static func take(_ message: consuming Message) -> HolderMessage {
            let address = UnsafeRawPointer(bitPattern: message.intoParts().words.0).unsafelyUnwrapped
            return Unmanaged<HolderMessage>.fromOpaque(address).takeRetainedValue()
        }
    }
#endif
