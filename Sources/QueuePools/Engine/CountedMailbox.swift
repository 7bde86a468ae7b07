#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// The common part of queues and lanes: a mailbox, and the counters of its jobs. Senders read the fields
    /// before the counters; threads write these, and the owner's fields behind this.
    struct CountedMailbox: ~Copyable {
        let mailbox: Mailbox
        let notes: JobNotes
        /// Whether jobs that have not begun are cancelled when their turn comes. Relaxed: it orders nothing.
        let cancelsWaiting = Atomic<Bool>(false)
        /// How many jobs have a time that has not come. Relaxed: only statistics read it.
        let pending = Atomic<Int32>(0)

        private let padding = LinePadding(repeating: 0)
        let counters = JobCounters()

        /// - Parameter isAnnounced: see ``Mailbox/init(on:refusals:stampsAll:isAnnounced:)``.
        init(group: WorkerGroup, observer: JobObserver?, isAnnounced: Bool) {
            notes = JobNotes(accounting: group.accounting, observer: observer)
            mailbox = Mailbox(
                on: group.settings.memoryNode, refusals: group.settings.refusals,
                stampsAll: observer != nil, isAnnounced: isAnnounced)
        }

        /// Publishes that there is no job at a position. Returns the receiver's role if there was none.
        func skip(_ position: UInt64) -> MailboxReceiver? {
            counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            let published = mailbox.publish(.skipped, (0, 0), at: position)
            return published.receiver
        }

        /// Cancels a job that waits. Returns false if it does not.
        func cancel(_ place: JobPlace) -> Bool {
            guard let closure = mailbox.cancel(place) else { return false }
            // Counted first: releasing the closure's captures may take long.
            countCancelled()
            notes.accounting?.capacity?.giveBack()
            _ = consume closure
            return true
        }

        func countCancelled() { counters.cancelled.wrappingAdd(1, ordering: .relaxed) }

        /// See ``JobNotes/admits(_:unless:)``.
        @inline(__always)
        func admits(_ kind: Message.Kind) -> Bool {
            notes.admits(kind, unless: cancelsWaiting.load(ordering: .relaxed))
        }

        func add(to statistics: inout TierStatistics) {
            counters.add(
                to: &statistics, pending: Int(pending.load(ordering: .relaxed)),
                positions: mailbox.takenPositions)
        }
    }

    /// Where the jobs of a queue or lane are noted.
    struct JobNotes {
        let accounting: TierAccounting?
        let observer: JobObserver?

        /// A job that was taken out is about to run: returns its place to the capacity, and counts its
        /// thread. Returns false if a shutdown has cancelled the job: then the caller drops it. Otherwise it
        /// calls ``leaveThread()`` when the job has ended.
        @inline(__always)
        func admits(_ kind: Message.Kind, unless isCancelling: @autoclosure () -> Bool) -> Bool {
            let isAdmitted = kind != .cancellable || !isCancelling()
            guard let capacity = accounting?.capacity else { return isAdmitted }
            if kind != .cancellable {
                capacity.beginWithoutPlace()
            } else if isAdmitted {
                capacity.begin()
            } else {
                capacity.giveBack()
            }
            return isAdmitted
        }

        /// A job, or a step, is about to run that has no place, and need not be accepted.
        @inline(__always)
        func enterThread() { accounting?.capacity?.beginWithoutPlace() }

        @inline(__always)
        func leaveThread() { accounting?.capacity?.end() }

        /// Notes that a job begins; returns when, if measured. The record exists if jobs are observed.
        @inline(__always)
        func begin(
            in record: @autoclosure () -> UnsafeMutablePointer<JobRecord>?, sentAt: UInt64?
        ) -> UInt64? {
            let seenAt = observer?.begin(record().unsafelyUnwrapped, sentAt: sentAt)
            guard let sentAt, let accounting else { return nil }
            let now = seenAt ?? cqp_monotonic_nanoseconds()
            accounting.waits.record(nanoseconds: now &- sentAt)
            return now
        }

        @inline(__always)
        func end(in record: @autoclosure () -> UnsafeMutablePointer<JobRecord>?, begunAt: UInt64?) {
            if let observer { observer.end(record().unsafelyUnwrapped) }
            guard let begunAt else { return }
            accounting?.runs.record(nanoseconds: cqp_monotonic_nanoseconds() &- begunAt)
        }
    }

    extension JobCounters {
        /// Submits a job that begins after a time, or is handed over now if it is due. Returns nil if its
        /// target is closed, or there is no supervisor. `hasPlace`: whether it has a place of the capacity.
        func submit(
            to target: any DelayedJobTarget, at deadline: UInt64, isDue: Bool = false, hasPlace: Bool = false,
            unless isClosed: borrowing Atomic<Bool>, _ body: @escaping @Sendable () -> Void
        ) -> PoolJob? {
            guard !isClosed.load(ordering: .relaxed), let supervisor = Supervisor.current() else {
                return nil
            }
            let job = DelayedJob(of: target, at: deadline, by: supervisor, hasPlace: hasPlace, body)
            delayed.wrappingAdd(1, ordering: .relaxed)
            let isAccepted: Bool
            if isDue {
                isAccepted = job.becomeDue()
            } else {
                job.supervisor.insert(job)
                _ = meetAtDelayed()
                isAccepted = !isClosed.load(ordering: .relaxed)
            }
            guard !isAccepted, job.takeBack(keepingPlace: hasPlace) else { return PoolJob(owner: job) }
            delayed.wrappingSubtract(1, ordering: .relaxed)
            return nil
        }
    }
#endif
