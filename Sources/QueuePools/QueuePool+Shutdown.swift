import Dispatch
import QueuePoolsLocks
import Synchronization

#if os(Linux)
    import CQueuePoolsThreads
#endif

/// The options of a shutdown of a ``QueuePool``.
public enum Shutdown {
    /// Whether jobs that have not begun run.
    public enum WaitingJobs: Hashable, Sendable {
        /// They run.
        case run
        /// They are cancelled: jobs of `start`, `run` and groups immediately, the others when their turn
        /// comes.
        case cancel
    }

    /// Whether jobs that run are told.
    public enum RunningJobs: Hashable, Sendable {
        /// They are not told.
        case leave
        /// `JobScope.isCancelled` is true in them from now on. The shutdown waits until they end.
        case cancel
    }

    /// Whether to wait for tasks on the executors that ``QueuePool/taskExecutor(for:)`` returned.
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
    /// Delayed jobs whose time has not come are cancelled, those of `start` and `run` with ``PoolError``
    /// (`.shutDown`). Synchronous code calls ``shutdownBlocking()``.
    ///
    ///     // On SIGTERM: ten seconds for the jobs that have begun, none for those that wait.
    ///     do {
    ///         try await pool.shutdown(
    ///             waitingJobs: .cancel, runningJobs: .cancel, timeLimit: .seconds(10))
    ///     } catch {
    ///         exit(1)
    ///     }
    ///
    /// Later calls of `async`, `start` and `run` throw ``PoolError`` (`.shutDown`), as do calls that
    /// wait for room; a submission that races with this call is refused or waited for, or, of a delayed job,
    /// cancelled, perhaps a moment after the return. Tasks and actors that began on the pool's executors may
    /// continue; a step of theirs that runs now may be waited for. A `DispatchQueue` that the pool has
    /// returned stays usable; a ``WorkerQueue`` takes only `enqueue`. All calls, of both forms, return at the
    /// same end, unless they throw before.
    ///
    /// The threads of worker queues have ended by then, and are joined, unless they run steps of tasks or
    /// actors. Later work gets a thread for itself, which ends afterwards.
    ///
    /// - Parameters:
    ///   - waitingJobs: whether jobs that have not begun run. If not, ``PoolTask/value`` and `run` throw
    ///     ``PoolError`` (`.shutDown`) immediately. Jobs of `enqueue` run. Default: `.run`.
    ///   - runningJobs: whether jobs that run, and those that still run later, find that
    ///     `JobScope.isCancelled`.
    ///     Default: `.leave`.
    ///   - tasks: whether this also waits for tasks. If so, the program must not retain an executor of the
    ///     pool; this traps in such a task, which would wait for itself. Default: `.leave`.
    ///   - timeLimit: how long this call waits at most. Default: without limit.
    /// - Throws: ``PoolError`` (`.timeLimit`) at the limit, and `CancellationError` if the calling task is
    ///   cancelled. The shutdown continues in both cases, and another call waits for its end.
    public func shutdown(
        waitingJobs: Shutdown.WaitingJobs = .run, runningJobs: Shutdown.RunningJobs = .leave,
        tasks: Shutdown.Tasks = .leave, timeLimit: Duration? = nil
    ) async throws {
        require(
            tasks == .leave || !isCurrent,
            """
            shutdown(tasks: .await) of the pool "\(label)" was called by one of its tasks and would wait for it
            """)
        guard !isForkedChild else { return }
        if runningJobs == .cancel { awaitedJobs.cancelRunningJobs() }
        if waitingJobs == .cancel { cancelWaiting() }
        let wait = EventWait()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait.begin(continuation)
                let drained = { @Sendable [self] in
                    if areThreadsEnded.load(ordering: .acquiring) || partitions.isEmpty { return wait.end() }
                    // One of the calls that wait no more ends the threads.
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
                // Of the system's time, also where the pool's is moved by hand: the caller waits.
                let timer = systemCall(after: timeLimit) {
                    runElsewhere(isUrgent: true) { wait.end(throwing: error) }
                }
                wait.whenEnded { timer?.cancel() }
            }
        } onCancel: {
            wait.end(throwing: CancellationError())
        }
    }

    /// Stops intake and blocks the calling thread until every accepted job has run or was cancelled.
    /// Otherwise as ``shutdown(waitingJobs:runningJobs:tasks:timeLimit:)``.
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

    /// Closes the intake and calls `body` when all accepted jobs have ended.
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
