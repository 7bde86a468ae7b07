import Dispatch
import Locks
import Synchronization

// Two names: at the top level of `main.swift` the compiler prefers a synchronous method (decision 12).
extension QueuePool {
    /// Stops intake and returns when every accepted job has run or was cancelled, without blocking a thread.
    /// Delayed jobs whose time has not come are cancelled. Synchronous code calls ``shutdownBlocking()``.
    ///
    ///     // On SIGTERM: ten seconds for what has begun, nothing for what waits.
    ///     guard await pool.shutdown(cancellingWaiting: true, timeLimit: .seconds(10)) else { exit(1) }
    ///
    /// Later calls of `async` throw ``PoolError`` (`.shutDown`); a submission that races with this call is
    /// refused or waited for, or, of a delayed job, cancelled, perhaps a moment after the return. Tasks and
    /// actors that began on the pool's executors may continue; a step of theirs that runs now may be waited
    /// for. A `DispatchQueue` that the pool has returned stays usable; a ``WorkerQueue`` takes only
    /// `enqueue`. All calls, of both forms, return at the same end, or at their time limit.
    ///
    /// The threads of worker queues have ended by then, and are joined, unless they run steps of tasks or
    /// actors. What comes later gets a thread for itself, which ends afterwards.
    ///
    /// - Parameters:
    ///   - cancellingWaiting: whether jobs that have not begun are cancelled when their turn comes; `run`
    ///     throws `CancellationError`. What `enqueue` has sent runs. Default: no.
    ///   - waitingForTasks: whether this also waits until all executors that ``taskExecutor(for:)`` returned
    ///     are released, and so their tasks have ended; the program must not retain one. Traps in such a
    ///     task, which would wait for itself. Default: no.
    ///   - timeLimit: how long this call waits at most; jobs run on after it. Default: without limit.
    /// - Returns: whether all jobs, and tasks if this waits for them, had ended when this returned.
    @discardableResult
    public func shutdown(
        cancellingWaiting: Bool = false, waitingForTasks: Bool = false, timeLimit: Duration? = nil
    ) async -> Bool {
        require(
            !waitingForTasks || !isCurrent,
            """
            shutdown(waitingForTasks: true) of the pool "\(label)" was called by one of its tasks and would \
            wait for it
            """)
        guard currentForkCount() == forkCount else { return true }
        if cancellingWaiting { cancelWaiting() }
        return await withCheckedContinuation { continuation in
            let end = ClaimOnce()
            let resume = { @Sendable (hasEnded: Bool) in
                if end.claim() { continuation.resume(returning: hasEnded) }
            }
            let drained = { @Sendable [self] in
                if areThreadsEnded.load(ordering: .acquiring) || partitions.isEmpty { return resume(true) }
                // Of the calls whose limit has passed, one ends the threads.
                guard !end.isClaimed || ending.claim() else { return }
                // Now, because the system may have no other thread until one of these has ended.
                for partition in partitions { partition.endThreads(joining: false) }
                // Elsewhere, because this may be a thread of the pool.
                runElsewhere { [self] in
                    endThreads()
                    resume(true)
                }
            }
            close { [executors] in if waitingForTasks { executors.whenUnused(drained) } else { drained() } }
            guard let timeLimit, !end.isClaimed else { return }
            call(after: timeLimit) { resume(false) }
        }
    }

    /// Stops intake and blocks the calling thread until every accepted job has run or was cancelled.
    /// Otherwise as ``shutdown(cancellingWaiting:waitingForTasks:timeLimit:)``.
    ///
    /// Traps in a job of the pool, and in a step of a task or an actor on its executors. Jobs of two pools
    /// that shut each other's pool down wait for each other. Returns immediately in a child of a `fork`.
    @available(*, noasync, message: "in asynchronous code, write 'await pool.shutdown()'")
    public func shutdownBlocking() {
        // First, because threads of the parent may also hold the Swift runtime's own locks.
        guard currentForkCount() == forkCount else { return }
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
        // In a forked process the jobs are the parent's, and a thread of the parent may hold the lock.
        guard currentForkCount() == forkCount else { return body() }
        let tiers = construction.withLock { () -> [TierQueues<Queue>]? in
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

    func cancelWaiting() { for intake in partitions.flatMap(\.intakes) { intake.cancelWaiting() } }

    /// Ends the pool's threads, and joins those that run no steps of tasks and actors. Blocks for a moment.
    private func endThreads() {
        guard currentForkCount() == forkCount else { return }
        for isJoining in [false, true] {
            for partition in partitions { partition.endThreads(joining: isJoining) }
        }
        areThreadsEnded.store(true, ordering: .releasing)
    }

    private var isCurrent: Bool { partitions.contains(where: \.isCurrent) }

    private var partitions: [NodePartition<Queue>] { published.all.flatMap(\.allPartitions) }
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
    private let forkCount = currentForkCount()

    func enter() { state.withLock { $0.count += 1 } }

    /// Does nothing in a forked child, where the closures, and perhaps a locked lock, are the parent's.
    func leave() {
        guard currentForkCount() == forkCount else { return }
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
/// Not by Dispatch on Linux, which blocks its caller while the system has no thread, has none in a forked
/// child, and sets its threads' nice value, which a filter may forbid.
func runElsewhere(_ body: @escaping @Sendable () -> Void) {
    #if os(Linux)
        // Without a supervisor the process has no thread of a pool, whose work the closure could hold up.
        guard let supervisor = Supervisor.current() else { return body() }
        supervisor.performElsewhere(body)
    #else
        DispatchQueue(label: "queue-pools.elsewhere").async(execute: body)
    #endif
}

/// Calls a closure, which does not block, when a time has passed; on Linux on the supervisor's thread.
func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    let deadline = DispatchTime.now().uptimeNanoseconds.advanced(by: delay)
    guard deadline < .max else { return }
    #if os(Linux)
        if let supervisor = Supervisor.current() {
            return supervisor.insert(DelayedJob(at: deadline, by: supervisor, body))
        }
    #endif
    DispatchQueue(label: "queue-pools.time-limit").asyncAfter(
        deadline: DispatchTime(uptimeNanoseconds: deadline), execute: body)
}

extension UInt64 {
    /// A later time of the monotonic clock, in nanoseconds: not before now, and `.max` if out of range.
    func advanced(by delay: Duration) -> UInt64 {
        guard delay > .zero else { return self }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, isTooFar) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (deadline, isBeyond) = addingReportingOverflow(nanoseconds)
        return isTooFar || isBeyond || deadline > .max / 2
            ? .max : deadline + UInt64(attoseconds / 1_000_000_000)
    }
}
