import Dispatch

/// Submits jobs: the protocol for code that takes "a pool". Pools of every kind of queue conform, so such
/// code need not be generic. A type that passes jobs on to another pool conforms with three methods, and has
/// `start`, `startWhenAccepted`, `run`, `map` and `results` by them.
public protocol JobSubmitting: AnyObject, Sendable {
    /// Submits an unordered job to a tier.
    @discardableResult
    func async(qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob

    /// Submits a job to the queue of a key: jobs of equal keys run in the order of submission.
    @discardableResult
    func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob

    /// Submits a job whose value can be awaited, or a release of memory, which is no job of the program's:
    /// passes it on to another pool.
    func start(_ request: JobRequest) throws(PoolError)
}

extension JobSubmitting {
    /// Submits an unordered job to the tier background that releases memory, such as a cache's, on behalf of
    /// code that must not pay for it itself. It is no job of the program's: it neither waits for a place of
    /// the tier's capacity nor takes one, and is never refused. It cannot be cancelled, also not by a
    /// shutdown:
    ///
    /// - after `shutdown()` it runs as a step of a task does, on a thread that is made for it;
    /// - while the system has no thread for the tier, it waits;
    /// - in a forked child it runs on the calling thread, because the pool's threads are the parent's;
    /// - if a type of the program's refuses it, or passes it nowhere, another thread runs it.
    ///
    /// In the statistics of the pool it counts as a job. O(1).
    ///
    /// - Parameter release: releases its captures by setting them to nil; any thread may release the closure.
    package func enqueueRelease(_ release: @escaping @Sendable () -> Void) {
        let job = AwaitedJob(release: release)
        try? start(JobRequest(job))
        if let release = job.takeRelease() { runElsewhere(release) }
    }
}

extension QueuePool: JobSubmitting {
    /// Submits an unordered job to a tier and returns immediately. On worker queues the first free thread of
    /// the tier runs it; others take it in turn.
    ///
    /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
    /// - Throws: ``PoolError``, and the job is released. `.full` beyond the tier's
    ///   ``QueuePoolOptions/capacity``, which allocates nothing; `.shutDown` after `shutdown()`;
    ///   `.forked` in a child that was forked after the first pool was made; `.noThread`, of worker queues,
    ///   if there is none.
    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try submit(body, to: qos, keyHash: nil)
    }

    /// Submits a job to the queue of a key: jobs of equal keys run in the order of submission.
    ///
    /// - Returns: the job, as ``async(qos:_:)``.
    /// - Throws: ``PoolError`` as ``async(qos:_:)``.
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try submit(body, to: qos, keyHash: key.hashValue)
    }

    @inlinable @inline(__always)
    func submit(
        _ body: consuming @escaping @Sendable () -> Void, to qos: QoSTier, keyHash: Int?
    ) throws(PoolError) -> PoolJob {
        var closure = Optional(Closure(body))
        return try submit(to: qos, keyHash: keyHash) { tier in
            tier.submit(
                TaskLocalCarrier.wrap(closure.take().unsafelyUnwrapped.body, by: carrier), keyHash: keyHash,
                because: .starting)
        }
    }

    /// Submits a job to a tier if there is room. A submission that returns nil is refused.
    @inlinable @inline(__always)
    func submit(
        to qos: QoSTier, keyHash: Int?, _ submission: (TierQueues<Queue>) -> PoolJob?
    ) throws(PoolError) -> PoolJob {
        var hasRoom = true
        let job = withTier(qos) { tier in
            hasRoom = tier.takePlace(keyHash: keyHash)
            return hasRoom ? submission(tier) : nil
        }
        guard let job else { throw refusal(on: qos, hasRoom: hasRoom) }
        return job
    }

    /// The error for a job that has just been refused, whose place of the capacity, if it had one, is given
    /// back. `hasRoom` is nil if the job needed none.
    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    @_specialize(where Queue == DispatchQueue)
    @usableFromInline @inline(never)
    func refusal(on qos: QoSTier, hasRoom: Bool?) -> PoolError {
        // In a forked child a thread of the parent may have locked the capacity.
        guard !isForkedChild else { return PoolError(.forked, by: subject) }
        withTier(qos) { tier in
            if hasRoom == true { tier.capacity?.giveBack() }
            tier.accounting.countRefused()
        }
        return PoolError(hasRoom != false || refusalCode != .noThread ? refusalCode : .full, by: subject)
    }

    /// Why a job that has room is refused.
    var refusalCode: PoolError.Code { isShutDown ? .shutDown : .noThread }
}

