#if os(Linux)
    import Locks
    import Synchronization

    /// A serial queue of the package's own engine: a mailbox, whose jobs are run by the threads of the
    /// queue's tier, or by a thread of its own. *Thread-safe.*
    ///
    ///     let queue = try WorkerQueue(label: "decoder")
    ///     let job = try queue.async { decode() }
    ///     job.cancel()
    ///     let size = try queue.sync { frame.size }
    ///
    /// Jobs run one at a time, in the order of submission. Sending one takes no lock, and no memory beyond
    /// the closure's own.
    ///
    /// A queue of a pool shares the threads of its tier: which of them runs a job differs from job to job. A
    /// queue made by itself has one thread, named after it, which is made when the queue is first used, and
    /// ends when it has had nothing to do for a while (``ThreadConfiguration/idleLifetime``).
    ///
    /// It is also an executor: of tasks (`Task(executorPreference: queue)`), and of an actor that retains the
    /// queue and returns `queue.asUnownedSerialExecutor()` as its `unownedExecutor`.
    ///
    /// Dropping the last reference loses nothing: what was submitted and not cancelled runs, delayed jobs at
    /// their time.
    public final class WorkerQueue: SerialQueue, @unchecked Sendable {  // atomics, or the holder's
        /// Senders write the reference count, and all read what follows.
        private let padding = LinePadding(repeating: 0)

        /// The queue's name. A thread of its own is named after it: its first and last bytes, 15 in all,
        /// Linux's limit.
        public let label: String

        let group: WorkerGroup
        /// Its number in the group.
        let index: Int
        private let isClosed = Atomic<Bool>(false)
        /// The holder writes its counters and what follows.
        let jobs: CountedMailbox
        let due = DueJobs()
        /// Whether a caller of `sync` may take the queue from the thread that holds it.
        let permitsClaims = Atomic<Bool>(false)

        /// What the holder waits for in a call of `sync`: see ``SyncCall``.
        let awaitedByHolder = Lock<WorkerQueue?>(nil)
        /// The holder's.
        var emptyHandlers: [@Sendable () -> Void] = []

        /// Makes a queue of its own, outside of any pool.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL.
        ///   - scheduling: how the thread is scheduled. Default: with the process's nice value, and a slice
        ///     of 0.1 ms. Nil leaves it as the process is, like `.inherited`.
        ///   - threads: how the thread is made, waits and ends.
        ///   - runsSyncOnThread: whether `sync` also runs its closure on the queue's thread, for libraries
        ///     that must be called by one thread; that thread then lives as long as the queue. Default: no.
        /// - Throws: ``PoolError`` if an argument is impossible.
        public convenience init(
            label: String, scheduling: ThreadScheduling? = ThreadScheduling(),
            threads: ThreadConfiguration = ThreadConfiguration(), runsSyncOnThread: Bool = false
        ) throws(PoolError) {
            try PoolError.checkLabel(label)
            try scheduling?.validate()
            try threads.validate()
            let settings = ThreadSettings(
                label: label, keepsLast: runsSyncOnThread, runsSyncOnThread: runsSyncOnThread,
                scheduling: scheduling, threads: threads)
            markForkedChildren()
            _ = Supervisor.current()  // see `WorkerQueuePool`
            self.init(group: WorkerGroup(settings: settings, labels: [label]), index: 0)
        }

        init(group: WorkerGroup, index: Int) {
            self.group = group
            self.index = index
            label = group.labels[index]
            let observer = group.settings.observation.map {
                JobObserver($0, label: group.labels[index], in: group)
            }
            jobs = CountedMailbox(group: group, observer: observer, isAnnounced: true)
            group.enter(self, at: index)
        }

        deinit {
            // Nothing waits, because jobs retain their queue.
            mailbox.destroy { _ in }
            group.leave()
        }

        /// Submits a job and returns immediately.
        ///
        /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
        /// - Throws: ``PoolError``: `.full` beyond the capacity; `.noThread` if the system has no thread, and
        ///   the pool's tier has none either; `.shutDown` after the pool's shutdown; `.forked` in
        ///   a child that was forked after the first pool or queue was made.
        @discardableResult
        public func async(_ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob {
            let hasRoom = takeRoom()
            guard hasRoom, let job = submit(consume body) else { throw refusal(hasRoom: hasRoom) }
            return job
        }

        /// Submits a job with a label, which ``QueuePool/activity(of:)`` and ``LongJob`` show; otherwise as
        /// ``async(_:)``.
        @discardableResult
        public func async(
            label: String, _ body: @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob {
            try async {
                labelJob(label)
                body()
            }
        }

        /// Submits a job that cannot be cancelled and is never refused: the cheapest way. While the system
        /// has no thread for the queue, the job waits. Blocks only while the process has no thread that makes
        /// threads. Traps in such a child.
        public func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
            group.prepareToSend()
            publish(.closure, Closure(consume job).intoWords(), at: mailbox.takePosition().position)
        }

        /// Submits a job that begins after a time of the monotonic clock, which stops while the machine
        /// sleeps. When the time has come (immediately for zero or less), the job goes before those that
        /// wait. Shutting down the pool cancels jobs whose time has not come.
        ///
        /// - Returns: the job, as ``async(_:)``.
        /// - Throws: ``PoolError`` as ``async(_:)``.
        /// - Complexity: O(log *n*) in the number of delayed jobs.
        @discardableResult
        public func async(
            after delay: Duration, _ body: @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob {
            let hasRoom = takeRoom()
            guard hasRoom, isAccepting,
                let job = jobs.submit(
                    to: self, after: delay, isDue: delay <= .zero, unless: isClosed, body)
            else { throw refusal(hasRoom: hasRoom) }
            return job
        }

        /// Calls a closure once, on the queue, when nothing waits in it. Delayed jobs whose time has not come
        /// do not count, nor do jobs that came after the pool's shutdown began, which returns after the call.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, but never `.full`.
        public func notifyWhenEmpty(_ body: @escaping @Sendable () -> Void) throws(PoolError) {
            guard let position = takePosition() else { throw refusal(hasRoom: nil) }
            publishControl(at: position) { [unowned self] in emptyHandlers.append(body) }
        }

        /// True on a job of this queue, also within a `sync` on another queue that such a job calls.
        public var isCurrent: Bool { RunFrame.contains(self) }

        /// Runs a closure as a job of the queue, on the calling thread, behind what waits; returns its value.
        ///
        /// If the queue is idle, no thread is woken. Otherwise the calling thread is
        /// blocked until the jobs before have ended. The closure runs on the main actor if the caller does,
        /// and with the caller's task-local values.
        ///
        /// Traps if a job of this queue calls it, directly or within calls of `sync` on others, because it
        /// would wait for itself; and in the last of several calls whose queues would wait for each other in
        /// a cycle.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, but never `.full`, and what the closure throws.
        public func sync<Result>(_ body: () throws -> Result) throws -> Result {
            if group.settings.runsSyncOnThread {
                var result: Swift.Result<Result, any Error>?
                try withoutActuallyEscaping({ result = Swift.Result(catching: body) }) { body in
                    _ = try enter(calling: body)
                }
                return try result.unsafelyUnwrapped.get()
            }
            let isRetained = try enter()
            begin()
            defer { release(isRetained: isRetained) }
            return try RunFrame.around(self, body)
        }

        /// Makes the caller the queue's holder, when its turn has come; or waits until the queue's thread has
        /// called a closure. Returns whether the queue is retained for the holder.
        @inline(__always)
        private func enter(calling body: (() -> Void)? = nil) throws(PoolError) -> Bool {
            guard let position = takePosition() else { throw refusal(hasRoom: nil) }
            require(
                !RunFrame.isHeldByThread(self),
                "sync on the queue \"\(label)\" was called by one of its own jobs and would wait for itself")
            return withUnsafeTemporaryAllocation(of: SyncCall.self, capacity: 1) { calls in
                let call = calls.baseAddress.unsafelyUnwrapped
                call.initialize(to: SyncCall(body: body))
                defer { call.deinitialize(count: 1) }
                let isAwaited = mailbox.publish(.call, (UInt(bitPattern: call), 0), at: position).isAwaited
                if body != nil {
                    if isAwaited { activate() }
                } else if isAwaited {
                    _ = mailbox.take()
                    return false
                } else if takeIfPermitted() {
                    if !due.isFilled, mailbox.nextPosition == position {
                        _ = mailbox.take()
                        return true
                    }
                    group.makeReady(index)
                }
                call.pointee.wait(for: self, at: call)
                return true
            }
        }

        /// Ends the caller's time as the holder.
        private func release(isRetained: Bool) {
            finish()
            if emptyHandlers.isEmpty, !due.isFilled, mailbox.announceIdle() {
                if isRetained { Unmanaged.passUnretained(self).release() }
            } else {
                if !isRetained { _ = Unmanaged.passRetained(self) }
                group.makeReady(index)
            }
        }
    }

    extension WorkerQueue: JobIntake {
        var mailbox: Mailbox { jobs.mailbox }

        /// Sends a job that can be cancelled. Returns nil if it is refused, for the reason of
        /// ``refusalCode``.
        ///
        /// - Parameter since: since when it has waited; nil: from now on.
        func submit(_ body: consuming @escaping @Sendable () -> Void, since: UInt64? = nil) -> PoolJob? {
            guard let position = takePosition() else { return nil }
            let words = Closure(consume body).intoWords()
            let (place, isAwaited) = mailbox.publish(.cancellable, words, at: position, since: since)
            if isAwaited { activate() }
            return PoolJob(owner: self, place: place)
        }

        /// Takes a position, which must be published. Returns nil if the queue takes no jobs.
        @inline(__always)
        private func takePosition() -> UInt64? {
            guard isAccepting else { return nil }
            let (position, isClosed) = mailbox.takePosition()
            guard isClosed else { return position }
            skip(position)
            return nil
        }

        /// Publishes that there is no job at a position.
        func skip(_ position: UInt64) { if jobs.skip(position) { activate() } }

        func publishControl(at position: UInt64, _ body: @escaping @Sendable () -> Void) {
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            publish(.control, Closure(body).intoWords(), at: position)
        }

        /// Sends a step of a task or an actor; never refused.
        func enqueue(_ kind: Message.Kind, _ step: UnownedJob, of executor: AnyObject) {
            group.prepareToSend()
            publish(
                kind, Message.words(of: step, on: executor), at: mailbox.takePosition().position,
                isForStep: true)
        }

        @inline(__always)
        private func publish(
            _ kind: Message.Kind, _ words: (UInt, UInt), at position: UInt64, isForStep: Bool = false
        ) {
            if mailbox.publish(kind, words, at: position).isAwaited { activate(isForStep: isForStep) }
        }

        func cancel(_ place: JobPlace) -> Bool { jobs.cancel(place) }

        /// Whether jobs are accepted and there is a thread for them, which is made if there is none. Relaxed:
        /// a job that overtakes a closing meets the mailbox's own mark.
        @inline(__always)
        private var isAccepting: Bool { !isClosed.load(ordering: .relaxed) && group.acceptsJobs }

        private func takeRoom() -> Bool { jobs.accounting?.capacity?.take() ?? true }

        /// Why a job has just been refused. Returns its place, if it had one; nil if it needed none.
        private func refusal(hasRoom: Bool?) -> PoolError {
            guard !isForkedChild else { return PoolError(.forked, by: subject) }
            if hasRoom == true { jobs.accounting?.capacity?.giveBack() }
            jobs.accounting?.countRefused()
            return PoolError(hasRoom != false || refusalCode != .noThread ? refusalCode : .full, by: subject)
        }

        var refusalCode: PoolError.Code { isClosed.load(ordering: .relaxed) ? .shutDown : .noThread }

        func cancelWaiting() { jobs.cancelsWaiting.store(true, ordering: .relaxed) }

        /// Closes the intake, once. `body` is called when all jobs and notifications accepted before have
        /// ended; jobs whose time has not come are cancelled.
        func close(whenDrained body: @escaping @Sendable () -> Void) {
            isClosed.store(true, ordering: .relaxed)
            guard let position = mailbox.close() else { return body() }
            let hasDelayed = jobs.counters.meetAtDelayed() > 0
            guard position > 0 || hasDelayed else {
                // It was never used. The closer holds it for a moment, so that no thread is made for that.
                cancelWaiting()
                if jobs.skip(position) {
                    mailbox.passOverFirst()
                    if !mailbox.announceIdle() { activate() }
                }
                return body()
            }
            let end = { @Sendable [self] (delayed: [DelayedJob]) in
                publishControl(at: position) { [unowned self] in
                    runDueJobs()
                    // What becomes due from now on: another queue's closing may find it, for no shutdown.
                    cancelWaiting()
                    for job in delayed { job.cancel(isKept: false) }
                    _ = runEmptyHandlers()
                    body()
                }
            }
            if hasDelayed { Supervisor.required().endDelayedJobs(of: group, then: end) } else { end([]) }
        }
    }
#endif
