#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// What a queue and a lane have in common: a mailbox, and the counters of its jobs. Senders read what
    /// comes before the counters; threads write these and what the owner declares after it.
    struct CountedMailbox: ~Copyable {
        let mailbox: Mailbox
        let accounting: TierAccounting?
        private let observer: JobObserver?
        /// Whether jobs that have not begun are cancelled when their turn comes. Relaxed: it orders nothing.
        let cancelsWaiting = Atomic<Bool>(false)

        private let padding = LinePadding(repeating: 0)
        let counters = JobCounters()

        /// - Parameter isAnnounced: see ``Mailbox/init(on:refusals:stampsAll:isAnnounced:)``.
        init(
            settings: ThreadSettings, accounting: TierAccounting?, observer: JobObserver?, isAnnounced: Bool
        ) {
            self.accounting = accounting
            self.observer = observer
            mailbox = Mailbox(
                on: settings.memoryNode, refusals: settings.refusals, stampsAll: observer != nil,
                isAnnounced: isAnnounced)
        }

        /// Publishes that there is no job at a position. Returns whether there is no receiver.
        func skip(_ position: UInt64) -> Bool {
            counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            return mailbox.publish(.skipped, 0, 0, at: position).isAwaited
        }

        /// Cancels a job that waits. Returns false if it does not.
        func cancel(_ place: JobPlace) -> Bool {
            guard let closure = mailbox.cancel(place) else { return false }
            // Counted first: what the closure captured may take long to release.
            withExtendedLifetime(closure) {
                _ = counters.cancelled.wrappingAdd(1, ordering: .relaxed)
                accounting?.capacity?.giveBack()
            }
            return true
        }

        /// Returns the place of a job that was taken. False if that cancelled it, and released its closure.
        @inline(__always)
        func admits(_ message: Message) -> Bool {
            guard message.kind == .cancellable else { return true }
            accounting?.capacity?.giveBack()
            guard cancelsWaiting.load(ordering: .relaxed) else { return true }
            _ = Closure(owned: message.words)
            return false
        }

        /// Counts a delayed job in, and has it handed over when its time has come. Returns false if it was
        /// taken back, because its owner has been closed.
        func insert(_ job: DelayedJob, isDue: Bool = false, unless isClosed: borrowing Atomic<Bool>) -> Bool {
            counters.delayed.wrappingAdd(1, ordering: .relaxed)
            let isAccepted: Bool
            if isDue {
                isAccepted = job.becomeDue()
            } else {
                job.supervisor.insert(job)
                _ = counters.meetAtDelayed()
                isAccepted = !isClosed.load(ordering: .relaxed)
            }
            guard !isAccepted, job.takeBack() else { return true }
            counters.delayed.wrappingSubtract(1, ordering: .relaxed)
            return false
        }

        /// Notes that a job begins. The record is there if jobs are observed.
        @inline(__always)
        func noteBegin(in record: @autoclosure () -> UnsafeMutablePointer<JobRecord>?, sentAt: UInt64?) {
            if let observer { observer.begin(record().unsafelyUnwrapped) }
            if let sentAt { accounting?.waits.record(nanoseconds: clinux_monotonic_nanoseconds() &- sentAt) }
        }

        @inline(__always)
        func noteEnd(in record: @autoclosure () -> UnsafeMutablePointer<JobRecord>?) {
            if let observer { observer.end(record().unsafelyUnwrapped) }
        }

        func add(to statistics: inout TierStatistics) {
            counters.add(to: &statistics, positions: mailbox.takenPositions)
        }
    }

    /// What became of the jobs of a queue.
    struct JobCounters: ~Copyable {
        private let begun = Atomic<UInt64>(0)
        private let finished = Atomic<UInt64>(0)
        let cancelled = Atomic<UInt64>(0)
        /// Positions that hold no job: refused ones, and control messages.
        let uncounted = Atomic<UInt64>(0)
        /// Jobs that came without a position.
        let delayed = Atomic<UInt64>(0)

        /// One more job begins. Called by one thread at a time, so a plain store suffices.
        @inline(__always)
        func begin() { begun.store(begun.load(ordering: .relaxed) + 1, ordering: .relaxed) }

        /// One more job has ended. Called by one thread at a time.
        @inline(__always)
        func finish() { finished.store(finished.load(ordering: .relaxed) + 1, ordering: .releasing) }

        /// One more job has ended, beside others.
        @inline(__always)
        func finishConcurrently() { finished.wrappingAdd(1, ordering: .sequentiallyConsistent) }

        /// How many jobs came without a position, for a submitter that has handed one over and then looks
        /// whether its queue is closed, and for the closer, which closes first and then asks for what was
        /// handed over. Acquiring and releasing: the later of the two sees what the other has done. So either
        /// the job comes before the closing, or the submitter takes it back.
        func meetAtDelayed() -> UInt64 { delayed.wrappingAdd(0, ordering: .acquiringAndReleasing).oldValue }

        var begunCount: UInt64 { begun.load(ordering: .relaxed) }
        var finishedCount: UInt64 { finished.load(ordering: .sequentiallyConsistent) }

        /// Adds these figures to a tier's.
        ///
        /// - Parameter positions: how many positions were taken; read last.
        func add(to statistics: inout TierStatistics, positions: @autoclosure () -> UInt64) {
            let cancelled = cancelled.load(ordering: .acquiring)
            let finished = finished.load(ordering: .acquiring)
            let begun = begun.load(ordering: .acquiring)
            let uncounted = uncounted.load(ordering: .acquiring)
            let delayed = delayed.load(ordering: .acquiring)
            let accepted = positions() + delayed
            statistics.add(
                cancelled: cancelled, finished: finished, begun: begun,
                accepted: accepted > uncounted ? accepted - uncounted : 0)
        }
    }
#endif
