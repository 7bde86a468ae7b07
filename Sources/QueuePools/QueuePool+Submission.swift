/// What a renderer needs of a pool: somewhere to submit jobs that can be cancelled.
///
/// Pools of every kind of queue conform, so code that only submits need not be generic.
public protocol JobSubmitting: AnyObject, Sendable {
    /// Submits a job to the next queue of a tier.
    @discardableResult
    func async(qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob
}

extension QueuePool: JobSubmitting {
    /// Submits a job to the next queue of a tier and returns at once.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError``; the job is not kept then. `.full` beyond the tier's
    ///   ``QueuePoolConfiguration/capacity``, which allocates nothing; `.shutDown` after `shutdown()`; `.forked` in a
    ///   process that was forked from the pool's; `.noThread` if the system has no thread for the tier, worker
    ///   queues only.
    @_specialize(where Queue == WorkerQueue)
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        let hasRoom = takeRoom(on: qos)
        var closure = Optional(Closure(body))
        guard hasRoom,
            let job = withPartition(of: qos, { $0.submit(closure.take().unsafelyUnwrapped.body) })
        else {
            throw refusal(on: qos, hasRoom: hasRoom)
        }
        return job
    }

    /// Submits a job to the queue that belongs to a key: jobs of equal keys run one after the other, in the
    /// order of submission.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError``; the job is not kept then. `.full` beyond the tier's
    ///   ``QueuePoolConfiguration/capacity``, which allocates nothing; `.shutDown` after `shutdown()`; `.forked` in a
    ///   process that was forked from the pool's; `.noThread` if the system has no thread for the tier, worker
    ///   queues only.
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        let hasRoom = takeRoom(on: qos)
        var closure = Optional(Closure(body))
        guard hasRoom,
            let job = withQueue(of: qos, for: key, { $0.submit(closure.take().unsafelyUnwrapped.body) })
        else {
            throw refusal(on: qos, hasRoom: hasRoom)
        }
        return job
    }

    @inlinable @inline(__always)
    func takeRoom(on qos: QoSTier) -> Bool { withTier(qos) { $0.takeRoom() } }

    /// Why a job has just been refused. If it had a place, that is given back.
    @usableFromInline @inline(never)
    func refusal(on qos: QoSTier, hasRoom: Bool) -> PoolError {
        if hasRoom { withTier(qos) { $0.capacity?.giveBack() } }
        return refusal(isFull: !hasRoom)
    }

    func refusal(isFull: Bool = false) -> PoolError {
        PoolError(
            by: .pool(label: label), isForked: currentForkCount() != forkCount, isShutDown: isShutDown,
            isFull: isFull)
    }
}
