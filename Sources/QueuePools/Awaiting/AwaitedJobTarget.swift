/// A pool or a queue that accepts jobs that tasks can await.
protocol AwaitedJobTarget: AnyObject, Sendable {
    /// Whether jobs can move to other tiers.
    var hasTiers: Bool { get }
    /// How many queues a tier has, or threads, whichever are more.
    func parallelism(on tier: QoSTier) -> Int
    /// The list of the pool, or of the queue's pool.
    var awaited: AwaitedJobs? { get }
    var time: PoolTime { get }
    /// The task-local values that jobs carry.
    var carrier: TaskLocalCarrier? { get }
    func accounting(on tier: QoSTier) -> TierAccounting?
    /// Whether a thread that runs no job would take a job at once, which waits for nothing else.
    func waitsForThreadOnly(on tier: QoSTier, keyHash: Int?) -> Bool
    /// Returns nil if the job is refused, for the reason of `refusalCode`.
    func place(_ body: @escaping @Sendable () -> Void, at place: JobDestination) -> PoolJob?
    /// Why a job that has room would be refused now.
    var refusalCode: PoolError.Code { get }
    var subject: PoolError.Subject { get }
}

/// Where and when a job is submitted, and why.
struct JobDestination {
    var tier: QoSTier
    /// The hash value of the key whose queue runs the job; nil if it is unordered.
    var keyHash: Int?
    var reason: SubmissionReason
    /// When the job may begin, in nanoseconds of the pool's clock; nil for now. Until then it has no place of
    /// the tier's capacity.
    var begin: UInt64?

    init(tier: QoSTier, keyHash: Int? = nil, reason: SubmissionReason, begin: UInt64? = nil) {
        self.tier = tier
        self.keyHash = keyHash
        self.reason = reason
        self.begin = begin
    }
}

/// Why a job is submitted.
@usableFromInline
enum SubmissionReason {
    /// The calling task is about to be suspended for it.
    case suspending
    /// The caller continues.
    case starting
    /// It waits until there is room.
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
