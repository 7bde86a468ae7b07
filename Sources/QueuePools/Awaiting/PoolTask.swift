import Dispatch

/// A job that was submitted, and whose value can be awaited.
///
///     let thumbnail = try pool.start(qos: .utility) { scope in try scaled(picture, whileNot: scope) }
///     show(try await thumbnail.value)
///
/// Dropping the handle changes nothing; the job runs. The handle retains the pool. *Thread-safe.*
public struct PoolTask<Value: Sendable>: Sendable {
    @usableFromInline let job: AwaitedJob
    @usableFromInline let outcome = JobOutcome<Value>()

    @inlinable
    init(_ options: JobOptions, _ body: @escaping @Sendable (JobScope) throws -> Value) {
        job = AwaitedJob(options) { [outcome] scope in outcome.run { try body(scope) } }
    }

    /// The value of the job's closure. Any number of tasks can await it.
    ///
    /// Cancelling a task that awaits it cancels the job, see ``cancel()``. On Linux, if the task's priority
    /// rises above that of the submission while the job waits, a job without a key moves to the tier of the
    /// new priority, before the unordered jobs that wait there (SE-0462).
    ///
    /// - Throws: the closure's error; `CancellationError` if the awaiting task was cancelled, and so the job
    ///   before it began; ``PoolError`` if the pool or another task ended the job before it began:
    ///   `.cancelled`, `.expired`, `.shutDown`.
    nonisolated(nonsending) public var value: Value {
        @inlinable get async throws {
            await job.waitUntilEnded()
            try job.checkEnd()
            return try outcome.get()
        }
    }

    /// Takes the job off its queue if it has not begun: it never runs, its closure is released before this
    /// returns, and ``value`` throws ``PoolError`` (`.cancelled`). If it runs, its ``JobScope`` says that it
    /// is cancelled.
    ///
    /// - Returns: true if this call ended it; false if it has begun, or has ended.
    @discardableResult
    public func cancel() -> Bool { job.cancel() }
}

/// Whether a job was cancelled, for its closure. *Thread-safe*, and useless when the job has ended.
public struct JobScope: Sendable {
    private let job: AwaitedJob

    @usableFromInline
    init(of job: AwaitedJob) { self.job = job }

    /// Whether no caller needs the value any more: a task that awaits it was cancelled, or the job was
    /// (``PoolTask/cancel()``). One atomic load.
    public var isCancelled: Bool { job.isCancelled }

    /// Throws `CancellationError` if the job ``isCancelled``.
    public func checkCancellation() throws(CancellationError) { if isCancelled { throw CancellationError() } }
}

/// How a call proceeds if as many jobs wait as the tier's ``QueuePoolConfiguration/capacity`` allows.
public struct FullTierPolicy: Hashable, Sendable, CustomStringConvertible {
    /// How many calls may be suspended; nil for any number.
    let limit: Int?

    /// The call throws ``PoolError`` (`.full`).
    public static let `throw` = FullTierPolicy(limit: 0)

    /// The call is suspended until there is room. Calls are placed in the order in which they came.
    public static let suspend = FullTierPolicy(limit: nil)

    /// The call is suspended, unless so many of the tier are already: then it throws ``PoolError`` (`.full`).
    ///
    /// - Parameter count: zero or more, otherwise the call throws ``PoolError`` (`.invalidCapacity`).
    public static func suspend(atMost count: Int) -> FullTierPolicy { FullTierPolicy(limit: count) }

    /// A text for people, for example "suspend at most 5"; its form may change.
    public var description: String {
        switch limit {
        case nil: "suspend"
        case 0: "throw"
        case let limit?: "suspend at most \(limit)"
        }
    }

    func validate() throws(PoolError) {
        guard let limit, limit < 0 else { return }
        throw PoolError(.invalidCapacity, "zero or more calls can be suspended; \(limit) was asked for")
    }
}

/// How a job is submitted, beyond its closure.
@usableFromInline
struct JobOptions: Sendable {
    @usableFromInline var qos: QoSTier?
    /// The hash value of the key whose queue runs the job, which then stays on its tier.
    @usableFromInline var keyHash: Int?
    @usableFromInline var label: String?
    @usableFromInline var whenFull: FullTierPolicy
    /// Since ``clockStart``: an instant's size is known at run time only, which makes each copy a call.
    @usableFromInline var deadline: Duration?
    /// Whether the calling task awaits it next.
    @usableFromInline var isAwaited: Bool

    @inlinable
    init(
        qos: QoSTier?, keyHash: Int?, label: String?, whenFull: FullTierPolicy,
        deadline: ContinuousClock.Instant?, isAwaited: Bool
    ) {
        self.qos = qos
        self.keyHash = keyHash
        self.label = label
        self.whenFull = whenFull
        self.deadline = deadline.map { Self.clockStart.duration(to: max($0, Self.clockStart)) }
        self.isAwaited = isAwaited
    }

    @usableFromInline static let clockStart = ContinuousClock.now

    static var now: Duration { clockStart.duration(to: .now) }
}

