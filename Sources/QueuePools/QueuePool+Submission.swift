/// What a renderer needs of a pool: somewhere to submit jobs that can be cancelled.
///
/// Pools of every kind of queue conform, so code that only submits need not be generic.
public protocol JobSubmitting: Sendable {
    /// Submits a job to the next queue of a tier.
    @discardableResult
    func async(qos: QoSTier, _ body: @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob
}

extension QueuePool: JobSubmitting {
    /// Submits a job to the next queue of a tier and returns at once.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError`` (`.shutDown`) after `shutdown()`; the job is not kept.
    @discardableResult
    public func async(
        qos: QoSTier, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try submit(body, to: withTier(qos) { $0.queues[$0.nextIndex()] })
    }

    /// Submits a job to the queue that belongs to a key: jobs of equal keys run one after the other, in the
    /// order of submission.
    ///
    /// - Returns: the job; cancelled before it begins, its closure is released at once.
    /// - Throws: ``PoolError`` (`.shutDown`) after `shutdown()`; the job is not kept.
    @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        try submit(body, to: withTier(qos) { $0.queues[$0.index(for: key)] })
    }

    private func submit(
        _ body: @escaping @Sendable () -> Void, to queue: PooledQueue<Queue>
    ) throws(PoolError) -> PoolJob {
        guard let job = queue.submit(body) else { throw queue.refusal(poolLabel: label) }
        return job
    }
}
