#if os(Linux)
    /// A serial queue of the package's own engine, whose jobs are run by the threads of a pool's tier.
    /// *Thread-safe.*
    ///
    ///     let queue = try WorkerQueue(label: "decoder")
    ///     let job = try queue.async { decode() }
    ///     job.cancel()
    ///     let size = try queue.sync { frame.size }
    ///
    /// Jobs run one at a time, in the order of submission. Which of the tier's threads runs one differs from
    /// job to job. What needs a thread of its own uses a ``ThreadBoundQueue``.
    ///
    /// A tier has a fixed number of queues, which the pool returns (``QueuePool/queue(for:)``). Any number of
    /// others can be made on its threads (``QueuePool/makeQueue(label:qos:)``), one for each connection,
    /// document or actor: an idle one takes less than 512 bytes, some 64 more with a ``JobObservation``, and
    /// no thread. A job of such a queue begins as an unordered job of the tier does; when 64 of its jobs have
    /// run, or a few milliseconds have passed, other work has its turn.
    ///
    /// A queue is no `JobSubmitting`: groups, pipelines and `map` are for pools, whose jobs of equal keys
    /// keep their order as a queue's do. Its time is the system's. Code that a test is to drive with virtual
    /// time takes `any JobSubmitting`, such as a `ManualPool`, and a key in place of the queue.
    ///
    /// It is also an executor: of tasks (`Task(executorPreference: queue)`), and of an actor that retains the
    /// queue and returns `queue.asUnownedSerialExecutor()` as its `unownedExecutor`.
    ///
    /// Dropping the last reference loses nothing: submitted jobs run, delayed ones at their time.
    public final class WorkerQueue: SerialQueue, CustomStringConvertible, Sendable {
        let core: EngineQueue

        /// The queue's name.
        public var label: String { core.label }

        /// The label.
        public var description: String { label }

        /// Makes a queue on the threads of `WorkerQueuePool.shared`, the pool of the process; otherwise as
        /// ``QueuePool/makeQueue(label:qos:)``.
        ///
        /// - Parameters:
        ///   - label: not empty, no NUL.
        ///   - qos: the tier. Default: `.default`.
        /// - Throws: ``PoolError`` (`.invalidLabel`).
        public convenience init(label: String, qos: QoSTier = .default) throws(PoolError) {
            self.init(try WorkerQueuePool.shared.makeMadeQueue(label: label, qos: qos))
        }

        init(_ core: EngineQueue) { self.core = core }

        deinit { keepEndedExecutor(self) }

        /// Submits a job and returns immediately.
        ///
        /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
        /// - Throws: ``PoolError``: `.full` beyond the capacity; `.noThread` if the system has no thread, and
        ///   the pool's tier has none either; `.shutDown` after the pool's shutdown; `.forked` in a child
        ///   that was forked after the first pool or queue was made.
        @discardableResult
        public func async(_ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob {
            let hasRoom = core.takeRoom()
            guard hasRoom, let job = core.submit(core.carried(consume body), since: nil) else {
                throw core.refusal(hasRoom: hasRoom)
            }
            return job
        }

        /// Submits a job that cannot be cancelled and is never refused: the cheapest way. While the system
        /// has no thread for the queue, the job waits. Blocks only while the process has no thread that makes
        /// threads. Traps in a forked child.
        public func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
            core.enqueue(core.carried(consume job))
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
            let body = labelled(label, body)
            guard let begin = JobBegin(after: delay, at: time) else { return try async(body) }
            // Only a job that is due needs a place now.
            let hasRoom = begin.isDue ? core.takeRoom() : nil
            guard hasRoom != false,
                let job = core.submit(
                    core.carried(body), at: begin.deadline(of: PoolTime(clock: nil)),
                    hasPlace: hasRoom == true)
            else { throw core.refusal(hasRoom: hasRoom) }
            return job
        }

        /// True on a job of this queue, also within a `sync` on another queue that such a job calls, unless
        /// that is a ``ThreadBoundQueue``, whose thread runs the closure.
        public var isCurrent: Bool { RunFrame.contains(core) }

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
            let role = try core.hold()
            do {
                let result = try RunFrame.around(.passUnretained(core), .call) { try body() }
                core.endHold(role)
                return result
            } catch {
                core.endHold(role)
                throw error
            }
        }
    }

    extension WorkerQueue: ContextFreeQueue {}

    extension WorkerQueue: IdleReporting {
        var isIdle: Bool { core.isIdle }
        var group: WorkerGroup { core.group }
        var refusalCode: PoolError.Code { core.refusalCode }
    }

    extension QueuePool where Queue == WorkerQueue {
        /// Makes a serial queue on the threads of a tier, beside the tier's own queues: any number of them.
        /// An idle one takes less than 512 bytes, and those of a label of more than 15 bytes; with a
        /// ``JobObservation`` some 64 more.
        ///
        ///     let queue = try pool.makeQueue(label: "connection 7", qos: .utility)
        ///
        /// It promises what the tier's queues do, order, `sync`, cancellation, capacity, statistics,
        /// shutdown, and so on, with two differences. A submission holds a lock for some instructions, so it
        /// may wait for a thread that was interrupted there. An observer's signposts are those of the tier's
        /// unordered jobs.
        ///
        /// The queue lives as long as the program retains it or it has jobs; it need not retain the pool. On
        /// several NUMA nodes it runs on the caller's. A `ManualPool` makes no queues: code to be tested with
        /// one takes `any JobSubmitting`, and a key in place of the queue.
        ///
        /// - Parameters:
        ///   - qos: the tier.
        ///   - label: not empty, no NUL. Need not be unique.
        /// - Returns: the queue. After `shutdown()` it takes only `enqueue`, and steps of tasks and actors.
        /// - Throws: ``PoolError`` (`.invalidLabel`).
        /// - Complexity: O(1), except when the tier is first used.
        public func makeQueue(label: String, qos: QoSTier) throws(PoolError) -> WorkerQueue {
            WorkerQueue(try makeMadeQueue(label: label, qos: qos))
        }

        fileprivate func makeMadeQueue(label: String, qos: QoSTier) throws(PoolError) -> MadeQueue {
            try PoolError.checkLabel(label)
            let group = withPartition(of: qos) { ($0 as? WorkerPartition)?.group }
            guard let group else {
                fatalError("makeQueue: the program makes the queues of the pool \"\(self.label)\"")
            }
            return MadeQueue(label: label, on: group)
        }
    }
#endif
