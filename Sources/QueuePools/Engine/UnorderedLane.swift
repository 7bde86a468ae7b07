#if os(Linux)
    import CLinuxThreads
    import Synchronization
    import Topology

    /// Jobs of a tier that may run in any order and at the same time: a mailbox that all threads of the tier read.
    ///
    /// A tier has as many lanes as threads, up to eight, so that threads seldom meet in one. A sender puts its jobs into
    /// one lane after the other.
    ///
    /// A thread locks the lane while it takes a job, and unlocks it before it runs the job; so jobs behind a long one are
    /// taken by other threads. Nothing waits for the lock: a thread that finds a lane locked goes to the next lane, and
    /// does not park before it has looked into this one (``hasJob()``).
    ///
    /// **No job waits beside a parked thread.** Publishing a job and looking at `parked` are sequentially consistent on the
    /// sender's side, setting a bit in `parked` and looking at the slot on the thread's: see ``WorkerGroup``. If the slot
    /// at the head is not published, then its sender has not looked at `parked` yet, and what is behind it can be taken
    /// by none.
    ///
    /// **Locking** acquires and unlocking releases, which orders all that belongs to the mailbox's receiver.
    final class UnorderedLane: JobOwner, @unchecked Sendable {  // atomics, or under the lock
        /// Senders write the reference count, and all read what follows.
        private let padding = LinePadding(repeating: 0)
        let mailbox: Mailbox
        let accounts: TierAccounts?
        private let observer: JobObserver?
        private let forkCount = currentForkCount()
        /// Whether jobs that have not begun are to be cancelled when their turn comes. Relaxed: it orders nothing.
        let cancelsWaiting = Atomic<Bool>(false)

        /// Threads write what follows.
        private let innerPadding = LinePadding(repeating: 0)
        let counters = JobCounters()
        private let isLocked = Atomic<Bool>(false)

        // Closing. What is taken after that is not waited for, and counted by itself when it ends.
        private var isClosed = false
        private var begunBeforeClosing: UInt64 = 0
        private let lastBegun = Atomic<UInt64>(.max)
        private let finishedLate = Atomic<UInt64>(0)
        /// Jobs that were taken to be cancelled.
        private let dropped = Atomic<UInt64>(0)
        private let isReported = Atomic<Bool>(false)
        private nonisolated(unsafe) var whenDrained: @Sendable () -> Void = {}

        init(label: String, settings: ThreadSettings, accounts: TierAccounts?) {
            observer = accounts?.observation.map { JobObserver($0, label: label) }
            mailbox = Mailbox(
                on: settings.memoryNode, refusals: settings.refusals, stampsAll: observer != nil)
            self.accounts = accounts
        }

        deinit {
            let isForked = forkCount != currentForkCount()  // what is there is the parent's
            mailbox.destroy { message in
                if !isForked, message.kind.isClosure { _ = Closure(owned: message.words) }
            }
        }

        // MARK: Sending

        /// Sends a job that can be cancelled; nil if the lane is closed. The caller wakes a thread.
        @inline(__always)
        func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            // First of all, since no thread reads the positions of refused jobs.
            if mailbox.isClosed { return nil }
            let (position, isClosed) = mailbox.takePosition()
            guard !isClosed else {
                skip(position)
                return nil
            }
            let (first, second) = Closure(consume body).intoWords()
            return PoolJob(
                owner: self, place: mailbox.publish(.cancellable, first, second, at: position).place)
        }

        /// Sends a message; never refused.
        @inline(__always)
        func send(_ kind: Message.Kind, _ first: UInt, _ second: UInt) {
            _ = mailbox.publish(kind, first, second, at: mailbox.takePosition().position)
        }

        /// Sends a delayed job, whose time has come.
        func accept(_ job: DelayedJob) {
            counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            let (first, second) = Closure { [unowned self] in
                if let body = job.begin(), !cancelsWaiting.load(ordering: .relaxed) {
                    body()
                } else {
                    dropped.wrappingAdd(1, ordering: .relaxed)
                }
            }.intoWords()
            send(.closure, first, second)
        }

        private func skip(_ position: UInt64) {
            counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            _ = mailbox.publish(.skipped, 0, 0, at: position)
        }

        func cancel(_ place: JobPlace) -> Bool { counters.cancel(place, in: mailbox, of: accounts) }

        // MARK: Receiving

        /// A job that was taken out of a lane.
        struct TakenJob {
            let message: Message
            /// Whether it came before the closing.
            let isAwaited: Bool
            /// Whether there is another job in the lane.
            let hasMore: Bool
        }

        /// The next job, or nil if there is none, or another thread takes one now.
        func take() -> TakenJob? {
            guard !isLocked.exchange(true, ordering: .acquiring) else { return nil }
            defer { isLocked.store(false, ordering: .releasing) }
            guard let message = mailbox.take() else { return nil }
            if message.kind == .control {
                isClosed = true
                begunBeforeClosing = counters.begunCount
                return TakenJob(message: message, isAwaited: false, hasMore: mailbox.hasArrival)
            }
            counters.begin()
            return TakenJob(message: message, isAwaited: !isClosed, hasMore: mailbox.hasArrival)
        }

        /// - Parameter record: the thread's.
        func run(_ job: TakenJob, noting record: UnsafeMutablePointer<JobRecord>?) {
            if job.message.kind == .control { return job.message.run() }
            if job.message.kind == .cancellable { accounts?.capacity?.giveBack() }
            if job.message.kind == .cancellable, cancelsWaiting.load(ordering: .relaxed) {
                _ = Closure(owned: job.message.words)
                dropped.wrappingAdd(1, ordering: .relaxed)
            } else {
                if let sentAt = job.message.sentAt {
                    accounts?.waits.record(nanoseconds: clinux_monotonic_nanoseconds() &- sentAt)
                }
                if let observer, let record {
                    observer.begin(record)
                    job.message.run()
                    observer.end(record)
                } else {
                    job.message.run()
                }
            }
            if job.isAwaited {
                counters.finishConcurrently()
                reportIfDrained()
            } else {
                // Releasing, so that statistics that count the end count the beginning.
                finishedLate.wrappingAdd(1, ordering: .releasing)
            }
        }

        /// Whether there may be a job; without the lock.
        var mayHaveJobs: Bool { mailbox.mayHaveUnread }

        /// Whether there is a job, for a thread whose bit in `parked` is set. Waits until no thread takes one.
        func hasJob() -> Bool {
            while isLocked.exchange(true, ordering: .acquiring) { clinux_thread_yield() }
            defer { isLocked.store(false, ordering: .releasing) }
            return mailbox.hasArrival
        }

        // MARK: Closing

        /// Closes the lane, once. `body` is called when all jobs accepted before have ended. The caller wakes a thread.
        func close(whenDrained body: @escaping @Sendable () -> Void) {
            guard let position = mailbox.close() else { return body() }
            counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            guard position > 0 else {
                _ = mailbox.publish(.skipped, 0, 0, at: position)
                return body()
            }
            whenDrained = body
            let (first, second) = Closure { [unowned self] in
                lastBegun.store(begunBeforeClosing, ordering: .sequentiallyConsistent)
                reportIfDrained()
            }.intoWords()
            _ = mailbox.publish(.control, first, second, at: position)
        }

        /// A thread that ends a job and the one that read the closing each write one of the count of ended jobs and
        /// `lastBegun`, and then read the other; all are sequentially consistent, so the later one sees that all has
        /// ended.
        private func reportIfDrained() {
            let last = lastBegun.load(ordering: .sequentiallyConsistent)
            guard last != .max, counters.finishedCount == last,
                !isReported.exchange(true, ordering: .relaxed)
            else { return }
            // Not kept: it may hold delayed jobs, and these hold the lane.
            let body = whenDrained
            whenDrained = {}
            body()
        }

        /// Adds this lane's figures to a tier's.
        func add(to statistics: inout TierStatistics) {
            let late = Int(finishedLate.load(ordering: .acquiring))
            let dropped = Int(dropped.load(ordering: .relaxed))
            counters.add(to: &statistics, positions: mailbox.takenPositions)
            statistics.finished += late - dropped
            statistics.cancelled += dropped
            statistics.running = max(0, statistics.running - late)
        }
    }
#endif
