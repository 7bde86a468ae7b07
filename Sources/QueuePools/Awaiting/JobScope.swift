/// Whether a job was cancelled, for the code that runs in it: a job asks as a task asks `Task.isCancelled`.
///
///     let sizes = try pool.start(qos: .utility) {
///         try files.map { file in
///             try JobScope.checkCancellation()
///             return try size(of: file)
///         }
///     }
///
/// A job is cancelled by ``PoolTask/cancel()`` or ``JobGroup/cancel()``, with a task that awaits it, at its
/// `finishBy`, or by a shutdown with ``Shutdown/RunningJobs/cancel``, which also cancels jobs of `async`.
/// `cancel()` of the ``PoolJob`` of a ``JobGroup``'s `async` does so, too, and of one that was submitted with
/// options to `any JobSubmitting`.
///
/// The static members concern the job that the calling thread runs: within a job that it runs while it waits
/// in a `sync`, that one; in the closure of a `sync`, the job that calls it; in the closure of
/// ``QueuePool/forEach(_:qos:chunk:_:)``, on all of its threads, the job or the task that called the loop.
/// They are false outside. In a `Task`, also one on the pool's threads, ask `Task.isCancelled`.
/// *Thread-safe.* The idea is Swift's `Task`.
public struct JobScope: Sendable {
    private let source: CancellationSource
    private let pool: AwaitedJobs?

    /// Whether the value of the job that the calling thread runs is no longer needed. O(1): some nanoseconds
    /// in a job of `start` or `run`.
    public static var isCancelled: Bool {
        if let source = CancellationSource.ofThread {
            return source._withUnsafeGuaranteedRef { $0.isCancelledOnItsThread }
        }
        guard let pool = RunFrame.pool, pool.isCancellingRunningJobs else { return false }
        return !isInTask
    }

    /// A task's step is no job, though it may run on the pool's threads.
    fileprivate static var isInTask: Bool { withCallersTask { $0 != nil } }

    /// Throws `CancellationError` if the job that the calling thread runs is cancelled.
    public static func checkCancellation() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }

    /// The scope of the job that the calling thread runs, to be passed to code that runs on other threads;
    /// nil outside of jobs and loops. It also says so if a job was cancelled when it had ended.
    public static var current: JobScope? {
        CancellationSource.ofJob.map { JobScope(source: $0, pool: $0.pool) }
    }

    /// Whether the job's value is no longer needed.
    public var isCancelled: Bool {
        source.isCancelled || pool?.isCancellingRunningJobs ?? false
    }

    /// Throws `CancellationError` if the job is cancelled.
    public func checkCancellation() throws(CancellationError) { if isCancelled { throw CancellationError() } }
}

/// An object that says whether what a thread runs was cancelled: an awaited job, or a task's loop.
///
/// A thread has one at a time (``ofThread``). Who runs a job within another saves it and restores it
/// afterwards, so it is exact for jobs that never suspend.
@usableFromInline
class CancellationSource: @unchecked Sendable {  // subclasses say what protects them
    /// Any thread.
    var isCancelled: Bool { false }

    /// The same on the thread that runs the job, with the cancellation of all jobs of its pool.
    var isCancelledOnItsThread: Bool { isCancelled }

    /// The jobs of the pool that runs the job, on the job's threads.
    var pool: AwaitedJobs? { nil }

    /// Is never cancelled.
    static let never = CancellationSource()

    /// That of the calling thread. The caller of ``on(_:_:)`` retains it.
    fileprivate(set) static var ofThread: Unmanaged<CancellationSource>? {
        get { ThreadValues.scope.map { .fromOpaque($0) } }
        set { ThreadValues.scope = newValue?.toOpaque() }
    }

    /// That of the job that the calling thread runs, for other threads: its own, or its pool's. Nil outside
    /// of jobs and loops.
    static var ofJob: CancellationSource? {
        if let source = ofThread { return source.takeUnretainedValue() }
        return RunFrame.pool.flatMap { JobScope.isInTask ? nil : $0 }
    }

    /// Calls a closure during which the calling thread has a source, or none.
    @inline(__always)
    static func with<Result: ~Copyable>(
        _ source: Unmanaged<CancellationSource>?, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = ofThread
        ofThread = source
        defer { ofThread = outer }
        return try body()
    }
}
