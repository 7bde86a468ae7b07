#if os(Linux)
    import CLinuxThreads
    import Dispatch
    import Locks
    import Synchronization
    import Topology

    /// The thread that makes the engine's other threads, and hands delayed jobs over when they are due. A
    /// process has one.
    ///
    /// A thread inherits the nice value, the policy and the CPUs of the one that makes it, and without
    /// privileges it cannot improve them: a background job that is the first to use the tier userInteractive
    /// would degrade that tier permanently. So this thread makes them, which is made with the first pool,
    /// usually by the main thread. Otherwise it sets what differs from the process's, as far as the kernel
    /// permits. Threads inherit the signals that this one blocks: its maker's, unless that is a worker of
    /// Dispatch.
    ///
    /// Requests come through a mailbox.
    final class Supervisor: @unchecked Sendable {  // the heap belongs to the thread
        private let mailbox = Mailbox(isAnnounced: true)
        private let wakeUps = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        private var delayedJobs = DelayedJobHeap()
        /// What waits for the thread of ``performElsewhereInTurn(_:)``; nil if there is no such thread.
        private let inTurn = Lock<[@Sendable () -> Void]?>(nil)
        /// What it had read when a thread last waited for it.
        private let readBefore = Atomic<UInt64>(0)
        /// When that was last found to have changed.
        private let progressed = Atomic<UInt64>(0)

        /// Retained, once published. The store releases what the load acquires.
        private static let present = Atomic<Unmanaged<Supervisor>?>(nil)
        private static let making = Lock(())

        private init() { wakeUps.initialize(to: Atomic(0)) }

        deinit {
            mailbox.destroy { _ in }
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
                clinux_sleep(pause)
                pause = min(2 * pause, 1_000_000)
            }
        }

        /// Calls a closure on the supervisor's thread.
        func perform(_ request: @escaping @Sendable () -> Void) {
            let (words, position) = (Closure(request).intoWords(), mailbox.takePosition().position)
            guard mailbox.publish(.control, words, at: position).isAwaited else { return }
            wakeUps.pointee.wrappingAdd(1, ordering: .releasing)
            clinux_futex_wake(wakeUps)
        }

        /// Calls a closure on the supervisor's thread, and returns what it returns.
        func performAndWait(_ request: @escaping @Sendable () -> Bool) -> Bool {
            if clinux_current_thread().pointee.supervises { return request() }
            nonisolated(unsafe) var answer = false  // ordered by the semaphore
            let isThere = DispatchSemaphore(value: 0)
            perform {
                answer = request()
                isThere.signal()
            }
            isThere.wait()
            return answer
        }

        /// Calls a closure on the supervisor's thread later. Called there.
        func perform(after delay: UInt64, _ request: @escaping @Sendable () -> Void) {
            delayedJobs.insert(DelayedJob(at: clinux_monotonic_nanoseconds() + delay, by: self, request))
        }

        /// Runs a closure on a thread of its own, as soon as the system has one.
        ///
        /// - Parameter isUrgent: whether the supervisor runs it while the system has none.
        func performElsewhere(isUrgent: Bool = false, _ body: @escaping @Sendable () -> Void) {
            let helper = ThreadStart {
                if !clinux_current_thread().pointee.supervises { clinux_thread_set_name("pool helper") }
                body()
            }
            @Sendable func start(retryAfter delay: UInt64) {
                guard helper.start(by: { clinux_thread_start($0, $1, 0, false) }) != 0 else { return }
                if isUrgent { return helper.run() }
                perform(after: delay) { start(retryAfter: min(2 * delay, 1_000_000_000)) }
            }
            perform { start(retryAfter: 10_000_000) }
        }

        /// Runs a closure on a thread that runs those of all such calls, one after the other.
        func performElsewhereInTurn(_ body: @escaping @Sendable () -> Void) {
            let isFirst = inTurn.withLock { bodies in
                defer { bodies = bodies ?? [] }
                bodies?.append(body)
                return bodies == nil
            }
            guard isFirst else { return }
            performElsewhere { [self] in
                body()
                while let bodies = inTurn.withLock({ bodies -> [@Sendable () -> Void]? in
                    let taken = bodies ?? []
                    bodies = taken.isEmpty ? nil : []
                    return taken.isEmpty ? nil : taken
                }) {
                    for body in bodies { body() }
                }
            }
        }

        /// Hands a job over when its time has come. Threads that submit faster than this one reads wait for
        /// it, since what they submit and cancel meanwhile would take memory without bound. Not if it has
        /// read nothing for 50 ms: it may wait for a lock of theirs when it resumes a task on an executor of
        /// the program.
        func insert(_ job: DelayedJob) {
            perform { [unowned self] in
                if !job.isTaken { delayedJobs.insert(job) }
            }
            while !clinux_current_thread().pointee.supervises {
                let (read, now) = (mailbox.nextPosition, clinux_monotonic_nanoseconds())
                guard mailbox.takenPositions > read + 4_096 else { return }
                if readBefore.exchange(read, ordering: .relaxed) != read {
                    progressed.store(now, ordering: .relaxed)
                } else if now > progressed.load(ordering: .relaxed) + 50_000_000 {
                    return
                }
                clinux_sleep(100)
            }
        }

        /// Removes a job that was cancelled.
        func remove(_ job: DelayedJob) { perform { [unowned self] in delayedJobs.remove(job) } }

        /// Hands over the jobs of a group whose time has come. Calls a closure with the others, which are to
        /// be cancelled elsewhere, because releasing what they captured may do anything.
        func endDelayedJobs(of group: WorkerGroup, then body: @escaping @Sendable ([DelayedJob]) -> Void) {
            perform { [unowned self] in
                let now = clinux_monotonic_nanoseconds()
                var (due, rest) = delayedJobs.takeAll(of: group, at: now)
                due.removeAll { $0.becomeDue(isClosing: true) }
                body(rest + due)
            }
        }

        /// Whether it is scheduled as a thread that keeps delayed jobs.
        private var isScheduled = false
        /// Whether it must yet be scheduled as the process is, because its maker was not. Compared by its
        /// maker: a program may schedule its first thread later, and then forbid scheduling calls.
        private var differs = ThreadScheduling.schedulingOfProcessUnlessCurrent != nil

        /// Makes a thread, which inherits nothing from the supervisor's maker. On the supervisor's thread.
        ///
        /// For threads without a scheduling of their own it makes no scheduling call, with two exceptions:
        /// its maker was then scheduled differently from the process's first thread; or it has made threads
        /// with a scheduling, and scheduled itself for that.
        func makeThread(with settings: ThreadSettings, _ start: () -> Int32) -> Bool {
            if !AffinityMask.addCPUsOfFirstThread() { settings.refusals.increment() }
            if settings.scheduling != nil {
                if !isScheduled { ThreadScheduling().applyToCurrentThread() }
                isScheduled = true
                return start() == 0
            }
            if isScheduled || differs {
                differs = false
                if !ThreadScheduling.takeSchedulingOfProcess() { settings.refusals.increment() }
            }
            defer { if isScheduled { ThreadScheduling().applyToCurrentThread() } }
            return start() == 0
        }

        private func start() -> Bool {
            ThreadStart { self.runThread() }.start { clinux_thread_start($0, $1, 0, false) } == 0
        }

        private func runThread() {
            clinux_current_thread().pointee.supervises = true
            clinux_thread_unblock_like_dispatch()
            clinux_thread_set_name("pool supervisor")
            while true {
                let seen = wakeUps.pointee.load(ordering: .acquiring)
                // What was sent before a job was due is read first: it may be a job that was due earlier. But
                // what is due does not wait for many requests, such as a million that cancel jobs.
                let now = clinux_monotonic_nanoseconds()
                let sent = min(mailbox.takenPositions, mailbox.nextPosition + 256)
                var isIdle = true
                while mailbox.nextPosition < sent, let message = mailbox.take() {
                    message.run()
                    isIdle = false
                }
                while let job = delayedJobs.takeDue(at: now) { _ = job.becomeDue() }
                if isIdle, mailbox.announceIdle() {
                    clinux_futex_wait(wakeUps, seen, delayedJobs.nextDeadline)
                }
            }
        }
    }

    /// Starts a thread that calls a closure, and takes it out: no other thread releases what it captured.
    final class ThreadStart: @unchecked Sendable {  // the body is the thread's, once that has started
        private var body: (@Sendable () -> Void)?

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        /// Calls the closure on the calling thread, if no thread has started.
        func run() { body.take()?() }

        typealias Main = @convention(c) (UnsafeMutableRawPointer?) -> Void

        /// Starts the thread by a function of `CLinuxThreads`. Returns 0 or an error number.
        func start(by call: (Main?, UnsafeMutableRawPointer?) -> Int32) -> Int32 {
            let reference = Unmanaged.passRetained(self)
            let main: Main = {
                Unmanaged<ThreadStart>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().run()
            }
            let error = call(main, reference.toOpaque())
            if error != 0 { reference.release() }
            return error
        }
    }
#endif
