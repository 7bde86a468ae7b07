#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// Jobs of a tier that may run in any order and at the same time: a mailbox that all threads of the tier
    /// read. A tier's lanes are the largest power of two that is not above the number of its threads, at most
    /// eight, so that threads seldom meet in one.
    ///
    /// A thread locks the lane while it takes a job, and not while it runs it. One that finds it locked goes
    /// to the next lane, and does not park before it has looked into this one (``hasJob()``).
    ///
    /// **No job waits beside a parked thread**: see ``Parking``. If the slot at the head is not published,
    /// its sender has not looked at `parked` yet, and no thread can take the jobs behind it.
    ///
    /// One exception: a sender that is about to be suspended for its job keeps the lane's number for its own
    /// thread (``NextSlot``), and the thread or the supervisor looks at `parked` later.
    ///
    /// **Locking** acquires and unlocking releases, which orders the state of the mailbox's receiver.
    final class UnorderedLane: DelayedJobTarget, @unchecked Sendable {  // atomics, or under the lock
        /// Senders write the reference count, and all read the fields below.
        private let padding = LinePadding(repeating: 0)
        /// Retains the lane. It is there while jobs are sent or run.
        unowned let group: WorkerGroup
        /// Threads write its counters and the fields below.
        private let jobs: CountedMailbox
        private let isLocked = Atomic<Bool>(false)

        /// Whether delayed jobs are refused. Due ones enter the mailbox before that is closed.
        private let isClosing = Atomic<Bool>(false)
        /// How many jobs had begun when the closing was taken. Later ones are not waited for.
        private let lastBegun = Atomic<UInt64>(.max)
        private let finishedLate = Atomic<UInt64>(0)
        /// Jobs that were taken to be cancelled.
        private let dropped = Atomic<UInt64>(0)
        private let report = ClaimOnce()
        private nonisolated(unsafe) var whenDrained: @Sendable () -> Void = {}

        init(group: WorkerGroup, observer: JobObserver?) {
            self.group = group
            jobs = CountedMailbox(group: group, observer: observer, isAnnounced: false)
        }

        deinit {
            mailbox.claimedReceiver.destroy()
        }

        var mailbox: Mailbox { jobs.mailbox }

        /// Sends a job that can be cancelled. Returns nil if the lane is closed. The caller wakes a thread.
        @inline(__always)
        func submit(_ body: consuming @escaping @Sendable () -> Void, since: UInt64? = nil) -> PoolJob? {
            let (position, isClosed) = mailbox.takePosition()
            guard !isClosed else {
                _ = jobs.skip(position)
                return nil
            }
            let words = Closure(consume body).intoWords()
            let published = mailbox.publish(.cancellable, words, at: position, since: since)
            return PoolJob(owner: self, place: published.place)
        }

        func cancel(_ place: JobPlace) -> Bool { jobs.cancel(place) }

        func submit(at time: UInt64, _ body: @escaping @Sendable () -> Void) -> PoolJob? {
            jobs.counters.submit(to: self, at: time, unless: isClosing, body)
        }

        func accept(_ job: DelayedJob, isClosing _: Bool) -> Bool {
            // The position's own mark decides: the lane may be closed at any moment.
            let (position, isClosed) = mailbox.takePosition()
            guard !isClosed, job.enterLane() else {
                _ = jobs.skip(position)
                return !isClosed
            }
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            let words = Closure { [unowned self] in
                if let body = job.begin(), !jobs.cancelsWaiting.load(ordering: .relaxed) {
                    body()
                } else {
                    dropped.wrappingAdd(1, ordering: .relaxed)
                }
            }.intoWords()
            _ = mailbox.publish(.closure, words, at: position)
            group.wakeIfNeeded()
            return true
        }

        func countCancelled() { jobs.countCancelled() }

        func countPending(_ difference: Int32) { jobs.pending.wrappingAdd(difference, ordering: .relaxed) }

        /// A job that was taken out of a lane.
        struct TakenJob: ~Copyable {
            var message: Message
            /// Whether it came before the closing.
            let isAwaited: Bool
            let hasMore: Bool
        }

        /// The next job, or nil if there is none, or another thread takes one now.
        func take() -> TakenJob? {
            guard !isLocked.exchange(true, ordering: .acquiring) else { return nil }
            let receiver = mailbox.claimedReceiver
            defer { isLocked.store(false, ordering: .releasing) }
            guard let message = receiver.take() else {
                receiver.passOn()
                return nil
            }
            let hasMore = receiver.hasArrival
            receiver.passOn()
            if message.kind == .activation {
                return TakenJob(message: message, isAwaited: true, hasMore: hasMore)
            } else if message.kind == .control {
                lastBegun.store(jobs.counters.begunCount, ordering: .sequentiallyConsistent)
            } else {
                jobs.counters.begin()
            }
            // Relaxed: written under the lock.
            let isAwaited = lastBegun.load(ordering: .relaxed) == .max
            return TakenJob(message: message, isAwaited: isAwaited, hasMore: hasMore)
        }

        /// - Parameter record: the thread's.
        func run(_ job: consuming TakenJob, noting record: UnsafeMutablePointer<JobRecord>?) {
            let isAwaited = job.isAwaited
            if job.message.kind == .control { return job.message.run() }
            if jobs.admits(job.message.kind) {
                run(job.message, noting: record)
                jobs.notes.leaveThread()
            } else {
                job.message.drop()
                dropped.wrappingAdd(1, ordering: .relaxed)
            }
            if isAwaited {
                jobs.counters.finishConcurrently()
                reportIfDrained()
            } else {
                // Releasing, so that statistics that count the end count the beginning.
                finishedLate.wrappingAdd(1, ordering: .releasing)
            }
        }

        /// Runs the step of a task that did not come through the lane, and does not count it.
        func runKept(_ step: consuming Message, noting record: UnsafeMutablePointer<JobRecord>?) {
            jobs.notes.enterThread()
            run(step, noting: record)
            jobs.notes.leaveThread()
        }

        @inline(__always)
        private func run(_ message: consuming Message, noting record: UnsafeMutablePointer<JobRecord>?) {
            let begin = jobs.notes.begin(in: record, sentAt: message.sentAt)
            message.run()
            jobs.notes.end(in: record, begunAt: begin)
        }

        /// Sends a queue that has work, which is not counted as a job. The caller wakes a thread.
        func send(_ queue: consuming MadeQueue.Activation) {
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            _ = mailbox.send(.activation, (queue.intoWord(), 0))
        }

        var mayHaveJobs: Bool { mailbox.mayHaveUnread }

        /// Whether there is a job, for a thread that is about to sleep. Waits for the lock.
        func hasJob() -> Bool { whenUnlocked { $0.hasArrival } }

        private func whenUnlocked<Result>(_ body: (borrowing MailboxReceiver) -> Result) -> Result {
            while isLocked.exchange(true, ordering: .acquiring) { cqp_thread_yield() }
            let receiver = mailbox.claimedReceiver
            let result = body(receiver)
            receiver.passOn()
            isLocked.store(false, ordering: .releasing)
            return result
        }

        /// Closes the mailbox, once. The thread that ends the last job accepted before then cancels `delayed`
        /// and calls `body`: not the supervisor, because releasing those jobs' captures may run any code.
        private func closeMailbox(
            cancelling delayed: [DelayedJob] = [], whenDrained body: @escaping @Sendable () -> Void
        ) {
            guard let position = mailbox.close() else { return body() }
            guard position > 0 || !delayed.isEmpty else {
                // The lane was never used: the closing is read here, unless a thread has read it, so that no
                // thread is made for it.
                _ = jobs.skip(position)
                whenUnlocked { if $0.nextPosition == 0 { $0.passOverFirst() } }
                return body()
            }
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            whenDrained = {
                for job in delayed { job.cancel(isKept: false) }
                body()
            }
            let closing = Closure { [unowned self] in reportIfDrained() }
            _ = mailbox.publish(.control, closing.intoWords(), at: position)
            group.wakeIfNeeded()
        }

        /// A thread that ends a job writes the count of ended jobs, the one that takes the closing
        /// `lastBegun`; each then reads both, sequentially consistent: so the later one reports.
        private func reportIfDrained() {
            let last = lastBegun.load(ordering: .sequentiallyConsistent)
            guard last != .max, jobs.counters.finishedCount == last, report.claim() else { return }
            // Not retained: it may hold delayed jobs, and these hold the lane.
            let body = whenDrained
            whenDrained = {}
            body()
        }

        func add(to statistics: inout TierStatistics) {
            let late = Int(finishedLate.load(ordering: .acquiring))
            let dropped = Int(dropped.load(ordering: .relaxed))
            jobs.add(to: &statistics)
            statistics.finished += late - dropped
            statistics.cancelled += dropped
            statistics.running = max(0, statistics.running - late)
        }
    }

    extension UnorderedLane: JobIntake {
        func cancelWaiting() { jobs.cancelsWaiting.store(true, ordering: .relaxed) }

        func close(whenDrained body: @escaping @Sendable () -> Void) {
            isClosing.store(true, ordering: .relaxed)
            guard jobs.counters.meetAtDelayed() > 0 else { return closeMailbox(whenDrained: body) }
            // Due jobs enter the lane before that is closed and refuses others.
            Supervisor.required().endDelayedJobs(of: group) { [self] delayed in
                closeMailbox(cancelling: delayed, whenDrained: body)
            }
        }
    }
#endif
