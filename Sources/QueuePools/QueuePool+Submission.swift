/// What a renderer needs of a pool: somewhere to submit jobs that can be cancelled.
///
/// Pools of every kind of queue conform, so code that only submits need not be generic.
public protocol JobSubmitting: AnyObject, Sendable {
    /// Submits a job to the next queue of a tier.
    @discardableResult
    func async(qos: QoSTier, _ body: @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob
}

extension QueuePool: JobSubmitting {
    /// Submits a job to the next queue of a tier and returns at once.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError``; the job is not kept then. `.shutDown` after `shutdown()`; `.forked` in a
    ///   process that was forked from the pool's; `.noThread` if the system has no thread for the tier,
    ///   worker queues only.
    @_specialize(where Queue == WorkerQueue)
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        guard let job = withPartition(of: qos, { $0.submit(body) }) else { throw refusal }
        return job
    }

    /// Submits a job to the queue that belongs to a key: jobs of equal keys run one after the other, in the
    /// order of submission.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError``; the job is not kept then. `.shutDown` after `shutdown()`; `.forked` in a
    ///   process that was forked from the pool's; `.noThread` if the system has no thread for the tier,
    ///   worker queues only.
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        guard let job = withQueue(of: qos, for: key, { $0.submit(body) }) else { throw refusal }
        return job
    }

    /// Why a job has just been refused.
    @usableFromInline @inline(never)
    var refusal: PoolError {
        // First of all: in a forked process a lock may be held by a thread that is not there.
        if currentForkCount() != forkCount { return .forked(.pool(label: label)) }
        return isShutDown ? .shutDown(.pool(label: label)) : .noThread(.pool(label: label))
    }
}
