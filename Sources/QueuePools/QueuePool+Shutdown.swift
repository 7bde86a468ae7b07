import Dispatch
import Synchronization

// Two names, since at the top level of `main.swift` the compiler prefers a synchronous method to an asynchronous one of
// the same name, also behind `await` (decision 12).
extension QueuePool {
    /// Stops intake and returns when every job accepted so far has run or was cancelled, without blocking a
    /// thread. Delayed jobs whose time has not come are cancelled. Synchronous code calls ``shutdownBlocking()``.
    ///
    ///     // On SIGTERM: ten seconds for what has begun, nothing for what waits.
    ///     guard await pool.shutdown(cancellingWaiting: true, timeLimit: .seconds(10)) else { exit(1) }
    ///
    /// Later calls of `async` throw ``PoolError`` (`.shutDown`); of submissions that race with this call,
    /// each is either refused or waited for. Tasks and actors that began on the pool's executors may continue:
    /// their next steps run, but are not waited for. A `DispatchQueue` that was handed out is the caller's own
    /// and stays usable; a ``WorkerQueue`` refuses `async` from then on and takes only `enqueue`. Every call,
    /// from any number of threads and of both forms, returns at the same end, or at its own time limit.
    ///
    /// - Parameters:
    ///   - cancellingWaiting: whether jobs that have not begun are cancelled: their closures are released when their turn
    ///     comes, those of `run` throw `CancellationError`. What `enqueue` has put on a queue runs. Default: no; they run.
    ///   - timeLimit: how long this call waits at most; jobs run on after it. Default: without limit.
    /// - Returns: whether all jobs had ended when this returned.
    @discardableResult
    public func shutdown(cancellingWaiting: Bool = false, timeLimit: Duration? = nil) async -> Bool {
        if cancellingWaiting { cancelWaiting() }
        return await withCheckedContinuation { continuation in
            guard let timeLimit else { return close { continuation.resume(returning: true) } }
            let isOver = Once()
            close { if isOver.claim() { continuation.resume(returning: true) } }
            // Beyond a century Dispatch's clock would overflow.
            let (seconds, attoseconds) = min(max(timeLimit, .zero), .seconds(3_000_000_000)).components
            let nanoseconds = Int(attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .seconds(Int(seconds)) + .nanoseconds(nanoseconds)
            ) {
                if isOver.claim() { continuation.resume(returning: false) }
            }
        }
    }

    private final class Once: Sendable {
        private let isClaimed = Atomic<Bool>(false)

        func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }
    }

    /// Stops intake and blocks the calling thread until every job accepted so far has run or was cancelled.
    /// Otherwise as ``shutdown()``.
    ///
    /// Traps in a job of the pool, which would wait for itself, and in a step of a task or an actor on the pool's
    /// executors, which runs on a queue of the pool. Jobs of two pools that shut each other's pool down wait for each other;
    /// that is not detected. In a child that a `fork` made, it returns at once.
    @available(*, noasync, message: "in asynchronous code, write 'await pool.shutdown()'")
    public func shutdownBlocking() {
        // Before anything else: of the Swift runtime's own locks, too, some may be held by threads that remained in the
        // parent.
        guard currentForkCount() == forkCount else { return }
        precondition(
            !isCurrent,
            "shutdownBlocking() of the pool \"\(label)\" was called by one of its jobs and would wait for it")
        let drained = DispatchSemaphore(value: 0)
        close { drained.signal() }
        drained.wait()
    }
}
