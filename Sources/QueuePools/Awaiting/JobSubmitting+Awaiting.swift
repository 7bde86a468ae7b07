/// Jobs whose values can be awaited, for every pool.
extension JobSubmitting {
    /// Submits a job before it returns, and returns a handle whose value can be awaited.
    ///
    /// Jobs of equal keys run in the order of the calls; without a key the job is unordered. If the tier is
    /// full, the job waits until there is room, in the order of the calls: the handle is there, and
    /// the caller continues. To slow the caller down, call `startWhenAccepted`.
    ///
    /// The closure asks `JobScope.isCancelled` whether its value is still needed.
    ///
    /// - Parameters:
    ///   - qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``; outside of a
    ///     task that of the job that calls this, or `.default`.
    ///   - key: only its hash value is kept. Default: nil, the job is unordered.
    ///   - label: names the job for ``QueuePool/activity(of:)`` and ``RunningJob``. Default: nil.
    ///   - whenFull: whether it waits for room if the tier is full. Default: `.wait`. Without effect for a
    ///     job with a delay, which takes no place before its time, and then takes one in any case.
    ///   - delay: how long the job waits at least, from now on; zero or less counts as none. When the time
    ///     has come, it goes before the jobs that wait, on worker queues. Default: nil.
    ///   - time: when the job may begin, if that is later. A time that has passed counts as none. Default:
    ///     nil.
    ///   - startBy: if the job has not begun by then, it ends, and ``PoolTask/value`` throws ``PoolError``
    ///     (`.expired`). Default: nil, it may begin at any time.
    ///   - finishBy: if the job has not begun by then, it ends as with `startBy`, also if its delay is
    ///     longer; if it runs, its ``JobScope`` says that it is cancelled, and its value counts whenever it
    ///     comes. Default: nil. Instants are turned into delays in this call; while the machine sleeps, these
    ///     stand still.
    ///   - onEnd: is called once when the job has ended, with the value, or the error that ``PoolTask/value``
    ///     throws to tasks that are not cancelled: on the thread that has run the job, or has ended it, with
    ///     the task-local values that the pool carries. Tasks that await the job continue afterwards. It must
    ///     not block: while 16 closures block of jobs that ended at their `startBy` or `finishBy`, no other
    ///     job of the process ends at its time. Not called if `start` throws. Default: nil.
    ///   - body: the closure. Released when it has returned.
    /// - Throws: ``PoolError`` as ``QueuePool/async(qos:_:)``; `.expired` if a time has passed already.
    /// - Complexity: O(1), and O(log *n*) in the number of delays and deadlines.
    @inlinable @discardableResult
    public func start<Value: Sendable, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) throws(PoolError) -> PoolTask<Value> {
        let options = JobOptions(
            qos: qos, keyHash: key?.hashValue, label: label, whenFull: whenFull, after: delay, at: time,
            startBy: startBy, finishBy: finishBy, isAwaited: false)
        let task = PoolTask(options, onEnd: onEnd, body)
        try pass(task.job)
        return task
    }

    /// Submits a job in the call, waits until the job is accepted, and returns its handle: a producer
    /// is slowed down to the pace of the tier, and jobs of equal keys stay in order.
    ///
    ///     for file in files {
    ///         let picture = try await pool.startWhenAccepted(qos: .utility, key: file) { try decode(file) }
    ///         pictures.append(picture)
    ///     }
    ///
    /// - Parameters: as `start`. A job with a delay is accepted immediately.
    /// - Throws: ``PoolError`` as `start`, and if the job has ended before it was accepted;
    ///   `CancellationError` if the task was cancelled, and so the job.
    @inlinable @discardableResult
    nonisolated(nonsending) public func startWhenAccepted<Value: Sendable, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> PoolTask<Value> {
        try Task.checkCancellation()
        return try await start(
            qos: qos, key: key, label: label, whenFull: whenFull, after: delay, at: time, startBy: startBy,
            finishBy: finishBy, onEnd: onEnd, body
        ).accepted()
    }

    /// Runs a closure as a job of a tier, and returns its value: `start` and ``PoolTask/value`` in one call.
    /// The job is submitted in the call, on the caller's executor, before the task is suspended.
    ///
    ///     let size = try await pool.run(qos: .utility) { try measure(text) }
    ///
    /// Cancelling the task takes the job off its queue if it has not begun: the closure is released, and this
    /// throws `CancellationError`. If it has begun, it runs to its end; `JobScope.isCancelled` says that it
    /// is cancelled.
    ///
    /// Beside it: a task that prefers the pool's executor,
    /// `Task(executorPreference: pool.taskExecutor(for: .utility))`.
    ///
    /// | | `async` | `start`, `run` | such a task |
    /// |---|---|---|---|
    /// | order | of submission, with a key | of the calls, with a key | of its own steps |
    /// | bound | refused if full | refused, waits, or both | none |
    /// | cancelled before it begins | `PoolJob` | `PoolTask`, or with the task that awaits it | it begins |
    /// | cancelled after that | by a shutdown or group | `JobScope` | `Task.isCancelled` |
    /// | task-local values | those that the pool carries | those that the pool carries | yes |
    /// | a task's priority | no | no | yes |
    /// | the priority rises while it waits | – | it moves, without a key | steps that wait stay |
    /// | its value | no | yes | yes |
    /// | cost | least | some 0.5 µs more | a task |
    ///
    /// A job sees no task of the program's: `Task.isCancelled` is false there, `Task.currentPriority` says
    /// nothing, and a `Task` that it makes runs on the default executor. ``QoSTier/current`` is the job's
    /// tier.
    ///
    /// - Parameters: as `start`.
    /// - Returns: the closure's value.
    /// - Throws: as `start` and ``PoolTask/value``.
    @inlinable
    nonisolated(nonsending) public func run<Value: Sendable, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let options = JobOptions(
            qos: qos, keyHash: key?.hashValue, label: label, whenFull: whenFull, after: delay, at: time,
            startBy: startBy, finishBy: finishBy, isAwaited: true)
        let task = PoolTask(options, body)
        try pass(task.job)
        return try await task.value
    }

    /// Runs a closure as a job of a tier, as `run`, and hands over its value, which need not be `Sendable`:
    /// the compiler checks that the job keeps no reference to it.
    ///
    ///     let document = try await pool.run(qos: .utility) { try Parser(file).document() }
    ///     document.title = "Draft"  // an object that is not thread-safe, and now this task's alone
    ///
    /// - Parameters: as `start`.
    /// - Throws: as `run`.
    @inlinable
    nonisolated(nonsending) public func run<Value, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable () throws -> sending Value
    ) async throws -> sending Value {
        try Task.checkCancellation()
        let options = JobOptions(
            qos: qos, keyHash: key?.hashValue, label: label, whenFull: whenFull, after: delay, at: time,
            startBy: startBy, finishBy: finishBy, isAwaited: true)
        let outcome = JobOutcome<Value>()
        let job = AwaitedJob(options) { outcome.run(body) }
        try pass(job)
        return try await outcome.take(after: job)
    }

    /// Passes a new job to ``start(_:)``, which may be the program's.
    @inlinable @inline(__always)
    func pass(_ job: AwaitedJob) throws(PoolError) {
        try start(JobRequest(job))
        job.checkPassed()
    }
}
