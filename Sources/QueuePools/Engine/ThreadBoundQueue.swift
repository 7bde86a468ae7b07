#if os(Linux)
    import Synchronization

    /// A serial queue that keeps one thread, which runs all of its jobs: for libraries that must be called by
    /// one thread, such as an OpenGL context's. *Thread-safe.*
    ///
    /// It is a ``WorkerQueue`` whose `sync` runs its closure on that thread, too. The thread is made when the
    /// queue is first used, and ends with the queue. A thread of a pool that waits for such a queue does not
    /// run the queue's jobs itself meanwhile.
    public final class ThreadBoundQueue: WorkerQueue, @unchecked Sendable {  // as its superclass
        /// Makes a queue with a thread of its own.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL.
        ///   - scheduling: how the thread is scheduled; see ``WorkerQueue/init(label:scheduling:threads:)``.
        ///   - threads: how the thread is made and waits. ``ThreadConfiguration/idleLifetime`` is ignored.
        /// - Throws: ``PoolError`` if an argument is impossible.
        public convenience init(
            label: String, scheduling: ThreadScheduling? = ThreadScheduling(),
            threads: ThreadConfiguration = ThreadConfiguration()
        ) throws(PoolError) {
            try self.init(label: label, scheduling: scheduling, threads: threads, keepsThread: true)
        }

        /// Runs a closure as a job of the queue, on its thread, behind the jobs that wait; returns its value.
        /// Blocks the caller meanwhile. The closure is not on the caller's actor there, and has none of its
        /// task-local values: `MainActor.assumeIsolated` traps, for example.
        ///
        /// Traps as ``WorkerQueue/sync(_:)``.
        ///
        /// - Throws: ``PoolError`` as ``WorkerQueue/async(_:)``, but never `.full`, and the closure's error.
        public override func sync<Result>(_ body: () throws -> Result) throws -> Result {
            let position = try takePositionOfCall()
            var result: Swift.Result<Result, any Error>?
            withoutActuallyEscaping({ result = Swift.Result(catching: body) }) { body in
                SyncCall.withCall(calling: body) { call in
                    let words = (UInt(bitPattern: call), UInt(0))
                    let published = mailbox.publish(.threadCall, words, at: position)
                    makeReady(published.receiver)
                    call.pointee.waitForCall(on: self, at: call)
                }
            }
            // Written by the queue's thread before it grants the call, which releases it.
            return try result.unsafelyUnwrapped.get()
        }
    }
#endif
