#if os(Linux)
    import Synchronization

    /// # Which thread runs a queue
    ///
    /// One thread at a time *holds* a queue: a thread of its group, or a caller of `sync`. The holder is the
    /// mailbox's receiver, and all that is not atomic belongs to it.
    ///
    ///     idle ── a sender gets the announcement back ──▶ ready ── a thread clears the bit ──▶ held
    ///     idle ── a caller of `sync` gets it back ──────────────────────────────────────────▶ held
    ///     held ── the mailbox is empty: announces ──▶ idle
    ///     held ── its share is used ──▶ ready
    ///     held ── the next message is a call of `sync` ──▶ held, by the caller
    ///     held, but the thread only looks for messages ── a `sync` claims it ──▶ held, by the caller
    ///
    /// Each change passes on what the holder wrote: through the announcement's slot, `ready`, the call's
    /// word, or `permitsClaims`; each is written with release and read with acquire.
    ///
    /// **A queue outlives its jobs.** The thread that makes an idle queue ready retains it; the holder that
    /// makes it idle releases it. A caller of `sync` has a reference of its own.
    extension WorkerQueue {

        /// Makes the queue ready, after the caller got its announcement back.
        @inline(never)
        func activate(isForStep: Bool = false) {
            _ = Unmanaged.passRetained(self)
            if isForStep, group.keep(UInt(index), WorkerGroup.queueMark) { return }
            group.makeReady(index)
        }

        /// Makes the queue idle, which the caller holds. Returns false if there is a job after all, also a
        /// due one, whose position may have been passed already.
        func becomeIdle() -> Bool {
            guard !due.isFilled, mailbox.announceIdle() else { return false }
            Unmanaged.passUnretained(self).release()
            return true
        }

        /// Whether there is something to run; for the holder.
        var hasWork: Bool { mailbox.hasArrival || due.isFilled }

        /// Lets a caller of `sync` claim the queue, while the holder only looks for messages. From then on
        /// the holder may look at the mailbox's next slot, and at nothing else of the queue.
        func permitClaims() { permitsClaims.store(true, ordering: .releasing) }

        /// Takes the queue back, or from a thread that only looks for messages. Returns false if another
        /// thread was faster, or the queue is not held by such a thread.
        func takeIfPermitted() -> Bool {
            permitsClaims.compareExchange(
                expected: true, desired: false, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        }

        @inline(__always)
        func perform(_ message: Message) {
            if message.kind == .control { return message.run() }
            guard jobs.admits(message) else { return countCancelled() }
            let begin = begin(sentAt: message.sentAt)
            message.run()
            finish(begunAt: begin)
            if message.kind == .call { SyncCall.grant(message) }
        }

        /// Returns when the job begins, if its time is measured.
        @inline(__always) @discardableResult
        func begin(sentAt: UInt64? = nil) -> UInt64? {
            jobs.counters.begin()
            return jobs.noteBegin(in: group.record(ofQueue: index), sentAt: sentAt)
        }

        @inline(__always)
        func finish(begunAt: UInt64? = nil) {
            jobs.noteEnd(in: group.record(ofQueue: index), begunAt: begunAt)
            jobs.counters.finish()
        }

        /// Runs the delayed jobs whose time has come, unless they were cancelled.
        func runDueJobs() {
            for job in due.takeAll() {
                guard let body = job.begin() else { continue }
                guard !jobs.cancelsWaiting.load(ordering: .relaxed) else {
                    countCancelled()
                    continue
                }
                begin()
                Self.call(body)
                finish()
            }
        }

        /// So that the closure's captures are released before the job counts as finished.
        @inline(never)
        private static func call(_ body: consuming @escaping () -> Void) { (consume body)() }

        /// Runs the queue, which the caller holds, until a call of the caller has been granted. Returns true
        /// if it was granted here: then, and only then, the caller still holds the queue.
        ///
        /// Within a step of a task, the queue's jobs run in a task of their own: otherwise the runtime would
        /// take them for that step's. They would be isolated to its actor, which is in the middle of a
        /// method, and have its cancellation and its task-local values. The new task runs before it returns
        /// from being made, in the call of its executor.
        func runUntilGranted(_ call: UnsafePointer<SyncCall>) -> Bool {
            guard withUnsafeCurrentTask(body: { $0 != nil }) else { return runJobs(untilGranted: call) }
            nonisolated(unsafe) let call = call
            nonisolated(unsafe) var isGranted: Bool?
            _ = Task.detached(executorPreference: CallersThread.executor) { [self] in
                isGranted = runJobs(untilGranted: call)
            }
            return isGranted.unsafelyUnwrapped
        }

        /// Runs steps of tasks on the thread that sends them, within the call.
        private final class CallersThread: TaskExecutor {
            static let executor = CallersThread()

            func enqueue(_ step: consuming ExecutorJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        private func runJobs(untilGranted call: UnsafePointer<SyncCall>) -> Bool {
            RunFrame.around(self, isHelped: true) {
                while !call.pointee.isGranted {
                    if due.isFilled { runDueJobs() }
                    if let message = mailbox.take() {
                        guard message.kind == .call else {
                            perform(message)
                            continue
                        }
                        if message.words.0 == UInt(bitPattern: call) { return true }
                        SyncCall.grant(message)
                        return false
                    }
                    // A sender before the call has not published, or the call is another queue's.
                    if becomeIdle() { return false }
                }
                group.makeReady(index)
                return false
            }
        }

        func runEmptyHandlers() -> Bool {
            guard !emptyHandlers.isEmpty else { return false }
            let handlers = emptyHandlers
            emptyHandlers = []
            for handler in handlers { handler() }
            return true
        }
    }

    extension WorkerQueue: DelayedJobTarget {
        func countCancelled() { jobs.countCancelled() }

        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool {
            let (position, isClosed) = mailbox.takePosition()
            // Also if it is closed: until the closing is read the holder runs it, and later cancels it.
            due.append(job)
            skip(position)  // the holder looks for due jobs when it comes to this position
            return !isClosed || isClosing
        }
    }

    extension WorkerQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) { enqueue(.queueStep, UnownedJob(job), of: self) }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() { require(isCurrent, "expected to run on the queue \"\(label)\"") }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? { isCurrent }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    extension Message {
        /// Runs the step of a task or an actor, or the closure, that it holds.
        @inline(__always)
        func run() {
            switch kind {
            case .queueStep: runStep(on: WorkerQueue.self)
            case .taskStep: runStep(on: PoolTaskExecutor<WorkerQueue>.self)
            case .actorStep: runStep(on: PoolSerialExecutor<WorkerQueue>.self)
            case .call: SyncCall.callBody(of: self)
            default: runClosure()
            }
        }

        /// So that the closure's captures are released before the job counts as finished.
        @inline(never)
        private func runClosure() { Closure(owned: words).body() }

        /// The executor is alive while it has steps to run, because tasks and actors retain theirs.
        private func runStep<Executor: StepExecutor>(on _: Executor.Type) {
            let address = UnsafeRawPointer(bitPattern: words.1).unsafelyUnwrapped
            let step = unsafeBitCast(words.0, to: UnownedJob.self)
            Unmanaged<Executor>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.run(step) }
        }
    }

#endif
