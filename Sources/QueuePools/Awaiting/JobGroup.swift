import QueuePoolsLocks

/// Jobs of a pool that are counted, cancelled and awaited together: a pool for the code that submits them.
///
///     let album = JobGroup(on: pool)
///     for file in files { try album.async(qos: .utility) { try? decode(file) } }
///     try await album.waitForAll()  // the pool continues with other jobs
///     album.cancel()                // those that wait end, those that run are told (`JobScope`)
///
/// A job is in the group from its submission until it has ended and its `onEnd` has returned, whichever form
/// submitted it: `async`, `start`, `run`, `map`, a ``JobPipeline`` with a stage on the group. A job that its
/// `onEnd` submits keeps the group from being empty, as a retry does. Groups may contain groups. A
/// job of `async` costs what one of `start` costs. Dropping the group changes nothing; the jobs run.
/// *Thread-safe.* The idea is that of Dispatch's groups, for jobs that can be cancelled.
public final class JobGroup: JobSubmitting {
    struct State {
        var jobs: [ObjectIdentifier: AwaitedJob] = [:]
        var waiters: [UInt64: @Sendable () -> Void] = [:]
        var nextWaiter: UInt64 = 0
    }

    let pool: any JobSubmitting
    /// Held for some instructions, except in a test.
    let state = Lock(State())

    /// Makes an empty group.
    ///
    /// - Parameter pool: runs the jobs.
    public init(on pool: any JobSubmitting) { self.pool = pool }

    /// How many jobs have not ended. O(1).
    public var count: Int { state.withLock { $0.jobs.count } }

    /// Whether all jobs have ended. O(1).
    public var isEmpty: Bool { count == 0 }

    /// Cancels the jobs that are in the group, as ``PoolTask/cancel()`` does. Those that wait have left it
    /// when this returns, unless another thread is ending them, or still in the call that submits them. Later
    /// ones are not affected. O(jobs).
    public func cancel() {
        let jobs = state.withLock { Array($0.jobs.values) }
        // Those that wait first: else one begins when a job that runs is told, and returns.
        for job in jobs { job.end(.cancelled) }
        for job in jobs { _ = job.cancel() }
    }

    /// Calls a closure once, when the group is empty: within this call if it is, or else on the thread that
    /// ends the last job. Later jobs may be there by then. The closure has the task-local values of this call
    /// that the group's pool carries, and no others; it must not block (see `onEnd` of ``JobSubmitting``'s
    /// `start`).
    public func whenEmpty(_ body: @escaping @Sendable () -> Void) {
        let context = pool.jobTarget?.carrier?.capture()
        let tell = { @Sendable in withoutContext { CapturedTaskLocals.bind(context, around: body) } }
        if addWaiter(tell) == nil { tell() }
    }

    /// Waits until the group is empty, without blocking a thread. Later jobs may be there by then.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the jobs are not.
    public func waitForAll() async throws {
        let wait = EventWait()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait.begin(continuation)
                let waiter = addWaiter { wait.end() }
                if waiter == nil { wait.end() }
                wait.whenEnded { [self] in removeWaiter(waiter) }
            }
        } onCancel: {
            wait.end(throwing: CancellationError())
        }
    }

    /// Submits an unordered job of the group to a tier.
    ///
    /// - Throws: ``PoolError`` as ``QueuePool/async(qos:_:)``.
    @discardableResult
    public func async(
        qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try async(qos: qos, key: Int?.none, label: nil, body)
    }

    /// Submits a job of the group to the queue of a key.
    ///
    /// - Throws: ``PoolError`` as ``QueuePool/async(qos:key:_:)``.
    @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try async(qos: qos, key: key, label: nil, body)
    }

    /// Submits a job whose value can be awaited. Code that submits calls `start`.
    public func start(_ request: JobRequest) throws(PoolError) {
        // In a forked child a thread of the parent may hold the lock. The pool refuses the job.
        guard !isForkedChild, !request.job.isRelease else { return try pool.start(request) }
        let job = request.job
        // A pipeline's is in the group already.
        let isNew = add(job)
        do throws(PoolError) {
            try pool.start(request)
        } catch {
            if isNew { remove(job) }
            throw error
        }
    }

    /// Enters a job, which leaves when it has ended. Returns false if it is in the group already.
    @discardableResult
    private func add(_ job: AwaitedJob) -> Bool {
        let isNew = state.withLock { $0.jobs.updateValue(job, forKey: ObjectIdentifier(job)) == nil }
        if isNew { job.whenEnded { [self] job, _ in remove(job) } }
        return isNew
    }

    /// Enters a pipeline's job before its first stage is submitted, also in the groups that this one is in.
    func enter(_ job: AwaitedJob) {
        add(job)
        (pool as? JobGroup)?.enter(job)
    }

    /// Takes a job out that was refused.
    func leave(_ job: AwaitedJob) {
        remove(job)
        (pool as? JobGroup)?.leave(job)
    }

    /// Adds a closure for the moment when the group is empty. Returns nil if it is.
    private func addWaiter(_ body: @escaping @Sendable () -> Void) -> UInt64? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = body
            return state.nextWaiter
        }
    }

    private func removeWaiter(_ number: UInt64?) {
        guard let number else { return }
        _ = state.withLock { $0.waiters.removeValue(forKey: number) }
    }

    private func remove(_ job: AwaitedJob) {
        let waiters = state.withLock { state -> [UInt64: @Sendable () -> Void] in
            guard state.jobs.removeValue(forKey: ObjectIdentifier(job)) != nil, state.jobs.isEmpty else {
                return [:]
            }
            defer { state.waiters = [:] }
            return state.waiters
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter() }
    }
}
