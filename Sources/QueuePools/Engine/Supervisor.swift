#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
    import Synchronization

    /// The thread that makes the engine's threads, and hands delayed jobs over when due. A process has one.
    ///
    /// It is a ``ThreadMaker`` and a table of timers (``DelayedJobHeap``), and runs requests from a mailbox.
    /// Threads inherit the signals that it blocks: its maker's, unless that is a worker of Dispatch.
    final class Supervisor: @unchecked Sendable {  // the maker and the timers belong to the thread
        private let mailbox = Mailbox(isAnnounced: true)
        private let wakeUps = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        private var delayedJobs = DelayedJobHeap()
        /// Used on the supervisor's thread.
        var maker = ThreadMaker()
        /// The position that it had reached when a thread last waited for it.
        private let readBefore = Atomic<UInt64>(0)
        /// When that was last found to have changed.
        private let progressed = Atomic<UInt64>(0)

        /// Retained, once published. Storing releases, and loading acquires.
        private static let present = Atomic<Unmanaged<Supervisor>?>(nil)
        private static let making = Lock(())

        private init() { wakeUps.initialize(to: Atomic(0)) }

        deinit {
            mailbox.claimedReceiver.destroy()
            wakeUps.deallocate()
        }

        /// The supervisor, or nil if the system has no thread for it.
        static func current() -> Supervisor? {
            if let present = present.load(ordering: .acquiring) { return present.takeUnretainedValue() }
            return making.withLock { _ in
                if let present = present.load(ordering: .relaxed) { return present.takeUnretainedValue() }
                let supervisor = Supervisor()
                guard supervisor.start() else { return nil }
                present.store(.passRetained(supervisor), ordering: .releasing)
                return supervisor
            }
        }

        /// The supervisor. Tries again until the system has a thread for it.
        @discardableResult
        static func required() -> Supervisor {
            var pause: UInt32 = 1_000
            while true {
                if let supervisor = current() { return supervisor }
                cqp_sleep(pause)
                pause = min(2 * pause, 1_000_000)
            }
        }

        /// Calls a closure on the supervisor's thread.
        ///
        /// `wakeUps` is relaxed: the mailbox orders the request. The thread reads it before it announces that
        /// it sleeps, and the announcement fails if the request is there.
        func perform(_ request: @escaping @Sendable () -> Void) {
            guard let receiver = mailbox.send(.control, Closure(request).intoWords()) else { return }
            receiver.passOn()
            wakeUps.pointee.wrappingAdd(1, ordering: .relaxed)
            cqp_futex_wake(wakeUps)
        }

        /// Calls a closure on the supervisor's thread, and returns when it has returned.
        func performAndWait(_ request: @escaping @Sendable () -> Void) {
            if cqp_current_thread().pointee.supervises { return request() }
            SyncCall.withCall { call in
                nonisolated(unsafe) let call = call  // this thread waits until it is granted
                perform {
                    request()
                    SyncCall.grant(call)
                }
                call.pointee.wait(at: call)
            }
        }

        /// Calls a closure on the supervisor's thread later. Called there.
        func perform(after delay: UInt64, _ request: @escaping @Sendable () -> Void) {
            delayedJobs.insert(DelayedJob(at: cqp_monotonic_nanoseconds() + delay, by: self, request))
        }

        /// Hands a job over when its time has come. Threads that submit faster than this one reads wait for
        /// it, because their requests would take memory without bound. They do not wait if it has read
        /// nothing for 50 ms: it may wait for a lock of theirs when it resumes a task on a program's
        /// executor.
        func insert(_ job: DelayedJob) {
            perform { [unowned self] in
                if !job.isTaken { delayedJobs.insert(job) }
            }
            while !cqp_current_thread().pointee.supervises {
                let (read, now) = (mailbox.nextPosition, cqp_monotonic_nanoseconds())
                guard mailbox.takenPositions > read + 4_096 else { return }
                if readBefore.exchange(read, ordering: .relaxed) != read {
                    progressed.store(now, ordering: .relaxed)
                } else if now > progressed.load(ordering: .relaxed) + 50_000_000 {
                    return
                }
                cqp_sleep(100)
            }
        }

        /// Removes a job that was cancelled.
        func remove(_ job: DelayedJob) { perform { [unowned self] in delayedJobs.remove(job) } }

        /// Hands over the jobs of a group whose time has come. Calls a closure with the others, which are to
        /// be cancelled elsewhere, because releasing their captures may run any code.
        func endDelayedJobs(of group: WorkerGroup, then body: @escaping @Sendable ([DelayedJob]) -> Void) {
            perform { [unowned self] in
                let now = cqp_monotonic_nanoseconds()
                var (due, rest) = delayedJobs.takeAll(of: group, at: now)
                due.removeAll { $0.becomeDue(isClosing: true) }
                body(rest + due)
            }
        }

        private func start() -> Bool {
            ThreadStart { self.runThread() }.start { cqp_thread_start($0, $1, 0, false) } == 0
        }

        private func runThread() {
            cqp_current_thread().pointee.supervises = true
            cqp_thread_unblock_like_dispatch()
            cqp_thread_set_name("pool supervisor")
            var receiver = mailbox.claimedReceiver
            while true {
                let seen = wakeUps.pointee.load(ordering: .relaxed)
                // Requests sent before a job was due are read first: one may hand in a job that was due
                // earlier. But due jobs do not wait for many requests, such as a million that cancel jobs.
                let now = cqp_monotonic_nanoseconds()
                let sent = min(mailbox.takenPositions, mailbox.nextPosition + 256)
                var isIdle = true
                while receiver.nextPosition < sent, let message = receiver.take() {
                    message.run()
                    isIdle = false
                }
                while let job = delayedJobs.takeDue(at: now) { _ = job.becomeDue() }
                guard isIdle else { continue }
                if let present = receiver.announceIdle() {
                    receiver = present
                } else {
                    cqp_futex_wait(wakeUps, seen, delayedJobs.nextDeadline)
                    // The sender that gets the role passes it back by waking this thread.
                    receiver = mailbox.claimedReceiver
                }
            }
        }
    }
#endif
