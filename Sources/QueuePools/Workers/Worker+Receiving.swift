#if os(Linux)
    import CLinuxThreads
    import Synchronization

    extension Worker {
        /// Whether the caller is a job of this worker.
        var isCurrent: Bool {
            clinux_thread_get_mark() == Unmanaged.passUnretained(self).toOpaque()
        }

        /// Starts the worker's thread. Returns 0 or an error number.
        func startThread() -> Int32 {
            let reference = Unmanaged.passRetained(self)
            let error = clinux_thread_start(
                { Unmanaged<Worker>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().runThread() },
                reference.toOpaque())
            if error != 0 { reference.release() }
            return error
        }

        private func runThread() {
            clinux_thread_set_name(threadName(for: label))
            settings.applyToCurrentThread()
            yields = ThreadScheduling.isCurrentSliceShort ? settings.yieldsBeforeParking : 0
            clinux_thread_set_mark(Unmanaged.passUnretained(self).toOpaque())
            takeOver()
            receiveUntilRetired()
        }

        private func receiveUntilRetired() {
            var jobsSinceSleep = 0
            while true {
                while let letter = mailbox.take() {
                    perform(letter)
                    jobsSinceSleep &+= 1
                    if !timers.isEmpty { runDueTimers() }
                }
                if runDueTimers() || runEmptyHandlers() { continue }
                if isFinished, guests.isEmpty, crew.dismiss(self) { return withdrawAnnouncement() }
                if jobsSinceSleep > 1 || settings.yieldsAfterSingleJob { linger() }
                guard let (word, value) = announceWaiting() else { continue }
                clinux_futex_wait(word, value, timers.nextDeadline)
                jobsSinceSleep = 0
            }
        }

        /// Announces that the receiver is going to sleep, as the mailbox does, and hands out a reference to
        /// this worker with it, to be released by the sender that gets the announcement back.
        ///
        /// For that sender may hold none. It wakes the receiver after it has published, and what it has
        /// published may be the last step of a task that held the queue. The receiver can come to that step
        /// without being woken, if it had not fallen asleep yet, and end before the sender goes on. Retaining
        /// is the receiver's business, since senders that need not wake anybody would pay for it, too.
        func announceWaiting() -> (word: UnsafeRawPointer, value: UInt32)? {
            // One reference for each announcement, not for its repetition.
            let isNew = !mailbox.isAnnounced
            if isNew { _ = Unmanaged.passRetained(self) }
            let announcement = mailbox.announceWaiting()
            if isNew, announcement == nil { Unmanaged.passUnretained(self).release() }
            return announcement
        }

        /// Takes an announcement back that no sender has got, since nobody sends any more.
        func withdrawAnnouncement() {
            if mailbox.withdrawAnnouncement() { Unmanaged.passUnretained(self).release() }
        }

        /// Whether nothing is left to do, and nobody can send any more.
        var isFinished: Bool { isRetired && timers.isEmpty && emptyHandlers.isEmpty }

        /// Lets others run for a moment, since sleeping costs this thread, and above all the sender that
        /// wakes it, more than a few turns around the scheduler.
        ///
        /// Each yield moves the thread one slice back in the scheduler's order, and that is remembered when
        /// it wakes up from its next sleep: milliseconds too late, with slices of Linux's default length. So
        /// only threads with a short slice yield.
        private func linger() {
            for _ in 0..<yields where !mailbox.hasArrival { clinux_thread_yield() }
        }

        // MARK: Jobs

        @inline(__always)
        func perform(_ letter: Letter) {
            if letter.kind == .errand { return runClosure(letter.words) }
            begin(sentAt: letter.sentAt)
            switch letter.kind {
            case .queueStep: runStep(letter, on: WorkerQueue.self)
            case .taskStep: runStep(letter, on: PoolTaskExecutor<WorkerQueue>.self)
            case .actorStep: runStep(letter, on: PoolSerialExecutor<WorkerQueue>.self)
            default: runClosure(letter.words)
            }
            end()
        }

        private func begin(sentAt: UInt64?) {
            begun.store(begun.load(ordering: .relaxed) + 1, ordering: .relaxed)
            if let sentAt { settings.waits.record(nanoseconds: clinux_monotonic_nanoseconds() &- sentAt) }
        }

        private func end() {
            finished.store(finished.load(ordering: .relaxed) + 1, ordering: .releasing)
        }

        /// A function of its own, so that the closure's captures are gone before the job counts as finished.
        @inline(never)
        private func runClosure(_ words: (UInt, UInt)) {
            Closure(owned: words).body()
        }

        /// The executor is alive as long as it has steps to run: tasks and actors see to that.
        private func runStep<Executor: StepExecutor>(_ letter: Letter, on _: Executor.Type) {
            let address = UnsafeRawPointer(bitPattern: letter.second).unsafelyUnwrapped
            let step = unsafeBitCast(letter.first, to: UnownedJob.self)
            Unmanaged<Executor>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.run(step) }
        }

        // MARK: Later, and when empty

        /// Puts a job into the timers; on the receiver's thread.
        func schedule(_ event: TimedEvent, at deadline: UInt64) {
            timers.insert(event, at: deadline)
        }

        @discardableResult
        func runDueTimers() -> Bool {
            guard !timers.isEmpty else { return false }
            var hasRun = false
            while let event = timers.takeDue(at: clinux_monotonic_nanoseconds()) {
                hasRun = true
                switch event {
                case .errand(let errand): errand()
                case .visit(let guest): visit(guest)
                case .job(let job):
                    guard let body = job.begin() else { continue }
                    begin(sentAt: nil)
                    runClosure(Closure(body).intoWords())
                    end()
                }
            }
            removeCancelledTimers()
            return hasRun
        }

        func cancelTimers() {
            for case .job(let job) in timers.takeAll() { _ = job.cancelUnattended() }
        }

        /// Takes cancelled jobs out of the timers once they are half of what is there, which costs each of
        /// them O(log *n*); at the latest when there is nothing else, so none keeps a worker from ending. Looked
        /// at whenever one is cancelled, and whenever others have left.
        func removeCancelledTimers() {
            guard cancelledTimers > 0, 2 * cancelledTimers >= timers.count else { return }
            timers.removeAll { if case .job(let job) = $0 { job.isCancelled } else { false } }
            cancelledTimers = 0
        }

        func runEmptyHandlers() -> Bool {
            guard !emptyHandlers.isEmpty else { return false }
            let handlers = emptyHandlers
            emptyHandlers = []
            for handler in handlers { handler() }
            return true
        }
    }

    /// An executor whose steps a worker runs.
    protocol StepExecutor: AnyObject {
        func run(_ step: UnownedJob)
    }
#endif
