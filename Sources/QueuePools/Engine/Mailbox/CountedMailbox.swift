#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// What a queue and a lane have in common: a mailbox, and what becomes of its jobs.
    ///
    /// Senders read what comes before the counters, threads write these and what its owner declares after it.
    struct CountedMailbox: ~Copyable {
        let mailbox: Mailbox
        let accounting: TierAccounting?
        private let observer: JobObserver?
        /// Whether jobs that have not begun are to be cancelled when their turn comes. Relaxed: it orders nothing.
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

        func cancel(_ place: JobPlace) -> Bool { counters.cancel(place, in: mailbox, of: accounting) }

        /// Gives back the place of a job that was taken. False if the job is cancelled by that, and its closure released.
        @inline(__always)
        func admits(_ message: Message) -> Bool {
            guard message.kind == .cancellable else { return true }
            accounting?.capacity?.giveBack()
            guard cancelsWaiting.load(ordering: .relaxed) else { return true }
            _ = Closure(owned: message.words)
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
#endif
