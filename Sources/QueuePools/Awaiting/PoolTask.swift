import Dispatch

/// A job that was submitted, and whose value can be awaited.
///
///     let thumbnail = try pool.start(qos: .utility) { try scaled(picture) }
///     show(try await thumbnail.value)
///
/// Dropping the handle changes nothing; the job runs. The handle retains the pool. *Thread-safe.*
public struct PoolTask<Value: Sendable>: Sendable {
    @usableFromInline let job: AwaitedJob
    @usableFromInline let outcome: JobOutcome<Value>

    @inlinable
    init(
        _ options: JobOptions, onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
        _ body: @escaping @Sendable () throws -> Value
    ) {
        let outcome = JobOutcome<Value>()
        self.init(AwaitedJob(options) { outcome.run { try body() } }, outcome)
        if let onEnd { job.tellEnd { error in onEnd(Result { try outcome.get(after: error) }) } }
    }

    @usableFromInline
    init(_ job: AwaitedJob, _ outcome: JobOutcome<Value>) {
        self.job = job
        self.outcome = outcome
    }

    /// The value of the job's closure. Any number of tasks can await it.
    ///
    /// Cancelling a task that awaits it cancels the job, see ``cancel()``. On Linux, if the task's priority
    /// rises above that of the submission while the job waits, a job without a key moves to the tier of the
    /// new priority, before the unordered jobs that wait there (SE-0462).
    ///
    /// - Throws: the closure's error; `CancellationError` if the awaiting task was cancelled, and so the job
    ///   before it began; ``PoolError`` if the pool or another task ended the job, or a stage, before it
    ///   began: `.cancelled`, `.expired`, `.shutDown`, `.noThread`.
    nonisolated(nonsending) public var value: Value {
        @inlinable get async throws {
            await job.waitUntilEnded()
            try job.checkEnd()
            return try outcome.get(after: nil)
        }
    }

    /// The same, when the job is accepted. Throws if it has ended before.
    @usableFromInline
    nonisolated(nonsending) func accepted() async throws -> Self {
        await job.waitUntilAdmitted()
        try job.checkEnd()
        return self
    }

    /// Takes the job off its queue if it has not begun: it never runs, its closure is released before this
    /// returns, and ``value`` throws ``PoolError`` (`.cancelled`). If it runs, its ``JobScope`` says that it
    /// is cancelled.
    ///
    /// - Returns: true if this call ended it; false if it has begun, or has ended.
    @discardableResult
    public func cancel() -> Bool { job.cancel() }
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

    /// The value of a job that has ended.
    ///
    /// - Parameter endError: why it has ended without a value; nil if it has run.
    @inlinable
    func get(after endError: PoolError?) throws -> Value where Value: Sendable {
        if let error = endError ?? error { throw error }
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

extension QueuePool: AwaitedJobTarget {
    /// Submits a job whose value can be awaited. Code that submits calls `start`.
    public func start(_ request: JobRequest) throws(PoolError) {
        guard let release = request.job.takeRelease() else { return try request.job.submit(to: self) }
        guard !isForkedChild else { return release() }
        withPartition(of: .background) { $0.submit(release: release) }
    }

    var hasTiers: Bool { true }
    func parallelism(on tier: QoSTier) -> Int { max(queueCount(of: tier), threadCounts[tier.rawValue]) }
    var subject: PoolError.Subject { .pool(label: label) }

    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    func accounting(on tier: QoSTier) -> TierAccounting? { withTier(tier) { $0.accounting } }

    func waitsForThreadOnly(on tier: QoSTier, keyHash: Int?) -> Bool {
        withTier(tier) { $0.waitsForThreadOnly(keyHash: keyHash) }
    }

    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    func place(_ body: @escaping @Sendable () -> Void, at place: JobDestination) -> PoolJob? {
        withTier(place.tier) { tier in
            guard let begin = place.begin else {
                return tier.submit(body, keyHash: place.keyHash, because: place.reason)
            }
            return tier.submit(body, keyHash: place.keyHash, at: begin)
        }
    }
}
