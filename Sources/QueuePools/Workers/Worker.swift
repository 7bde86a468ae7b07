#if os(Linux)
    import CLinuxThreads
    import Dispatch
    import Synchronization

    /// The engine of a ``WorkerQueue``: a mailbox, and whoever runs what comes in.
    ///
    /// That is usually a thread of its own. While none can be made, another worker of its ``Crew`` does it as
    /// a host. Either way one thread at a time has the *receiver's role*, and what is called the *desk* below
    /// belongs to it.
    ///
    /// The queue, the thread, and the handles of jobs hold the worker, and so does whoever is about to wake
    /// its receiver; its memory goes with the last of them.
    ///
    /// Here is what senders do; `Worker+Receiving.swift` and `Worker+Hosting.swift` are the other side. It is
    /// sendable because all of it is atomic or constant, but for the desk, which has one user at a time.
    final class Worker: JobOwner, @unchecked Sendable {
        let label: String
        let settings: WorkerSettings
        let mailbox: Mailbox
        let crew: Crew
        private let forkCount: UInt32

        private let gate = Atomic<UInt8>(Gate.unstarted)

        // The accounts. `begun` and `finished` are written by the receiver alone, so plain stores do.
        let begun = Atomic<UInt64>(0)
        let finished = Atomic<UInt64>(0)
        private let cancelled = Atomic<UInt64>(0)
        /// Positions that hold no job: refused ones, and errands.
        private let uncounted = Atomic<UInt64>(0)
        let threadFailures = Atomic<Int>(0)

        // Who receives.
        let hasThread = Atomic<Bool>(false)
        let host = Atomic<Unmanaged<Worker>?>(nil)
        let receiver = Atomic<Receiver>(.nobody)
        let handOver = DispatchSemaphore(value: 0)

        // The desk.
        var yields = 0
        var timers = Timers<TimedEvent>()
        /// Of how many jobs in the timers this worker has heard that they were cancelled; some may be out
        /// already.
        var cancelledTimers = 0
        var emptyHandlers: [@Sendable () -> Void] = []
        var isRetired = false
        var guests: [ObjectIdentifier: Worker] = [:]
        var outerMark: UnsafeMutableRawPointer?
        /// When the host will visit for the sake of the timers.
        var nextVisit = UInt64.max

        /// Held from the adoption to the end, since a sender may be about to call on a host that is one no
        /// more.
        var hostReference: Worker?

        enum TimedEvent {
            case job(DelayedJob)
            case errand(@Sendable () -> Void)
            /// To a guest's mailbox, since a delayed job of the guest is due.
            case visit(guest: ObjectIdentifier)
        }

        private enum Gate {
            static let unstarted: UInt8 = 0
            /// Somebody receives, or soon will.
            static let open: UInt8 = 1
            static let closed: UInt8 = 2
        }

        init(label: String, settings: WorkerSettings, crew: Crew, forkCount: UInt32 = currentForkCount()) {
            self.label = label
            self.settings = settings
            self.crew = crew
            self.forkCount = forkCount
            mailbox = Mailbox(memory: settings.memory)
        }

        deinit {
            mailbox.destroy { letter in
                if letter.kind.isClosure { _ = Closure(owned: letter.words) }
            }
        }

        // MARK: Sending

        /// Sends a job that can be cancelled; nil if it is refused, for the reason of ``refusal``.
        func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            guard isReady || crew.start(self) else { return nil }
            let (position, isClosed) = mailbox.takePosition()
            guard !isClosed else {
                skip(position)
                return nil
            }
            let (first, second) = Closure(consume body).intoWords()
            let (slot, isAwaited) = mailbox.publish(.cancellable, first, second, at: position)
            if isAwaited { wakeReceiver(at: slot) }
            return PoolJob(
                owner: self, place: JobPlace(address: UnsafeMutableRawPointer(slot), position: position))
        }

        /// Sends a job that cannot be cancelled; never refused.
        func enqueue(_ body: __owned @escaping @Sendable () -> Void) {
            prepareToSend()
            let (first, second) = Closure(body).intoWords()
            send(.closure, first, second)
        }

        /// Sends a job for later; false if it is refused.
        func submitDelayed(_ job: DelayedJob, at deadline: UInt64) -> Bool {
            submitErrand(isJob: true) { [unowned self] in
                schedule(.job(job), at: deadline)
            }
        }

        /// Tells the receiver that a job for later was cancelled, so that it does not wait for that job's
        /// time.
        func postCancelledTimer() {
            guard !isForked else { return }
            post { [unowned self] in
                cancelledTimers += 1
                removeCancelledTimers()
            }
        }

        /// Has a closure called when the mailbox is next empty; false if it is refused.
        func submitEmptyHandler(_ body: @escaping @Sendable () -> Void) -> Bool {
            submitErrand(isJob: false) { [unowned self] in emptyHandlers.append(body) }
        }

        private func submitErrand(isJob: Bool, _ errand: @escaping @Sendable () -> Void) -> Bool {
            guard isReady || crew.start(self) else { return false }
            let (position, isClosed) = mailbox.takePosition()
            guard !isClosed else {
                skip(position)
                return false
            }
            if !isJob { uncounted.wrappingAdd(1, ordering: .relaxed) }
            publish(.errand, Closure(errand), at: position)
            return true
        }

        /// Sends a step of a task or an actor; never refused.
        func enqueue(_ kind: Letter.Kind, _ step: UnownedJob, of executor: AnyObject) {
            prepareToSend()
            send(
                kind, unsafeBitCast(step, to: UInt.self),
                UInt(bitPattern: Unmanaged.passUnretained(executor).toOpaque()))
        }

        /// Sends a closure that serves the worker itself: not a job, so not counted.
        func post(_ errand: __owned @escaping @Sendable () -> Void) {
            uncounted.wrappingAdd(1, ordering: .relaxed)
            let (first, second) = Closure(errand).intoWords()
            send(.errand, first, second)
        }

        @inline(__always)
        func send(_ kind: Letter.Kind, _ first: UInt, _ second: UInt) {
            let (slot, isAwaited) = mailbox.publish(
                kind, first, second, at: mailbox.takePosition().position)
            if isAwaited { wakeReceiver(at: slot) }
        }

        private func publish(_ kind: Letter.Kind, _ closure: consuming Closure, at position: UInt64) {
            let (first, second) = closure.intoWords()
            let (slot, isAwaited) = mailbox.publish(kind, first, second, at: position)
            if isAwaited { wakeReceiver(at: slot) }
        }

        /// Wakes the receiver, and releases the reference that came with its announcement: see
        /// ``announceWaiting()``.
        @inline(never)
        func wakeReceiver(at slot: UnsafeMutablePointer<MailboxSlot>) {
            defer { Unmanaged.passUnretained(self).release() }
            if let host = host.load(ordering: .acquiring) {
                host._withUnsafeGuaranteedRef { host in
                    host.post { [unowned host, weak self] in self?.receive(hostedBy: host) }
                }
            } else {
                clinux_futex_wake(slot)
            }
        }

        /// Publishes that there is no job at a position.
        private func skip(_ position: UInt64) {
            uncounted.wrappingAdd(1, ordering: .relaxed)
            let (slot, isAwaited) = mailbox.publish(.skipped, 0, 0, at: position)
            if isAwaited { wakeReceiver(at: slot) }
        }

        func cancel(_ place: JobPlace) -> Bool {
            guard let slot = place.address?.assumingMemoryBound(to: MailboxSlot.self),
                let words = mailbox.cancel(slot, at: place.position)
            else { return false }
            countCancelled()
            _ = Closure(owned: words)
            return true
        }

        func countCancelled() {
            cancelled.wrappingAdd(1, ordering: .relaxed)
        }

        // MARK: Opening and closing

        /// Whether jobs are accepted and somebody receives them. Relaxed: it orders nothing; a job that slips
        /// past a closing gate meets the mailbox's own mark.
        @inline(__always)
        var isReady: Bool {
            gate.load(ordering: .relaxed) == Gate.open && currentForkCount() == forkCount
        }

        var isOpen: Bool { gate.load(ordering: .relaxed) & Gate.open != 0 }
        var isClosed: Bool { gate.load(ordering: .relaxed) & Gate.closed != 0 }

        /// Whether the process that made this worker is another one, in which its thread remained.
        var isForked: Bool { currentForkCount() != forkCount }

        /// Whether a thread has been made, or a host found.
        var hasReceiver: Bool {
            hasThread.load(ordering: .acquiring) || host.load(ordering: .acquiring) != nil
        }

        func open() {
            gate.bitwiseOr(Gate.open, ordering: .relaxed)
        }

        @inline(__always)
        func prepareToSend() {
            if !isReady { prepareToSendSlowly() }
        }

        @inline(never)
        private func prepareToSendSlowly() {
            precondition(
                !isForked,
                "the queue \"\(label)\" belongs to the process that this one was forked from; make a new one")
            if !isOpen { crew.startPatiently(self) }
        }

        /// Why the last job was refused.
        var refusal: PoolError {
            if isForked { return .forked(.queue(label: label)) }
            return isClosed ? .shutDown(.queue(label: label)) : .noThread(.queue(label: label))
        }

        /// Closes the intake, once. `body` is called when all jobs and notifications accepted before have
        /// ended; jobs whose time has not come are cancelled.
        func close(whenDrained body: @escaping @Sendable () -> Void) {
            gate.bitwiseOr(Gate.closed, ordering: .relaxed)
            guard !isForked, let position = mailbox.close() else { return body() }
            guard position > 0 else {
                skip(position)
                return body()
            }
            uncounted.wrappingAdd(1, ordering: .relaxed)
            let errand = Closure { [unowned self] in
                runDueTimers()
                cancelTimers()
                _ = runEmptyHandlers()
                body()
            }
            publish(.errand, errand, at: position)
            // What was accepted before may be waiting for a thread still.
            if !isOpen { crew.startPatiently(self) }
        }

        /// The queue is gone: runs what was sent, then ends.
        func retire() {
            guard isOpen || mailbox.takenPositions > 0, !isForked else { return }
            post { [unowned self] in isRetired = true }
            if !isOpen { crew.startPatiently(self) }
        }

        // MARK: Accounts

        /// Adds this worker's figures to a tier's. Read from the last event of a job's life to the first, so
        /// that no snapshot shows more ends than beginnings.
        func add(to statistics: inout TierStatistics) {
            let cancelled = Int(self.cancelled.load(ordering: .acquiring))
            let finished = Int(self.finished.load(ordering: .acquiring))
            let begun = Int(self.begun.load(ordering: .acquiring))
            let uncounted = Int(self.uncounted.load(ordering: .acquiring))
            let submitted = max(begun + cancelled, Int(mailbox.takenPositions) - uncounted)
            statistics.cancelled += cancelled
            statistics.finished += finished
            statistics.running += max(0, begun - finished)
            statistics.submitted += submitted
            statistics.waiting += submitted - begun - cancelled
            statistics.threads += hasThread.load(ordering: .relaxed) ? 1 : 0
            statistics.hostedQueues += host.load(ordering: .relaxed) == nil ? 0 : 1
            statistics.threadFailures += threadFailures.load(ordering: .relaxed)
        }
    }
#endif
