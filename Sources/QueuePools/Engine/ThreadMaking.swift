#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization
    import QueuePoolsTopology

    /// Makes the threads of a group, and tries again where the system has none: `pthread_create` fails with
    /// EAGAIN at a limit of threads, processes or memory.
    ///
    /// - If a group has no thread yet and gets none, the submission is refused (`PoolError.Code.noThread`).
    /// - A group that has a thread continues with that. The thread is requested again after 10 ms, and then
    ///   after twice as long each time, up to 1 s, while there is work for it (``makeThread(at:)``).
    /// - Jobs and steps that cannot be refused wait until the supervisor has got a thread for them.
    extension WorkerGroup {
        /// Whether jobs are accepted: there is a thread, or one can be made. Not in a forked child.
        @inline(__always)
        var acceptsJobs: Bool { !isForkedChild && (firstThread.isClaimed || makeFirstThread()) }

        /// Ensures that there is a thread; the first takes about 0.1 ms. Returns false if there can be none.
        @inline(never)
        private func makeFirstThread() -> Bool {
            guard let supervisor = Supervisor.current() else { return false }
            supervisor.performAndWait {
                guard !self.firstThread.isClaimed else { return }
                // A request for it may be on its way, or wait to be tried again.
                let isUnclaimed = self.parking.claim(0)
                let isMade = self.startThread(at: 0, by: supervisor) == .made
                if !isMade, isUnclaimed { self.vacate(0) }
            }
            return firstThread.isClaimed
        }

        /// Ensures that the next message will be received, by a thread that is made for it if there is none.
        @inline(__always)
        func prepareToSend() { if isForkedChild || !firstThread.isClaimed { requireSupervisor() } }

        @inline(never)
        private func requireSupervisor() {
            require(!isForkedChild, PoolError(.forked, by: .queue(label: settings.label)).description)
            Supervisor.required()
        }

        /// Requests a slot's thread: the supervisor makes it once the system has one, if there is work then.
        func makeThread(at index: Int) {
            let supervisor = Supervisor.required()
            @Sendable func make(retryAfter delay: UInt64) {
                switch startThread(at: index, by: supervisor) {
                case .made: break
                // The bit was that of a thread which is awake, and may be busy: so another slot serves.
                case .occupied: if hasWork { wakeIfNeeded() }
                case .needless: vacate(index)
                case .refused:
                    // This slot may have been left just when it was chosen, while another thread sleeps.
                    if hasWork, let index = parking.wakeSleeper() { makeThread(at: index) }
                    supervisor.perform(after: delay) {
                        guard self.hasWork else { return self.vacate(index) }
                        make(retryAfter: min(2 * delay, 100 * self.settings.firstRetry))
                    }
                }
            }
            supervisor.perform { make(retryAfter: self.settings.firstRetry) }
        }

        private enum Start { case made, occupied, needless, refused }

        /// Makes a slot's thread. Called on the supervisor's thread.
        ///
        /// A request may come when a shutdown has returned. It counts in `unended` and then looks whether the
        /// group is retired, while a shutdown retires it and then reads `unended`, all sequentially
        /// consistent: so the shutdown waits for the thread, or one is made only for work that came later.
        private func startThread(at index: Int, by supervisor: Supervisor) -> Start {
            guard parking.occupy(index) else { return .occupied }
            unended.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
            let isNeedless = parking.isRetiredForMaker && !hasWork
            let thread = WorkerThread(group: self, index: index)
            if !isNeedless, supervisor.maker.make(with: settings, { settings.start(thread) }) {
                _ = firstThread.claim()
                return .made
            }
            parking.abandon(index)
            unended.pointee.wrappingSubtract(1, ordering: .relaxed)
            if isNeedless { return .needless }
            threadFailures.wrappingAdd(1, ordering: .relaxed)
            return .refused
        }

        /// Marks a thread slot without a thread as one for which a thread can be made.
        func vacate(_ index: Int) {
            parking.vacate(index)
            if hasWork { wakeIfNeeded() }
        }
    }

    /// Makes threads that inherit nothing from the thread that has made the supervisor. Belongs to the
    /// supervisor's thread, which makes all of them.
    ///
    /// A thread inherits the nice value, the policy and the CPUs of the one that makes it, and without
    /// privileges it cannot improve them: a background job that is the first to use the tier userInteractive
    /// would degrade that tier permanently. So the supervisor makes them, which is made with the first pool,
    /// usually by the main thread. Otherwise it sets values unlike the process's, as far as permitted.
    struct ThreadMaker {
        /// Whether the supervisor is scheduled as a thread that keeps delayed jobs.
        private var isScheduled = false
        /// Whether it must yet be scheduled as the process is, because its maker was not. Compared by its
        /// maker: a program may schedule its first thread later, and then forbid scheduling calls.
        private var differs = ThreadScheduling.schedulingOfProcessUnlessCurrent != nil

        /// Makes a thread. Returns false if `pthread_create` fails. ``TierScheduling/inherited`` says when it
        /// makes scheduling calls for threads without a scheduling.
        mutating func make(with settings: ThreadSettings, _ start: () -> Int32) -> Bool {
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
    }

    /// Starts a thread that calls a closure, and takes it out: no other thread releases its captures.
    final class ThreadStart: @unchecked Sendable {  // the body is the thread's, once that has started
        private var body: (@Sendable () -> Void)?

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        /// Calls the closure on the calling thread, if no thread has started.
        func run() { body.take()?() }

        typealias Main = @convention(c) (UnsafeMutableRawPointer?) -> Void

        /// Starts the thread by a function of `CQueuePoolsThreads`. Returns 0 or an error number.
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
