/// A pool or a queue that accepts jobs that tasks can await.
protocol AwaitedJobTarget: AnyObject, Sendable {
    /// Whether jobs can move to other tiers.
    var hasTiers: Bool { get }
    /// The list of the pool, or of the queue's pool.
    var awaited: AwaitedJobs? { get }
    func accounting(on tier: QoSTier) -> TierAccounting?
    /// Returns nil if the job is refused, for the reason of `refusalCode`.
    func place(
        _ body: @escaping @Sendable () -> Void, on tier: QoSTier, keyHash: Int?, because: SubmissionReason
    ) -> PoolJob?
    /// Why a job that has room would be refused now.
    var refusalCode: PoolError.Code { get }
    var subject: PoolError.Subject { get }
}

/// Why a job is submitted.
@usableFromInline
enum SubmissionReason {
    /// The calling task is about to be suspended for it.
    case suspending
    /// The caller continues.
    case starting
    /// It was suspended until there is room.
    case room(since: UInt64)
    /// The priority of a task that awaits it has risen: the job goes before those that wait.
    case priority(since: UInt64)

    /// When the call came, if that was earlier.
    var calledAt: UInt64? {
        switch self {
        case .suspending, .starting: nil
        case .room(let since), .priority(let since): since
        }
    }
}
