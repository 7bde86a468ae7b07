#if os(Linux)
    import Synchronization

    /// A serial queue that keeps one thread, which runs all of its jobs: for libraries that must be called by
    /// one thread, such as an OpenGL context's. *Thread-safe.*
    ///
    /// It is a ``WorkerQueue`` whose `sync` runs its closure on that thread, too. The thread is named after
    /// the queue. It is made when the queue is first used, and ends with the queue. A thread of a pool that
    /// waits for such a queue does not run the queue's jobs itself meanwhile.
    public final class ThreadBoundQueue: WorkerQueue, @unchecked Sendable {  // as its superclass
        private let queue: MailboxQueue

        /// Makes a queue with a thread of its own, outside of any pool.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL. The thread is named after it: by its first and last bytes, 15 in
        ///     all.
        ///   - scheduling: how the thread is scheduled. Default: with the process's nice value, and a slice
        ///     of 0.1 ms. Nil leaves it as the process is, like ``TierScheduling/inherited``.
        ///   - threads: how the thread is made and waits. ``ThreadConfiguration/idleLifetime`` is ignored.
        /// - Throws: ``PoolError`` if an argument is impossible.
        public init(
            label: String, scheduling: ThreadScheduling? = ThreadScheduling(),
            threads: ThreadConfiguration = ThreadConfiguration()
        ) throws(PoolError) {
            try PoolError.checkLabel(label)
            try scheduling?.validate()
            try threads.validate()
            let settings = ThreadSettings(
                label: label, keepsLast: true, isBound: true, scheduling: scheduling, threads: threads)
            markForkedChildren()
            _ = Supervisor.current()  // see `WorkerQueuePool`
            queue = MailboxQueue(group: WorkerGroup(settings: settings, labels: [label]), index: 0)
            super.init(queue)
        }

        /// Runs a closure as a job of the queue, on its thread, behind the jobs that wait; returns its value.
        /// Blocks the caller meanwhile. The closure is not on the caller's actor there, and has none of its
        /// task-local values: `MainActor.assumeIsolated` traps, for example. ``JobScope`` answers for the
        /// caller's job.
        ///
        /// Traps as ``WorkerQueue/sync(_:)``.
        ///
        /// - Throws: ``PoolError`` as ``WorkerQueue/async(_:)``, but never `.full`, and the closure's error.
        public override func sync<Result>(_ body: () throws -> Result) throws -> Result {
            let position = try queue.takePositionOfCall()
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
                    let published = queue.mailbox.publish(.threadCall, words, at: position)
                    queue.makeReady(published.receiver)
                    call.pointee.waitForCall(on: queue, at: call)
                }
            }
            // Written by the queue's thread before it grants the call, which releases it.
            return try result.unsafelyUnwrapped.get()
        }
    }
#endif