extension JobSubmitting {
    /// Submits a job that nobody awaits, with options; otherwise as ``async(qos:_:)``.
    ///
    /// - Parameters:
    ///   - qos: the tier.
    ///   - key: jobs of equal keys run in the order of submission, those with a delay in that of their times.
    ///     Default: nil, the job is unordered.
    ///   - label: names the job for ``QueuePool/activity(of:)`` and ``RunningJob``. Default: nil.
    ///   - delay: how long the job waits at least, from now on; zero or less counts as none. Times are of the
    ///     monotonic clock, which stops while the machine sleeps, instants of `at` as well: they are turned
    ///     into delays in this call. When the time has come, the job goes before
    ///     those that wait, on worker queues; on other queues behind them. Default: nil.
    ///   - time: when the job may begin, if that is later. A time that has passed counts as none. Default:
    ///     nil.
    ///   - body: the closure.
    /// - Returns: the job, as ``async(qos:_:)``.
    /// - Throws: ``PoolError`` as ``async(qos:_:)``; never `.full` with a delay: such a job takes no place of
    ///   the tier's capacity before its time, and then takes one in any case.
    /// - Complexity: O(1), with a delay O(log *n*) in the number of delayed jobs.
    @discardableResult
    public func async<Key: Hashable>(
        qos: QoSTier, key: Key? = Int?.none, label: String? = nil, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        let options = JobOptions(
            qos: qos, keyHash: key?.hashValue, label: label, whenFull: .throw, after: delay, at: time,
            startBy: nil, finishBy: nil, isAwaited: false)
        let job = AwaitedJob(options, body)
        try pass(job)
        return PoolJob(owner: job)
    }
}

extension QueuePool {
    /// Submits a job that nobody awaits, with options; see
    /// ``JobSubmitting/async(qos:key:label:after:at:_:)``.
    @discardableResult
    public func async<Key: Hashable>(
        qos: QoSTier, key: Key? = Int?.none, label: String? = nil, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        let (keyHash, body) = (key?.hashValue, labelled(label, body))
        guard let begin = JobBegin(after: delay, at: time), !begin.isDue else {
            return try submit(body, to: qos, keyHash: keyHash)
        }
        return try submit(
            TaskLocalCarrier.wrap(body, by: carrier), to: qos, keyHash: keyHash,
            at: begin.deadline(of: self.time))
    }

    /// Submits a job that begins at a time of the pool's clock.
    private func submit(
        _ body: @escaping @Sendable () -> Void, to qos: QoSTier, keyHash: Int?, at time: UInt64
    ) throws(PoolError) -> PoolJob {
        let job = withTier(qos) { tier in
            isShutDown ? nil : tier.submit(body, keyHash: keyHash, at: time)
        }
        guard let job else { throw refusal(on: qos, hasRoom: nil) }
        return job
    }
}

/// A closure that labels the job that it runs in; the same without a label.
func labelled(
    _ label: String?, _ body: __owned @escaping @Sendable () -> Void
) -> @Sendable () -> Void {
    guard let label else { return body }
    return {
        labelJob(label)
        body()
    }
}

/// Labels the job that the calling thread runs, if jobs are observed.
func labelJob(_ label: String) {
    #if os(Linux)
        if let queue = RunFrame.innermostQueue as? EngineQueue {
            queue.group.setLabel(label, in: queue.record)
        } else if let thread = WorkerThread.current {
            thread.group.setLabel(label, in: thread.group.record(ofThread: thread.index))
        }
    #endif
}