/// The value or error of a job's closure. Inlined at submission, so that no type is looked up.
@usableFromInline
final class JobOutcome<Value>: @unchecked Sendable {  // the end, under AwaitedJob's lock, orders both
    // Two variables, because releasing a `Result` would look up its type.
    @usableFromInline var value: Value?
    @usableFromInline var error: (any Error)?

    @inlinable
    init() {}

    @inlinable
    func run(_ body: () throws -> sending Value) {
        do { value = try body() } catch { self.error = error }
    }

    @inlinable
    func get() throws -> Value where Value: Sendable {
        if let error { throw error }
        return value.unsafelyUnwrapped
    }

    /// Hands the value over when the job has ended, once.
    @inlinable
    nonisolated(nonsending) func take(after job: AwaitedJob) async throws -> sending Value {
        await job.waitUntilEnded()
        try job.checkEnd()
        if let error { throw error }
        return value.take().unsafelyUnwrapped
    }
}

/// A job on its way to a pool, for pools that pass it on to another: once, before their `start` returns, or
/// again if it was refused. Starting it twice traps.
public struct JobRequest: Sendable {
    @usableFromInline let job: AwaitedJob

    @inlinable
    init(_ job: AwaitedJob) { self.job = job }
}

extension QueuePool: AwaitedJobTarget {
    /// Submits a job whose value can be awaited. Code that submits calls `start`.
    public func start(_ request: JobRequest) throws(PoolError) { try request.job.submit(to: self) }

    var hasTiers: Bool { true }
    var subject: PoolError.Subject { .pool(label: label) }

    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    func accounting(on tier: QoSTier) -> TierAccounting? { withTier(tier) { $0.accounting } }

    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    func place(
        _ body: @escaping @Sendable () -> Void, on tier: QoSTier, keyHash: Int?, because: SubmissionReason
    ) -> PoolJob? {
        withTier(tier) { $0.submit(body, keyHash: keyHash, because: because) }
    }
}

#if os(Linux)
    extension WorkerQueue: AwaitedJobTarget {
        /// Submits a job of the queue before it returns, and returns a handle whose value can be awaited.
        /// Parameters and errors as those of ``JobSubmitting``'s `start`.
        @inlinable @discardableResult
        public func start<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable (JobScope) throws -> Value
        ) throws(PoolError) -> PoolTask<Value> {
            let options = JobOptions(
                qos: nil, keyHash: nil, label: label, whenFull: whenFull, deadline: startBy, isAwaited: false)
            let task = PoolTask(options, body)
            try submit(task.job)
            return task
        }

        /// Submits a job of the queue before it returns, as `start`.
        @inlinable @discardableResult
        public func start<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () throws -> Value
        ) throws(PoolError) -> PoolTask<Value> {
            try start(label: label, whenFull: whenFull, startBy: startBy) { (_: JobScope) in try body() }
        }

        /// Runs a closure as a job of the queue, behind the jobs that wait in it, and returns its value, as
        /// ``JobSubmitting``'s `run`.
        @inlinable
        nonisolated(nonsending) public func run<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable (JobScope) throws -> Value
        ) async throws -> Value {
            try Task.checkCancellation()
            return try await start(label: label, whenFull: whenFull, startBy: startBy, body).value
        }

        /// Runs a closure as a job of the queue, as `run`.
        @inlinable
        nonisolated(nonsending) public func run<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            try await run(label: label, whenFull: whenFull, startBy: startBy) { (_: JobScope) in try body() }
        }

        /// Runs a job of the queue, as `run`, and hands over its value, which need not be `Sendable`.
        @inlinable
        nonisolated(nonsending) public func run<Value>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil,
            _ body: @escaping @Sendable (JobScope) throws -> sending Value
        ) async throws -> sending Value {
            try Task.checkCancellation()
            let options = JobOptions(
                qos: nil, keyHash: nil, label: label, whenFull: whenFull, deadline: startBy, isAwaited: false)
            let outcome = JobOutcome<Value>()
            let job = AwaitedJob(options) { scope in outcome.run { try body(scope) } }
            try submit(job)
            return try await outcome.take(after: job)
        }

        /// Runs a job of the queue, as `run`, and hands over its value, which need not be `Sendable`.
        @inlinable
        nonisolated(nonsending) public func run<Value>(
            label: String? = nil, whenFull: FullTierPolicy = .suspend,
            startBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () throws -> sending Value
        ) async throws -> sending Value {
            try await run(label: label, whenFull: whenFull, startBy: startBy) { (_: JobScope) in try body() }
        }

        @usableFromInline
        func submit(_ job: AwaitedJob) throws(PoolError) { try job.submit(to: self) }

        var hasTiers: Bool { false }
        var subject: PoolError.Subject { .queue(label: label) }
        var awaited: AwaitedJobs? { jobs.accounting?.awaited }

        func accounting(on _: QoSTier) -> TierAccounting? { jobs.accounting }

        func place(
            _ body: @escaping @Sendable () -> Void, on _: QoSTier, keyHash _: Int?, because: SubmissionReason
        ) -> PoolJob? {
            submit(body, since: because.calledAt)
        }
    }
#endif
