import Dispatch
import Locks
import Synchronization

#if os(Linux)
    import CLinuxThreads
#endif

/// What a shutdown of a ``QueuePool`` does.
public enum Shutdown {
    /// What becomes of jobs that have not begun.
    public enum WaitingJobs: Hashable, Sendable {
        /// They run.
        case run
        /// They are cancelled: those whose value is awaited immediately, the others when their turn comes.
        case cancel
    }

    /// What becomes of tasks on the executors that ``QueuePool/taskExecutor(for:)`` returned.
    public enum Tasks: Hashable, Sendable {
        /// They may continue.
        case leave
        /// The shutdown waits until all of these executors are released, and so their tasks have ended.
        case await
    }
}

// Two names: at the top level of `main.swift` the compiler prefers a synchronous method (decision 12).
extension QueuePool {
    /// Stops intake and returns when every accepted job has run or was cancelled, without blocking a thread.
    /// Delayed jobs whose time has not come are cancelled. Synchronous code calls ``shutdownBlocking()``.
    ///
    ///     // On SIGTERM: ten seconds for the jobs that have begun, none for those that wait.
    ///     do { try await pool.shutdown(waitingJobs: .cancel, timeLimit: .seconds(10)) } catch { exit(1) }
    ///
    /// Later calls of `async`, `start` and `run` throw ``PoolError`` (`.shutDown`), as do calls that are
    /// suspended; a submission that races with this call is refused or waited for, or, of a delayed job,
    /// cancelled, perhaps a moment after the return. Tasks and actors that began on the pool's executors may
    /// continue; a step of theirs that runs now may be waited for. A `DispatchQueue` that the pool has
    /// returned stays usable; a ``WorkerQueue`` takes only `enqueue`. All calls, of both forms, return at the
    /// same end, unless they throw before.
    ///
    /// The threads of worker queues have ended by then, and are joined, unless they run steps of tasks or
    /// actors. What comes later gets a thread for itself, which ends afterwards.
    ///
    /// - Parameters:
    ///   - waitingJobs: whether jobs that have not begun run. If not, ``PoolTask/value`` and `run` throw
    ///     ``PoolError`` (`.shutDown`) immediately. Jobs of `enqueue` run. Default: `.run`.
    ///   - tasks: whether this also waits for tasks. If so, the program must not retain an executor of the
    ///     pool; this traps in such a task, which would wait for itself. Default: `.leave`.
    ///   - timeLimit: how long this call waits at most. Default: without limit.
    /// - Throws: ``PoolError`` (`.timeLimit`) at the limit, and `CancellationError` if the calling task is
    ///   cancelled. The shutdown continues in both cases, and another call waits for its end.
    public func shutdown(
        waitingJobs: Shutdown.WaitingJobs = .run, tasks: Shutdown.Tasks = .leave, timeLimit: Duration? = nil
    ) async throws {
        require(
            tasks == .leave || !isCurrent,
            """
            shutdown(tasks: .await) of the pool "\(label)" was called by one of its tasks and would wait for it
            """)
        guard !isForkedChild else { return }
        if waitingJobs == .cancel { cancelWaiting() }
        let wait = ShutdownWait()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait.begin(continuation)
                let drained = { @Sendable [self] in
                    if areThreadsEnded.load(ordering: .acquiring) || partitions.isEmpty { return wait.end() }
                    // Of the calls that wait no more, one ends the threads.
                    guard !wait.hasEnded || ending.claim() else { return }
                    // Now, because the system may have no other thread until one of these has ended.
                    for partition in partitions { partition.endThreads(joining: false) }
                    // Elsewhere, because this may be a thread of the pool.
                    runElsewhere { [self] in
                        endThreads()
                        wait.end()
                    }
                }
                close { [executors] in
                    if tasks == .await { executors.whenUnused(drained) } else { drained() }
                }
                guard let timeLimit, !wait.hasEnded else { return }
                let error = PoolError(.timeLimit, by: subject)
                // Elsewhere, as the end of an awaited job at its time (``AwaitedJob``), if there is a thread.
                wait.keep(
                    call(after: timeLimit) { runElsewhere(isUrgent: true) { wait.end(throwing: error) } })
            }
        } onCancel: {
            wait.end(throwing: CancellationError())
        }
    }

    /// Stops intake and blocks the calling thread until every accepted job has run or was cancelled.
    /// Otherwise as ``shutdown(waitingJobs:tasks:timeLimit:)``.
    ///
    /// Traps in a job of the pool, and in a step of a task or an actor on its executors. Jobs of two pools
    /// that shut each other's pool down wait for each other. Returns immediately in a child of a `fork`.
    @available(*, noasync, message: "in asynchronous code, write 'try await pool.shutdown()'")
    public func shutdownBlocking() {
        guard !isForkedChild else { return }
        require(
            !isCurrent,
            "shutdownBlocking() of the pool \"\(label)\" was called by one of its jobs and would wait for it")
        let drained = DispatchSemaphore(value: 0)
        close { drained.signal() }
        drained.wait()
        endThreads()
    }

    /// Closes the intake and calls `body` when all that was accepted has ended.
    func close(whenDrained body: @escaping @Sendable () -> Void) {
        let tiers = construction.withLock { _ -> [TierQueues<Queue>]? in
            guard closing.claim() else { return nil }
            undrained.enter()
            return published.all
        }
        undrained.whenUnused(body)
        guard let tiers else { return }
        for tier in tiers {
            for intake in tier.allPartitions.flatMap(\.intakes) {
                undrained.enter()
                intake.close { [undrained] in undrained.leave() }
            }
            tier.capacity?.resumeAll()
        }
        undrained.leave()
    }

    func cancelWaiting() {
        // First, so that no queue drops an awaited job, which would not know why.
        awaitedJobs.endAll()
        for intake in partitions.flatMap(\.intakes) { intake.cancelWaiting() }
    }

    /// Ends the pool's threads, and joins those that run no steps of tasks and actors. Blocks for a moment.
    private func endThreads() {
        for isJoining in [false, true] {
            for partition in partitions { partition.endThreads(joining: isJoining) }
        }
        areThreadsEnded.store(true, ordering: .releasing)
    }

    private var isCurrent: Bool { partitions.contains(where: \.isCurrent) }

    private var partitions: [NodePartition<Queue>] { published.all.flatMap(\.allPartitions) }
}

