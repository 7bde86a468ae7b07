#if os(Linux)
    import QueuePoolsLocks

    /// A serial queue of the engine, behind a ``WorkerQueue``: a ``MailboxQueue`` of a tier or of a thread
    /// of its own, or a ``MadeQueue``. Its methods are those in which these differ. It is retained by its
    /// `WorkerQueue`, by the role of its holder, and by handles of jobs.
    class EngineQueue: JobIntake, DelayedJobTarget, @unchecked Sendable {  // as each subclass says
        /// The queue that the holder waits for in a call of `sync`: see ``SyncCall``.
        let awaitedByHolder = Lock<EngineQueue?>(nil)

        /// That of the tier, if a pool has the queue, whose group retains it. Not asked of the group:
        /// submitters would count references to both.
        private let tierAccounting: Unmanaged<TierAccounting>?

        init(accounting: TierAccounting?) { tierAccounting = accounting.map { .passUnretained($0) } }

        final var accounting: TierAccounting? { tierAccounting?.takeUnretainedValue() }

        var group: WorkerGroup { Self.isAbstract() }
        var label: String { Self.isAbstract() }
        /// Notes which job runs; nil if jobs are not observed.
        var record: UnsafeMutablePointer<JobRecord>? { Self.isAbstract() }

        /// Identifies it to ``SyncWaiters``, also when it has ended.
        final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

        // MARK: Submitting

        /// Whether jobs are accepted and there is a thread for them, which is made if there is none.
        var isAccepting: Bool { Self.isAbstract() }

        /// Why a job that has room is refused.
        var refusalCode: PoolError.Code { Self.isAbstract() }

        /// Sends a job that can be cancelled. Returns nil if it is refused: see ``refusalCode``.
        ///
        /// - Parameter since: since when it has waited; nil: from now on.
        func submit(_ body: __owned @escaping @Sendable () -> Void, since: UInt64?) -> PoolJob? {
            Self.isAbstract()
        }

        /// Submits a job that begins at a time of the monotonic clock. Returns nil if it is refused.
        ///
        /// - Parameter hasPlace: whether it has a place of the capacity.
        func submit(
            _ body: @escaping @Sendable () -> Void, at time: UInt64, hasPlace: Bool = false
        ) -> PoolJob? {
            Self.isAbstract()
        }

        /// Sends a job that is never refused.
        func enqueue(_ body: __owned @escaping @Sendable () -> Void) { Self.isAbstract() }

        /// Sends a step of a task or an actor; never refused. If the queue was idle, the calling worker runs
        /// it next, unless that keeps other work.
        func enqueue(_ kind: Message.Kind, _ step: UnownedJob, of executor: AnyObject) { Self.isAbstract() }

        func cancel(_ place: JobPlace) -> Bool { Self.isAbstract() }

        final var subject: PoolError.Subject { .queue(label: label) }

        @inline(__always)
        final func takeRoom() -> Bool {
            tierAccounting?._withUnsafeGuaranteedRef {
                guard let capacity = $0.capacity else { return true }
                return capacity.take(besideThread: { isIdle })
            } ?? true
        }

        /// Lets a call in that has waited for this queue to become idle.
        @inline(__always)
        final func lookForCalls() { tierAccounting?._withUnsafeGuaranteedRef { $0.capacity?.lookForCalls() } }

        /// The closure, with the task-local values that the pool's jobs carry.
        @inline(__always)
        final func carried(_ body: __owned @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            guard let tierAccounting, let carrier = tierAccounting._withUnsafeGuaranteedRef({ $0.carrier })
            else { return body }
            return carrier.wrap(body)
        }

        /// The error for a refused job, whose place is given back. `hasRoom` is nil if the job needs none.
        final func refusal(hasRoom: Bool?) -> PoolError {
            guard !isForkedChild else { return PoolError(.forked, by: subject) }
            if hasRoom == true { accounting?.capacity?.giveBack() }
            accounting?.countRefused()
            return PoolError(hasRoom != false || refusalCode != .noThread ? refusalCode : .full, by: subject)
        }

        // MARK: sync

        /// Makes the caller the queue's holder, when its turn has come, and begins its job. Traps if the
        /// calling thread holds the queue.
        func hold() throws(PoolError) -> CallersRole { Self.isAbstract() }

        /// Ends the caller's job, and its role.
        func endHold(_ role: consuming CallersRole) { Self.isAbstract() }

        /// The role of a caller of `sync` that holds the queue.
        struct CallersRole: ~Copyable {
            /// Whether the role includes a reference to the queue.
            private let isRetained: Bool

            init(isRetained: Bool) { self.isRetained = isRetained }

            deinit { assertionFailure("a caller of sync has forgotten that it holds a queue") }

            /// Ends the value. Returns whether the role included a reference.
            consuming func end() -> Bool {
                let isRetained = isRetained
                discard self
                return isRetained
            }
        }

        final func checkNotHeld() {
            require(
                !RunFrame.isHeldByThread(self),
                "sync on the queue \"\(label)\" was called by one of its own jobs and would wait for itself")
        }

        /// Whether a worker thread that waits can run the queue: it has work, and no holder.
        var isReady: Bool { Self.isAbstract() }

        /// Runs the queue, if it is ready, until a call is granted, or it has no work. If `isWanted` returns
        /// false when the calling thread has the queue, it remains ready.
        ///
        /// - Returns: whether it was ready.
        func help(untilGranted call: UnsafePointer<SyncCall>, if isWanted: () -> Bool) -> Bool {
            Self.isAbstract()
        }

        // MARK: Shutdown and statistics

        /// As ``JobIntake`` says; also cancels jobs whose time has not come.
        func close(whenDrained body: @escaping @Sendable () -> Void) { Self.isAbstract() }
        func cancelWaiting() { Self.isAbstract() }
        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool { Self.isAbstract() }
        func countCancelled() { Self.isAbstract() }
        func countPending(_ difference: Int32) { Self.isAbstract() }
        func addCounts(to statistics: inout TierStatistics) { Self.isAbstract() }
        /// Whether no job waits or runs. A hint.
        var isIdle: Bool { Self.isAbstract() }
        /// How long the job has waited that has waited longest, if jobs are observed.
        var longestWait: Duration? { Self.isAbstract() }

        private static func isAbstract() -> Never { fatalError("each kind of queue does this") }
    }

    /// Calls a closure that runs other jobs within the job that the calling thread runs, while that waits in
    /// a `sync`. They see nothing of it: neither its task, its task-local values, nor whether it is
    /// cancelled; and they leave its mark in a capacity alone.
    func runWithinJob(_ body: () -> Void) {
        JobCapacity.keepingMark { withoutContext { CancellationSource.with(nil, body) } }
    }

    /// What holders of both kinds of queue do with messages and due jobs.
    protocol HeldJobs: EngineQueue {
        /// Notes that a job begins. Returns when, if its time is measured.
        func begin(sentAt: UInt64?) -> UInt64?
        func finish(begunAt: UInt64?)
        var notes: JobNotes { get }
        /// As ``JobNotes/admits(_:unless:)``.
        func admits(_ kind: Message.Kind) -> Bool
        var isCancelling: Bool { get }
        var hasDueJobs: Bool { get }
        func takeDueJobs() -> [DelayedJob]
    }

    extension HeldJobs {
        /// Runs a message, unless a shutdown has cancelled it.
        @inline(__always)
        func perform(_ message: consuming Message) {
            if message.kind == .holder { return HolderMessage.take(message).body(self) }
            guard admits(message.kind) else {
                message.drop()
                return countCancelled()
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
            notes.leaveThread()
        }

        /// Runs the delayed jobs whose time has come, unless they were cancelled.
        @inline(__always)
        func runDueJobs() { if hasDueJobs { runJobs(takeDueJobs()) } }

        @inline(never)
        private func runJobs(_ jobs: [DelayedJob]) {
            for job in jobs {
                // First: while the job has both a place and a thread, it makes no room.
                notes.enterThread()
                defer { notes.leaveThread() }
                guard let body = job.begin() else { continue }
                if isCancelling {
                    countCancelled()
                } else {
                    let begin = begin(sentAt: nil)
                    Self.call(consume body)
                    finish(begunAt: begin)
                }
            }
        }

        /// A function of its own, as ``Message``'s for closures.
        @inline(never)
        private static func call(_ body: consuming @escaping () -> Void) { (consume body)() }

        /// Publishes the end of a closing by `send`, when the supervisor has handed over the jobs that are
        /// due: the holder that comes to that message cancels the others and calls `body`.
        func endClosing(
            hasDelayed: Bool, whenDrained body: @escaping @Sendable () -> Void,
            _ send: @escaping @Sendable (HolderMessage) -> Void
        ) {
            let end = { @Sendable (delayed: [DelayedJob]) in
                send(
                    HolderMessage { queue in
                        queue.runDueJobs()
                        // Cancels jobs that become due later, which another queue's closing may hand over.
                        queue.cancelWaiting()
                        for job in delayed { job.cancel(isKept: false) }
                        body()
                    })
            }
            if hasDelayed { Supervisor.required().endDelayedJobs(of: group, then: end) } else { end([]) }
        }
    }

    /// A message that serves the queue itself, and is not counted as a job.
    final class HolderMessage: Sendable {
        /// Called by the holder, whose role, or the caller of `sync`, retains the queue.
        let body: @Sendable (any HeldJobs) -> Void

        init(_ body: @escaping @Sendable (any HeldJobs) -> Void) { self.body = body }

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
