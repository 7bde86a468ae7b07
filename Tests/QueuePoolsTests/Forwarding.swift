import QueuePools

/// Passes jobs on, and knows nothing of releases; what is started, in its own way.
final class Forwarding: JobSubmitting {
    private let pool: any JobSubmitting
    private let pass: (@Sendable (JobRequest) throws(PoolError) -> Void)?

    /// - Parameter pass: takes what is started. Default: the pool.
    init(
        to pool: any JobSubmitting,
        _ pass: (@Sendable (JobRequest) throws(PoolError) -> Void)? = nil
    ) {
        self.pool = pool
        self.pass = pass
    }

    func async(
        qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob { try pool.async(qos: qos, body) }

    func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob { try pool.async(qos: qos, key: key, body) }

    func start(_ request: JobRequest) throws(PoolError) {
        if let pass { try pass(request) } else { try pool.start(request) }
    }
}
