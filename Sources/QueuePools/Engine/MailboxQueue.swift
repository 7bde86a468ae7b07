#if os(Linux)
    import Synchronization

    /// A queue with a ``Mailbox``: one of a tier, or of a ``ThreadBoundQueue``. Sending a job takes no lock,
    /// and no memory beyond the closure's own.
    final class MailboxQueue: EngineQueue, HeldJobs, @unchecked Sendable {  // atomics, or the holder's
        /// Senders write the reference count, and all read the fields below.
        private let padding = LinePadding(repeating: 0)
        private let queueLabel: String
        private let queueGroup: WorkerGroup
        override var label: String { queueLabel }
        override var group: WorkerGroup { queueGroup }
        /// Its number in the group.
        let index: Int
        let isClosed = Atomic<Bool>(false)
        /// The holder writes its counters and the fields below.
        let jobs: CountedMailbox
        let due = DueJobs()
        /// Whether a caller of `sync` may take the queue from the thread that holds it.
        let permitsClaims = Atomic<Bool>(false)

        var mailbox: Mailbox { jobs.mailbox }

        init(group: WorkerGroup, index: Int) {
            queueGroup = group
            self.index = index
            queueLabel = group.labels[index]
            let observer = group.settings.observation.map {
                JobObserver($0, label: group.labels[index], in: group)
            }
            jobs = CountedMailbox(group: group, observer: observer, isAnnounced: true)
            super.init(accounting: group.accounting)
            group.enter(self, at: index)
        }

        deinit {
            // Nothing waits, because jobs retain their queue.
            mailbox.claimedReceiver.destroy()
            queueGroup.leave()
        }

        // MARK: Submitting

        override func submit(_ body: __owned @escaping @Sendable () -> Void, since: UInt64?) -> PoolJob? {
            guard let position = takePosition() else { return nil }
            let words = Closure(consume body).intoWords()
            let published = mailbox.publish(.cancellable, words, at: position, since: since)
            let place = published.place
            makeReady(published.receiver)
            return PoolJob(owner: self, place: place)
        }

        override func submit(
            _ body: @escaping @Sendable () -> Void, at time: UInt64, hasPlace: Bool = false
        ) -> PoolJob? {
            guard isAccepting else { return nil }
            let isDue = time <= monotonicNanoseconds()
            return jobs.counters.submit(
                to: self, at: time, isDue: isDue, hasPlace: hasPlace, unless: isClosed, body)
        }

        override func enqueue(_ body: __owned @escaping @Sendable () -> Void) {
            queueGroup.prepareToSend()
            makeReady(mailbox.send(.closure, Closure(consume body).intoWords()))
        }

        override func enqueue(_ kind: Message.Kind, _ step: UnownedJob, of executor: AnyObject) {
            queueGroup.prepareToSend()
            let words = Message.words(of: step, on: executor)
            guard let receiver = mailbox.send(kind, words) else { return }
            let queue = HeldQueue(self, receiver: receiver)
            if let work = queueGroup.keep(.queue(queue)) { queueGroup.send(work) }
        }

        private func publish(_ message: HolderMessage, at position: UInt64) {
            jobs.counters.uncounted.wrappingAdd(1, ordering: .relaxed)
            let published = mailbox.publish(.holder, message.intoWords(), at: position)
            makeReady(published.receiver)
        }

        /// Takes a position, which must be published. Returns nil if the queue accepts no jobs.
        @inline(__always)
        func takePosition() -> UInt64? {
            guard isAccepting else { return nil }
            let (position, isClosed) = mailbox.takePosition()
            guard isClosed else { return position }
            makeReady(jobs.skip(position))
            return nil
        }

        /// Makes the queue ready, if the caller has got its announcement back.
        @inline(__always)
        func makeReady(_ receiver: consuming MailboxReceiver?) {
            if let receiver { HeldQueue(self, receiver: receiver).makeReady() }
        }

        /// Relaxed: a job that overtakes a closing meets the mailbox's own mark.
        @inline(__always)
        override var isAccepting: Bool { !isClosed.load(ordering: .relaxed) && queueGroup.acceptsJobs }

        override var refusalCode: PoolError.Code {
            isClosed.load(ordering: .relaxed) ? .shutDown : .noThread
        }

        override func cancel(_ place: JobPlace) -> Bool { jobs.cancel(place) }

        override func accept(_ job: DelayedJob, isClosing: Bool) -> Bool {
            let (position, isClosed) = mailbox.takePosition()
            // Also if it is closed: until the closing is read the holder runs it, and later cancels it.
            due.append(job)
            makeReady(jobs.skip(position))  // the holder looks for due jobs when it comes to this position
            return !isClosed || isClosing
        }

        // MARK: sync

        override func hold() throws(PoolError) -> CallersRole {
            let queue = try heldByCaller()
            queue.begin()
            return queue.intoCallersRole()
        }

        override func endHold(_ role: consuming CallersRole) {
            let queue = HeldQueue(self, role)
            queue.finish()
            lookForCalls()
            queue.becomeIdle()?.makeReady()
        }

        @inline(__always)
        private func heldByCaller() throws(PoolError) -> HeldQueue {
            let position = try takePositionOfCall()
            return SyncCall.withCall { call in
                let published = mailbox.publish(.call, (UInt(bitPattern: call), 0), at: position)
                if let receiver = published.receiver {
                    let queue = HeldQueue(self, receiver: receiver)
                    if let call = queue.take() { _ = call.intoParts() }
                    return queue
                }
                if let queue = claimLent() {
                    if queue.takeOwnCall(at: position) { return queue }
                    queue.makeReady()
                }
                call.pointee.waitToHold(self, at: call)
                return HeldQueue(claimed: self)
            }
        }

        /// Takes the position of a call of `sync`. Traps if the caller holds the queue.
        func takePositionOfCall() throws(PoolError) -> UInt64 {
            guard let position = takePosition() else { throw refusal(hasRoom: nil) }
            checkNotHeld()
            return position
        }

        /// That of a queue with a thread of its own is run by that alone.
        override var isReady: Bool { !queueGroup.settings.isBound && queueGroup.isQueueReady(index) }

        override func help(untilGranted call: UnsafePointer<SyncCall>, if isWanted: () -> Bool) -> Bool {
            guard let queue = queueGroup.takeReady(index) else { return false }
            if isWanted() { queue.runUntilGranted(call) } else { queue.makeReady() }
            return true
        }

        // MARK: Running

        override var record: UnsafeMutablePointer<JobRecord>? { queueGroup.record(ofQueue: index) }

        @inline(__always)
        func begin(sentAt: UInt64? = nil) -> UInt64? {
            jobs.counters.begin()
            return jobs.notes.begin(in: queueGroup.record(ofQueue: index), sentAt: sentAt)
        }

        @inline(__always)
        func finish(begunAt: UInt64? = nil) {
            jobs.notes.end(in: queueGroup.record(ofQueue: index), begunAt: begunAt)
            jobs.counters.finish()
        }

        @inline(__always)
        func admits(_ kind: Message.Kind) -> Bool { jobs.admits(kind) }

        @inline(__always)
        var notes: JobNotes { jobs.notes }

        var isCancelling: Bool { jobs.cancelsWaiting.load(ordering: .relaxed) }

        @inline(__always)
        var hasDueJobs: Bool { due.isFilled }

        func takeDueJobs() -> [DelayedJob] { due.takeAll() }

        // MARK: Shutdown and statistics

        override func countCancelled() { jobs.countCancelled() }

        override func countPending(_ difference: Int32) {
            jobs.pending.wrappingAdd(difference, ordering: .relaxed)
        }

        override func cancelWaiting() { jobs.cancelsWaiting.store(true, ordering: .relaxed) }

        override func close(whenDrained body: @escaping @Sendable () -> Void) {
            isClosed.store(true, ordering: .relaxed)
            guard let position = mailbox.close() else { return body() }
            let hasDelayed = jobs.counters.meetAtDelayed() > 0
            guard position > 0 || hasDelayed else {
                // It was never used. The closer holds it for a moment, so that no thread is made for that.
                cancelWaiting()
                if let receiver = jobs.skip(position) {
                    let queue = HeldQueue(self, receiver: receiver)
                    queue.passOverFirst()
                    queue.becomeIdle()?.makeReady()
                }
                return body()
            }
            endClosing(hasDelayed: hasDelayed, whenDrained: body) { [self] in publish($0, at: position) }
        }

        override func addCounts(to statistics: inout TierStatistics) { jobs.add(to: &statistics) }

        override var longestWait: Duration? { mailbox.longestWait }

        override var isIdle: Bool {
            mailbox.nextPosition == mailbox.takenPositions
                && jobs.counters.begunCount == jobs.counters.finishedCount && !due.isFilled
        }
    }
#endif
