#if os(Linux)
    import Synchronization

    /// A serial queue that keeps one thread, which runs all of its jobs: for libraries that must be called by
    /// one thread, such as an OpenGL context's. *Thread-safe.*
    ///
    /// Jobs run one at a time, in the order of submission, as those of a ``WorkerQueue`` do; but the closure
    /// of `sync` runs on the thread, too. The thread is named after the queue. It is made when the queue is
    /// first used, and ends with the queue. A thread of a pool that waits for such a queue does not run the
    /// queue's jobs itself meanwhile.
    ///
    /// It is also an executor of tasks, and of an actor that retains the queue.
    public final class ThreadBoundQueue: SerialQueue, CustomStringConvertible, Sendable {
        let core: MailboxQueue
        /// The handle by which jobs are submitted to the core.
        private let queue: WorkerQueue

        /// The queue's name, and its thread's.
        public var label: String { core.label }

        /// The label.
        public var description: String { label }

        /// True on a job of this queue.
        public var isCurrent: Bool { queue.isCurrent }

        /// Makes a queue with a thread of its own, outside of any pool.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL. The thread is named after it: by its first and last bytes, 15 in
        ///     all.
        ///   - scheduling: how the thread is scheduled. Default: with the process's nice value, and a slice
        ///     of 0.1 ms. Nil leaves it as the process is, like ``TierScheduling/inherited``.
        ///   - threads: how the thread is made and waits. ``ThreadOptions/idleLimit`` is ignored.
        /// - Throws: ``PoolError`` if an argument is impossible.
        public init(
            label: String, scheduling: ThreadScheduling? = ThreadScheduling(),
            threads: ThreadOptions = ThreadOptions()
        ) throws(PoolError) {
            try PoolError.checkLabel(label)
            try scheduling?.validate()
            try threads.validate()
            let settings = ThreadSettings(
                label: label, keepsLast: true, isBound: true, scheduling: scheduling, threads: threads)
            markForkedChildren()
            _ = Supervisor.current()  // see `WorkerQueuePool`
            core = MailboxQueue(group: WorkerGroup(settings: settings, labels: [label]), index: 0)
            queue = WorkerQueue(core)
        }

        deinit { keepEndedExecutor(self) }

        /// Submits a job and returns immediately.
        ///
        /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
        /// - Throws: ``PoolError``: `.noThread` if the system has no thread; `.forked` in a child that was
        ///   forked after the first pool or queue was made.
        @discardableResult
        public func async(_ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob {
            try queue.async(body)
        }

        /// Submits a job that cannot be cancelled and is never refused, as that of a ``WorkerQueue``.
        public func enqueue(_ job: consuming @escaping @Sendable () -> Void) { queue.enqueue(job) }

        /// Runs a closure as a job on the queue's thread, behind the jobs that wait, and returns its value,
        /// as ``JobSubmitting``'s `run`. The value need not be `Sendable`.
        nonisolated(nonsending) public func run<Value>(
            _ body: @escaping @Sendable () throws -> sending Value
        ) async throws -> sending Value {
            try await queue.run(body)
        }

        /// Runs a closure as a job of the queue, on its thread, behind the jobs that wait; returns its value.
        /// Blocks the caller meanwhile. The closure is not on the caller's actor there, and has none of its
        /// task-local values: `MainActor.assumeIsolated` traps, for example. ``JobScope`` answers for the
        /// caller's job.
        ///
        /// Traps as ``WorkerQueue/sync(_:)``.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, and the closure's error.
        public func sync<Result>(_ body: () throws -> Result) throws -> Result {
            let position = try core.takePositionOfCall()
            var result: Swift.Result<Result, any Error>?
            // The closure is a part of the caller's job, which this call retains meanwhile.
            let source = CancellationSource.ofJob
            func call() {
                CancellationSource.with(source.map { .passUnretained($0) }) {
                    result = Swift.Result(catching: body)
                }
            }
            withoutActuallyEscaping(call) { body in
                SyncCall.withCall(calling: body) { call in
                    let words = (UInt(bitPattern: call), UInt(0))
                    let published = core.mailbox.publish(.threadCall, words, at: position)
                    core.makeReady(published.receiver)
                    call.pointee.waitForCall(on: core, at: call)
                }
            }
            // Written by the queue's thread before it grants the call, which releases it.
            return try result.unsafelyUnwrapped.get()
        }
    }

    extension ThreadBoundQueue: ContextFreeQueue {}

    extension ThreadBoundQueue: IdleReporting {
        var isIdle: Bool { core.isIdle }
    }

    extension ThreadBoundQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) {
            checkNotEnded(self)
            core.enqueue(.queueStep, UnownedJob(job), of: self)
        }

        /// Traps unless the caller runs on the queue.
        public func checkIsolated() {
            checkNotEnded(self)
            require(isCurrent, "expected to run on the queue \"\(label)\"")
        }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? {
            checkNotEnded(self)
            return isCurrent
        }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
#endif