/// A task that waits for the end of a shutdown.
private final class ShutdownWait: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>, timer: PoolJob?)
        case ended(Result<Void, any Error>)
    }

    private let state = Lock(State.new)

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation, timer: nil)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Keeps a timer until the end.
    func keep(_ timer: PoolJob?) {
        let isKept = state.withLock { state in
            guard case .waiting(let continuation, _) = state else { return false }
            state = .waiting(continuation, timer: timer)
            return true
        }
        if !isKept { timer?.cancel() }
    }

    /// Ends the wait, once.
    func end(throwing error: (any Error)? = nil) {
        let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let before = state.withLock { state in
            let before = state
            if case .ended = before { return before }
            state = .ended(result)
            return before
        }
        guard case .waiting(let continuation, let timer) = before else { return }
        timer?.cancel()
        continuation.resume(with: result)
    }
}

/// Lets the first of several callers do something. Relaxed: what that one uses is ordered elsewhere.
struct ClaimOnce: ~Copyable {
    private let isTaken = Atomic<Bool>(false)

    var isClaimed: Bool { isTaken.load(ordering: .relaxed) }

    /// True for the first call.
    @inline(__always)
    func claim() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// Counts how many of something exist, and calls closures when there is none.
final class UseCount: Sendable {
    private struct State {
        var count = 0
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    func enter() { state.withLock { $0.count += 1 } }

    func leave() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [@Sendable () -> Void]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }

    /// Calls `body` when there is none: now, or in the call that ends the last.
    func whenUnused(_ body: @escaping @Sendable () -> Void) {
        let isUnused = state.withLock { state in
            if state.count > 0 { state.waiters.append(body) }
            return state.count == 0
        }
        if isUnused { body() }
    }
}

/// Runs a closure, which may block, on a thread that has nothing else to do. Does not block itself.
///
/// Not by Dispatch on Linux, which blocks its caller while the system has no thread, and sets its threads'
/// nice value, which a filter may forbid.
///
/// - Parameter isUrgent: whether the supervisor runs it while the system has no thread.
func runElsewhere(isUrgent: Bool = false, _ body: @escaping @Sendable () -> Void) {
    #if os(Linux)
        // Without a supervisor the process has no thread of a pool, whose work the closure could hold up.
        guard let supervisor = Supervisor.current() else { return body() }
        supervisor.performElsewhere(isUrgent: isUrgent, body)
    #else
        DispatchQueue(label: "queue-pools.elsewhere").async(execute: body)
    #endif
}

/// Runs a closure as ``runElsewhere(_:)``, but after those of earlier calls, so that many take one thread.
func runElsewhereInTurn(_ body: @escaping @Sendable () -> Void) {
    #if os(Linux)
        guard let supervisor = Supervisor.current() else { return body() }
        supervisor.performElsewhereInTurn(body)
    #else
        body()
    #endif
}

/// Calls a closure, which does not block, when a time has passed; on Linux on the supervisor's thread.
///
/// - Returns: the call, which can be cancelled; nil if it would never come.
func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> PoolJob? {
    let deadline = monotonicNanoseconds().advanced(by: delay)
    guard deadline < .max else { return nil }
    #if os(Linux)
        if let supervisor = Supervisor.current() {
            let job = DelayedJob(at: deadline, by: supervisor, body)
            supervisor.insert(job)
            return PoolJob(owner: job)
        }
    #endif
    let timer = DispatchTimer(body)
    DispatchQueue(label: "queue-pools.time-limit").asyncAfter(
        deadline: DispatchTime(uptimeNanoseconds: deadline), execute: timer.item)
    return PoolJob(owner: timer)
}

private final class DispatchTimer: JobOwner, @unchecked Sendable {  // constant; the item is thread-safe
    let item: DispatchWorkItem

    init(_ body: @escaping @Sendable () -> Void) { item = DispatchWorkItem(block: body) }

    func cancel(_: JobPlace) -> Bool {
        item.cancel()
        return true
    }
}

/// The time of the monotonic clock, which stops while the machine sleeps.
func monotonicNanoseconds() -> UInt64 {
    #if os(Linux)
        clinux_monotonic_nanoseconds()
    #else
        DispatchTime.now().uptimeNanoseconds
    #endif
}

extension UInt64 {
    /// A later time of the monotonic clock, in nanoseconds: not before now, and `.max` if out of range.
    func advanced(by delay: Duration) -> UInt64 {
        guard delay > .zero else { return self }
        // `components` traps beyond 2⁶³ seconds.
        guard delay < .seconds(Int64.max) else { return .max }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, isTooFar) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (deadline, isBeyond) = addingReportingOverflow(nanoseconds)
        return isTooFar || isBeyond || deadline > .max / 2
            ? .max : deadline + UInt64(attoseconds / 1_000_000_000)
    }
}
