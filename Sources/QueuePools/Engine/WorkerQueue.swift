#if os(Linux)
    import QueuePoolsLocks
    import Synchronization

    /// A serial queue of the package's own engine: a mailbox, whose jobs are run by the threads of the
    /// queue's tier, or by a thread of its own. *Thread-safe.*
    ///
    ///     let queue = try WorkerQueue(label: "decoder")
    ///     let job = try queue.async { decode() }
    ///     job.cancel()
    ///     let size = try queue.sync { frame.size }
    ///
    /// Jobs run one at a time, in the order of submission. Sending one takes no lock, and no memory beyond
    /// the closure's own.
    ///
    /// A queue of a pool shares the threads of its tier: which of them runs a job differs from job to job. A
    /// queue made by itself has one thread, named after it, which is made when the queue is first used, and
    /// ends when it has had nothing to do for a while (``ThreadConfiguration/idleLifetime``).
    ///
    /// It is also an executor: of tasks (`Task(executorPreference: queue)`), and of an actor that retains the
    /// queue and returns `queue.asUnownedSerialExecutor()` as its `unownedExecutor`.
    ///
    /// Dropping the last reference loses nothing: submitted jobs run, delayed ones at their time.
    public class WorkerQueue: SerialQueue, CustomStringConvertible, @unchecked Sendable {
        // Unchecked: atomics, or the holder's.

        /// Senders write the reference count, and all read the fields below.
        private let padding = LinePadding(repeating: 0)

        /// The queue's name. A thread of its own is named after it: by its first and last bytes, 15 in all.
        public let label: String

        /// The label.
        public var description: String { label }

        let group: WorkerGroup
        /// Its number in the group.
        let index: Int
        let isClosed = Atomic<Bool>(false)
        /// The holder writes its counters and the fields below.
        let jobs: CountedMailbox
        let due = DueJobs()
        /// Whether a caller of `sync` may take the queue from the thread that holds it.
        let permitsClaims = Atomic<Bool>(false)

        /// The queue that the holder waits for in a call of `sync`: see ``SyncCall``.
        let awaitedByHolder = Lock<WorkerQueue?>(nil)
        /// See ``HeldQueue``.
        var holderState = HolderState()

        /// Makes a queue of its own, outside of any pool.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL.
        ///   - scheduling: how the thread is scheduled. Default: with the process's nice value, and a slice
        ///     of 0.1 ms. Nil leaves it as the process is, like ``TierScheduling/inherited``.
        ///   - threads: how the thread is made, waits and ends.
        /// - Throws: ``PoolError`` if an argument is impossible.
        public convenience init(
            label: String, scheduling: ThreadScheduling? = ThreadScheduling(),
            threads: ThreadConfiguration = ThreadConfiguration()
        ) throws(PoolError) {
            try self.init(label: label, scheduling: scheduling, threads: threads, keepsThread: false)
        }

        convenience init(
            label: String, scheduling: ThreadScheduling?, threads: ThreadConfiguration, keepsThread: Bool
        ) throws(PoolError) {
            try PoolError.checkLabel(label)
            try scheduling?.validate()
            try threads.validate()
            let settings = ThreadSettings(
                label: label, keepsLast: keepsThread, scheduling: scheduling, threads: threads)
            markForkedChildren()
            _ = Supervisor.current()  // see `WorkerQueuePool`
            self.init(group: WorkerGroup(settings: settings, labels: [label]), index: 0)
        }

        init(group: WorkerGroup, index: Int) {
            self.group = group
            self.index = index
            label = group.labels[index]
            let observer = group.settings.observation.map {
                JobObserver($0, label: group.labels[index], in: group)
            }
            jobs = CountedMailbox(group: group, observer: observer, isAnnounced: true)
            group.enter(self, at: index)
        }

        deinit {
            // Nothing waits, because jobs retain their queue.
            mailbox.claimedReceiver.destroy()
            group.leave()
        }

        /// Submits a job and returns immediately.
        ///
        /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
        /// - Throws: ``PoolError``: `.full` beyond the capacity; `.noThread` if the system has no thread, and
        ///   the pool's tier has none either; `.shutDown` after the pool's shutdown; `.forked` in a child
        ///   that was forked after the first pool or queue was made.
        @discardableResult
        public func async(_ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob {
            let hasRoom = takeRoom()
            guard hasRoom, let job = submit(consume body) else { throw refusal(hasRoom: hasRoom) }
            return job
        }

        /// Submits a job that cannot be cancelled and is never refused: the cheapest way. While the system
        /// has no thread for the queue, the job waits. Blocks only while the process has no thread that makes
        /// threads. Traps in a forked child.
        public func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
            group.prepareToSend()
            makeReady(mailbox.send(.closure, Closure(consume job).intoWords()))
        }

        /// Submits a job with a label, or one that begins later; otherwise as ``async(_:)``.
        ///
        /// Times are of the monotonic clock, which stops while the machine sleeps. When the time has come
        /// (immediately if it has passed), the job goes before those that wait. Shutting down the pool
        /// cancels jobs whose time has not come.
        ///
        /// - Parameters:
        ///   - label: names the job for ``QueuePool/activity(of:)`` and ``RunningJob``. Default: nil.
        ///   - delay: how long the job waits at least, from now on. Default: nil.
        ///   - time: when the job may begin, if that is later. Default: nil.
        ///   - body: the job's closure.
        /// - Returns: the job, as ``async(_:)``.
        /// - Throws: ``PoolError`` as ``async(_:)``; never `.full` if the time has not come: such a job takes
        ///   no place before, and then takes one in any case.
        /// - Complexity: O(log *n*) in the number of delayed jobs.
        @discardableResult
        public func async(
            label: String? = nil, after delay: Duration? = nil, at time: ContinuousClock.Instant? = nil,
            _ body: @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob {
            let body = label.map { labelled($0, body) } ?? body
            guard let begin = JobBegin(after: delay, at: time) else { return try async(body) }
            // Only a job that is due needs a place now.
            let hasRoom = begin.isDue ? takeRoom() : nil
            guard hasRoom != false,
                let job = submit(
                    body, at: begin.deadline(of: PoolTime(clock: nil)), hasPlace: hasRoom == true)
            else { throw refusal(hasRoom: hasRoom) }
            return job
        }

        /// Submits a job that begins at a time of the monotonic clock. Returns nil if it is refused.
        func submit(
            _ body: @escaping @Sendable () -> Void, at time: UInt64, hasPlace: Bool = false
        ) -> PoolJob? {
            guard isAccepting else { return nil }
            let isDue = time <= monotonicNanoseconds()
            return jobs.submit(
                to: self, at: time, isDue: isDue, hasPlace: hasPlace, unless: isClosed, body)
        }

        /// Calls a closure once, on the queue, when no job waits in it. Delayed jobs whose time has not come
        /// do not count, nor do jobs that came after the pool's shutdown began, which returns after the call.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, but never `.full`.
        public func notifyWhenEmpty(_ body: @escaping @Sendable () -> Void) throws(PoolError) {
            guard let position = takePosition() else { throw refusal(hasRoom: nil) }
            publish(HolderMessage { $0.whenEmpty(body) }, at: position)
        }

        /// True on a job of this queue, also within a `sync` on another queue that such a job calls, unless
        /// that is a ``ThreadBoundQueue``, whose thread runs the closure.
        public var isCurrent: Bool { RunFrame.contains(self) }

        /// Runs a closure as a job on the calling thread, behind the queue's waiting jobs. Returns its value.
        ///
        /// If the queue is idle, no thread is woken. Otherwise the calling thread is blocked until the jobs
        /// before have ended. The closure runs on the main actor if the caller does, and with the caller's
        /// task-local values.
        ///
        /// Traps if a job of this queue calls it, directly or within calls of `sync` on others, because it
        /// would wait for itself; and in the last of several calls whose queues would wait in a cycle.
        ///
        /// - Throws: ``PoolError`` as ``async(_:)``, but never `.full`, and the closure's error.
        public func sync<Result>(_ body: () throws -> Result) throws -> Result {
            let queue = try hold()
            queue.begin()
            do {
                let result = try queue.run { _ in try body() }
                queue.finish()
                queue.becomeIdle()?.makeReady()
                return result
            } catch {
                queue.finish()
                queue.becomeIdle()?.makeReady()
                throw error
            }
        }

        /// Makes the caller the queue's holder, when its turn has come.
        @inline(__always)
        private func hold() throws(PoolError) -> HeldQueue {
            let position = try takePositionOfCall()
            return SyncCall.withCall { call in
                let published = mailbox.publish(.call, (UInt(bitPattern: call), 0), at: position)
                if let receiver = published.receiver {
                    let queue = HeldQueue(self, receiver: receiver)
                    if let call = queue.take() { _ = call.intoParts() }
                    return queue
                }
                if let queue = claimLent() {
                    if queue.takeOwnCall(at: position) { return queue }
                    queue.makeReady()
                }
                return call.pointee.waitToHold(self, at: call)
            }
        }

        /// Takes the position of a call of `sync`. Traps if the caller holds the queue.
        func takePositionOfCall() throws(PoolError) -> UInt64 {
            guard let position = takePosition() else { throw refusal(hasRoom: nil) }
            require(
                !RunFrame.isHeldByThread(self),
                "sync on the queue \"\(label)\" was called by one of its own jobs and would wait for itself")
            return position
        }
    }
#endif
