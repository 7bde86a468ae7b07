#if os(Linux)
    import CLinuxThreads
    import Dispatch

    /// A serial queue that is one thread: made when the queue is first used, named after the queue, scheduled
    /// as told, and asleep while there is nothing to do.
    ///
    ///     let queue = try WorkerQueue(label: "decoder")
    ///     let job = try queue.async { decode() }
    ///     job.cancel()
    ///     let size = try queue.sync { frame.size }
    ///
    /// Jobs run one at a time, in the order of submission. Sending one takes no lock, and no memory beyond
    /// the closure's own; `Mailbox` says how.
    ///
    /// It is an executor, too: of tasks (`Task(executorPreference: queue)`), and of an actor that returns
    /// `queue.asUnownedSerialExecutor()` as its `unownedExecutor` and holds the queue.
    ///
    /// Dropping the last reference loses nothing: what was submitted and not cancelled runs, delayed jobs at
    /// their time; then the thread ends. After a `fork`, the child's copy of a queue refuses all jobs.
    /// *Thread-safe.*
    public final class WorkerQueue: SerialQueue {
        /// The queue's name. The thread has the first and last bytes of it, 15 in all, which is what Linux
        /// keeps.
        public let label: String

        let worker: Worker

        /// Makes a queue of its own, outside of any pool.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL.
        ///   - scheduling: how the thread is scheduled. Default: with the process's nice value, and a slice
        ///     of 0.1 ms.
        ///   - yieldsBeforeParking: how often the thread yields before it sleeps, 0…10,000.
        /// - Throws: ``PoolError`` when an argument is impossible.
        public convenience init(
            label: String, scheduling: ThreadScheduling = ThreadScheduling(),
            yieldsBeforeParking: Int = QueuePoolConfiguration.defaultYieldsBeforeParking
        ) throws(PoolError) {
            try PoolError.checkLabel(label)
            try scheduling.validate()
            try PoolError.checkYields(yieldsBeforeParking)
            let settings = WorkerSettings(scheduling: scheduling, yieldsBeforeParking: yieldsBeforeParking)
            _ = ThreadMaker.current()  // see `WorkerQueuePool`
            self.init(worker: Worker(label: label, settings: settings, crew: Crew()))
        }

        init(worker: Worker) {
            label = worker.label
            self.worker = worker
        }

        deinit { worker.retire() }

        // MARK: Submitting

        /// Submits a job and returns at once.
        ///
        /// - Returns: the job; cancelled before it begins, its closure is released at once and its turn
        ///   skipped.
        /// - Throws: ``PoolError``: `.noThread` if the system has no thread for the queue, and no other queue
        ///   of its pool's tier has one either; `.shutDown` after the pool's shutdown; `.forked`.
        @discardableResult
        public func async(_ body: @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob {
            guard let job = worker.submit(body) else { throw worker.refusal }
            return job
        }

        /// Submits a job that cannot be cancelled and is never refused: the cheapest way.
        ///
        /// While the system has no thread for the queue, the job waits for one. (Should it not even have one
        /// that makes threads, then the next job that is submitted asks again.) Traps in a forked process.
        public func enqueue(_ job: @escaping @Sendable () -> Void) {
            worker.enqueue(job)
        }

        /// Submits a job that is to begin after a time, measured by the monotonic clock, which stands still
        /// while the machine sleeps.
        ///
        /// When its time has come, the job goes before those that wait. A time of zero or less has come.
        /// Shutting down the pool cancels jobs whose time has not come.
        ///
        /// - Returns: the job; cancelled before it begins, its closure is released at once.
        /// - Throws: ``PoolError`` as the form without a delay.
        /// - Complexity: O(log *n*) in the number of delayed jobs.
        @discardableResult
        public func async(
            after delay: Duration, _ body: @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob {
            let deadline = clinux_monotonic_nanoseconds().advanced(by: delay)
            let job = DelayedJob(worker: worker, body: body)
            guard worker.submitDelayed(job, at: deadline) else { throw worker.refusal }
            return PoolJob(owner: job)
        }

        /// Calls a closure once, on the queue, as soon as nothing waits in it. Delayed jobs whose time has
        /// not come do not count; nor do, during the pool's shutdown, jobs that came after that began. So the
        /// shutdown returns after the call.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``.
        public func notifyWhenEmpty(_ body: @escaping @Sendable () -> Void) throws(PoolError) {
            guard worker.submitEmptyHandler(body) else { throw worker.refusal }
        }

        /// True on a job of this queue.
        public var isCurrent: Bool { worker.isCurrent }

        // MARK: Waiting

        /// Runs a closure on the queue, behind what waits there, and returns what it returns.
        ///
        /// Blocks the calling thread meanwhile. Called by a job of this same queue it would wait for itself:
        /// that traps. Queues that wait for each other in a circle are not detected.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, and what the closure throws.
        public func sync<Result>(_ body: () throws -> Result) throws -> Result {
            precondition(
                !isCurrent,
                "sync on the queue \"\(label)\" was called by one of its own jobs and would wait for itself")
            return try withoutActuallyEscaping(body) { body in
                var call = SynchronousCall(body: body)
                return try withUnsafeMutablePointer(to: &call) { try SynchronousCall.perform($0, on: worker) }
            }
        }
    }
#endif
