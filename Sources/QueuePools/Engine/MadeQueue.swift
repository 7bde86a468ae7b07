#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// A queue that a program makes on a tier's threads, of which there may be any number. It has no thread
    /// and no bit in ``WorkerGroup/ready``: when it has work, an ``Activation`` is sent through a lane, as an
    /// unordered job is, and the thread that takes it runs the queue until it is empty, or its share is used.
    ///
    ///     idle ── a sender finds no holder and no activation: sends one ──▶ ready ── a thread takes it ──▶
    ///     held idle ── a caller of `sync` ─────────────────────────────────────────────────────────────────▶
    ///     held ready ── a worker that waits for it runs it (``SyncCall``) ─────────────────────────────────▶
    ///     held held ── there is no work ──▶ idle
    ///     held ── its share is used: sends an activation, behind other unordered jobs ──▶ ready
    ///     held ── the next message is a call of `sync` ──▶ held, by the caller
    ///
    /// ``Inbox`` says which words decide. The activation includes a reference to the queue; other holders
    /// have one of their own.
    final class MadeQueue: EngineQueue, HeldJobs, @unchecked Sendable {  // atomics, locks, or the holder's
        private let queueLabel: String
        private let queueGroup: WorkerGroup
        override var label: String { queueLabel }
        override var group: WorkerGroup { queueGroup }
        private let inbox: Inbox
        /// A hint; relaxed. The inbox's own mark decides.
        private let isClosed = Atomic<Bool>(false)
        private let cancelsWaiting = Atomic<Bool>(false)
        /// See ``CountedMailbox/pending``.
        private let pending = Atomic<Int32>(0)
        let counters = JobCounters()
        private let due = DueJobs()
        override var record: UnsafeMutablePointer<JobRecord>? { jobRecord }
        private let jobRecord: UnsafeMutablePointer<JobRecord>?
        /// The list's; see ``MadeQueues``.
        var neighbours = MadeQueues.Neighbours()

        init(label: String, on group: WorkerGroup) {
            (queueLabel, queueGroup) = (label, group)
            inbox = Inbox(pages: group.madeQueues.pages(for: group.settings))
            jobRecord = group.notes.observer.map { _ in
                let record = UnsafeMutablePointer<JobRecord>.allocate(capacity: 1)
                record.initialize(to: JobRecord())
                return record
            }
            super.init(accounting: group.accounting)
            group.enter()
            let (isClosed, isCancelling) = group.madeQueues.enter(self)
            if isCancelling { cancelWaiting() }
            if isClosed { close {} }
        }

        deinit {
            // Nothing waits, because jobs retain their queue.
            queueGroup.madeQueues.leave(self)
            inbox.freeMemory()
            jobRecord?.deinitialize(count: 1)
            jobRecord?.deallocate()
            queueGroup.leave()
        }

        // MARK: Submitting

        override func submit(_ body: __owned @escaping @Sendable () -> Void, since: UInt64?) -> PoolJob? {
            guard isAccepting else { return nil }
            let place = send(.cancellable, Closure(consume body).intoWords(), since: since)
            return place.map { PoolJob(owner: self, place: $0) }
        }

        /// Sends a closure. Returns nil if it can be refused, and the queue is closed.
        @inline(__always)
        private func send(
            _ kind: Message.Kind, _ words: (UInt, UInt), since: UInt64? = nil
        ) -> JobPlace? {
            let isStamped = jobRecord != nil
            let (place, isFirst) = inbox.withLock { state -> (JobPlace?, Bool) in
                if state.isClosed, kind == .cancellable { return (nil, false) }
                let place = inbox.append(kind, words, since: since, isStamped: isStamped, to: &state)
                return (place, activate(&state))
            }
            if isFirst { post() }
            if place == nil { _ = Closure(owned: words) }
            return place
        }

        override func submit(
            _ body: @escaping @Sendable () -> Void, at time: UInt64, hasPlace: Bool = false
        ) -> PoolJob? {
            guard isAccepting else { return nil }
            let isDue = time <= monotonicNanoseconds()
            return counters.submit(
                to: self, at: time, isDue: isDue, hasPlace: hasPlace, unless: isClosed, body)
        }

        override func enqueue(_ body: __owned @escaping @Sendable () -> Void) {
            queueGroup.prepareToSend()
            _ = send(.closure, Closure(consume body).intoWords())
        }

        override func enqueue(_ kind: Message.Kind, _ step: UnownedJob, of executor: AnyObject) {
            queueGroup.prepareToSend()
            let words = Message.words(of: step, on: executor)
            // Once the step can run, it may release the last other reference.
            let queue = Unmanaged.passRetained(self)
            let isStamped = jobRecord != nil
            let isFirst = inbox.withLock { state in
                _ = inbox.append(kind, words, isStamped: isStamped, to: &state)
                return activate(&state)
            }
            if isFirst { post(isKept: true) }
            queue.release()
        }

        /// Sends a message for the holder, also to a closed queue.
        private func send(_ message: HolderMessage) {
            let isFirst = inbox.withLock { state in
                counters.uncounted.wrappingAdd(1, ordering: .relaxed)
                _ = inbox.append(.holder, message.intoWords(), isStamped: false, to: &state)
                return activate(&state)
            }
            if isFirst { post() }
        }

        /// Whether the caller posts an activation, which is retained here: as soon as the inbox is unlocked,
        /// another thread may run its messages.
        @inline(__always)
        private func activate(_ state: inout Inbox.State) -> Bool {
            guard !state.isHeld, !state.isActivated else { return false }
            state.isActivated = true
            _ = Unmanaged.passRetained(self)
            return true
        }

        /// Posts the activation that ``activate(_:)`` has permitted.
        ///
        /// - Parameter isKept: whether the calling worker keeps it for itself, if it can.
        private func post(isKept: Bool = false) {
            let group = Unmanaged.passRetained(queueGroup)
            group._withUnsafeGuaranteedRef { group in
                group.waiters.requestLook(address)
                let activation = Activation(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
                if isKept {
                    if let work = group.keep(.activation(activation)) { group.send(work) }
                } else {
                    group.send(activation)
                }
            }
            group.release()
        }

        override var isAccepting: Bool { !isClosed.load(ordering: .relaxed) && queueGroup.acceptsJobs }

        override var refusalCode: PoolError.Code {
            isClosed.load(ordering: .relaxed) ? .shutDown : .noThread
        }

        override func cancel(_ place: JobPlace) -> Bool {
            // In a forked child a thread of the parent may have locked the inbox.
            guard !isForkedChild, let closure = inbox.cancel(place) else { return false }
            // Counted first: releasing the closure's captures may take long.
            countCancelled()
            accounting?.capacity?.giveBack()
            _ = consume closure
            return true
        }

        override func accept(_ job: DelayedJob, isClosing: Bool) -> Bool {
            // Also if it is closed: until the closing is read the holder runs it, and later cancels it.
            due.append(job)
            let (isClosed, isFirst) = inbox.withLock { ($0.isClosed, activate(&$0)) }
            if isFirst { post() }
            return !isClosed || isClosing
        }

        // MARK: sync

        override func hold() throws(PoolError) -> CallersRole {
            guard isAccepting else { throw refusal(hasRoom: nil) }
            checkNotHeld()
            let isHeld = SyncCall.withCall { call in
                enum Entry { case closed, holds, waits(isFirst: Bool) }
                let entry = inbox.withLock { state -> Entry in
                    if state.isClosed { return .closed }
                    if !state.isHeld, !hasWork(state) {
                        state.isHeld = true
                        inbox.skip(&state)
                        return .holds
                    }
                    let words = (UInt(bitPattern: call), UInt(0))
                    _ = inbox.append(.call, words, isStamped: false, to: &state)
                    return .waits(isFirst: activate(&state))
                }
                guard case .waits(let isFirst) = entry else {
                    if case .holds = entry { return true }
                    return false
                }
                if isFirst { post() }
                call.pointee.waitToHold(self, at: call)
                return true
            }
            guard isHeld else { throw refusal(hasRoom: nil) }
            _ = begin(sentAt: nil)
            return CallersRole(isRetained: false)
        }

        override func endHold(_ role: consuming CallersRole) {
            _ = role.end()
            finish(begunAt: nil)
            lookForCalls()
            if let role = Role(of: self).becomeIdle() { role.makeReady() }
        }

        /// Whether there is work, while there is no holder.
        private func hasWork(_ state: Inbox.State) -> Bool {
            state.hasEntries || due.isFilled
        }

        override var isReady: Bool { inbox.withLock { !$0.isHeld && hasWork($0) } }

        override func help(untilGranted call: UnsafePointer<SyncCall>, if isWanted: () -> Bool) -> Bool {
            guard let role = takeReady(isActivated: false) else { return false }
            guard isWanted() else {
                role.makeReady()
                return true
            }
            var held: Role? = consume role
            runWithinJob { held.take()!.run(isHelped: true) { _ in !call.pointee.isGranted } }
            return true
        }

        // MARK: Running

        /// Makes the caller the holder, if there is work and no holder.
        private func takeReady(isActivated: Bool) -> Role? {
            let isTaken = inbox.withLock { state in
                if isActivated { state.isActivated = false }
                guard !state.isHeld, hasWork(state) else { return false }
                state.isHeld = true
                return true
            }
            return isTaken ? Role(of: self) : nil
        }

        /// The role of the holder, which receives messages and runs jobs. It includes no reference: a worker
        /// has that of the activation, and callers of `sync` theirs.
        struct Role: ~Copyable {
            private let queue: Unmanaged<MadeQueue>

            fileprivate init(of queue: MadeQueue) { self.queue = .passUnretained(queue) }

            deinit { assertionFailure("a queue has lost its holder") }

            /// Runs the queue until it is idle, a caller of `sync` has it, or `continues` returns false.
            consuming func run(isHelped: Bool = false, while continues: (MadeQueue) -> Bool) {
                let queue = queue.takeUnretainedValue()
                var role: Role? = consume self
                while let held = role.take() {
                    let end = RunFrame.around(.passUnretained(queue), isHelped ? .helpedJobs : .jobs) {
                        queue.runJobs(while: continues)
                    }
                    switch consume end {
                    case .empty: role = held.becomeIdle()
                    case .stopped: held.makeReady()
                    case .call(let message):
                        held.end()
                        SyncCall.grant(message)
                    }
                }
            }

            /// Makes the queue idle. Returns the role if there is work after all.
            consuming func becomeIdle() -> Role? {
                let isIdle = queue._withUnsafeGuaranteedRef { queue in
                    queue.lookForCalls()
                    return queue.inbox.becomeIdle { queue.due.isFilled }
                }
                guard isIdle else { return self }
                end()
                return nil
            }

            /// Leaves the rest to the thread that takes the queue's activation.
            consuming func makeReady() {
                let queue = queue
                end()
                queue._withUnsafeGuaranteedRef { queue in
                    let isFirst = queue.inbox.withLock { state in
                        state.isHeld = false
                        return queue.activate(&state)
                    }
                    if isFirst { queue.post() } else { queue.queueGroup.waiters.requestLook(queue.address) }
                }
            }

            private consuming func end() { discard self }
        }

        fileprivate enum End: ~Copyable {
            case empty
            case stopped
            /// The next message is a call of `sync`, whose caller is to hold the queue.
            case call(Message)
        }

        private func runJobs(while continues: (MadeQueue) -> Bool) -> End {
            while true {
                runDueJobs()
                if let message = inbox.take() {
                    if message.kind == .call { return .call(message) }
                    perform(message)
                } else {
                    return .empty
                }
                if !continues(self) { return .stopped }
            }
        }

        /// Whether a message has come, for the holder.
        var hasArrival: Bool { inbox.hasArrival }

        @inline(__always)
        func begin(sentAt: UInt64?) -> UInt64? {
            counters.begin()
            return notes.begin(in: jobRecord, sentAt: sentAt)
        }

        @inline(__always)
        func finish(begunAt: UInt64?) {
            notes.end(in: jobRecord, begunAt: begunAt)
            counters.finish()
        }

        @inline(__always)
        func admits(_ kind: Message.Kind) -> Bool { notes.admits(kind, unless: isCancelling) }

        var notes: JobNotes { queueGroup.notes }

        var isCancelling: Bool { cancelsWaiting.load(ordering: .relaxed) }
        var hasDueJobs: Bool { due.isFilled }
        func takeDueJobs() -> [DelayedJob] { due.takeAll() }

        /// A message in a lane, or work that a thread keeps: the queue has work. It includes a reference.
        struct Activation: ~Copyable {
            private let queue: Unmanaged<MadeQueue>

            /// Takes the reference out of the word.
            init(_ word: UInt) {
                queue = .fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
            }

            init(_ message: consuming Message) { self.init(message.intoParts().words.0) }

            deinit { assertionFailure("an activation was lost") }

            consuming func intoWord() -> UInt {
                let word = UInt(bitPattern: queue.toOpaque())
                discard self
                return word
            }

            /// Runs the queue, unless another thread does, or has.
            consuming func run(while continues: (MadeQueue) -> Bool) {
                let queue = queue
                discard self
                if let role = queue.takeUnretainedValue().takeReady(isActivated: true) {
                    role.run(while: continues)
                }
                queue.release()
            }
        }

        // MARK: Shutdown and statistics

        override func countCancelled() { counters.cancelled.wrappingAdd(1, ordering: .relaxed) }

        override func countPending(_ difference: Int32) {
            pending.wrappingAdd(difference, ordering: .relaxed)
        }

        override func cancelWaiting() { cancelsWaiting.store(true, ordering: .relaxed) }

        override func close(whenDrained body: @escaping @Sendable () -> Void) {
            isClosed.store(true, ordering: .relaxed)
            let (isFirst, isIdle) = inbox.withLock { state in
                defer { state.isClosed = true }
                return (!state.isClosed, !state.isHeld && !hasWork(state))
            }
            guard isFirst else { return body() }
            let hasDelayed = counters.meetAtDelayed() > 0
            if isIdle, !hasDelayed {
                cancelWaiting()
                return body()
            }
            endClosing(hasDelayed: hasDelayed, whenDrained: body) { [self] in
                send($0)
            }
        }

        override func addCounts(to statistics: inout TierStatistics) {
            counters.add(
                to: &statistics, pending: Int(pending.load(ordering: .relaxed)), positions: inbox.positions)
        }

        override var longestWait: Duration? { jobRecord == nil ? nil : inbox.longestWait }

        override var isIdle: Bool {
            // In a forked child a thread of the parent may have locked the inbox.
            !isForkedChild && inbox.isEmpty && counters.begunCount == counters.finishedCount && !due.isFilled
        }
    }
#endif
