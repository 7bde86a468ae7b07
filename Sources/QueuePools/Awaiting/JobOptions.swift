/// How an awaited job is submitted, beyond its closure.
@usableFromInline
struct JobOptions: Sendable {
    let qos: QoSTier?
    /// The hash value of the key whose queue runs the job, which then stays on its tier.
    let keyHash: Int?
    let label: String?
    let whenFull: FullTierPolicy
    /// Since ``clockStart``, as all times here: an instant's size is known at run time only, which makes each
    /// copy a call.
    let startBy: Duration?
    /// Whether the calling task awaits it next.
    let isAwaited: Bool
    /// What few jobs have.
    let extras: JobExtras?

    @usableFromInline
    init(
        qos: QoSTier?, keyHash: Int?, label: String?, whenFull: FullTierPolicy, startBy: Duration?,
        isAwaited: Bool, extras: JobExtras?
    ) {
        self.qos = qos
        self.keyHash = keyHash
        self.label = label
        self.whenFull = whenFull
        self.startBy = startBy
        self.isAwaited = isAwaited
        self.extras = extras
    }

    @inlinable
    init(
        qos: QoSTier?, keyHash: Int?, label: String?, whenFull: FullTierPolicy, after delay: Duration?,
        at time: ContinuousClock.Instant?, startBy: ContinuousClock.Instant?,
        finishBy: ContinuousClock.Instant?, isAwaited: Bool
    ) {
        let hasExtras = delay != nil || time != nil || finishBy != nil
        self.init(
            qos: qos, keyHash: keyHash, label: label, whenFull: whenFull,
            startBy: startBy.map { Self.sinceStart($0) }, isAwaited: isAwaited,
            extras: hasExtras
                ? JobExtras(
                    begin: JobBegin(after: delay, at: time), finishBy: finishBy.map { Self.sinceStart($0) })
                : nil)
    }

    @usableFromInline static let clockStart = ContinuousClock.now

    @usableFromInline static var now: Duration { clockStart.duration(to: .now) }

    /// A time, not before ``clockStart``.
    @usableFromInline
    static func sinceStart(_ time: ContinuousClock.Instant) -> Duration {
        clockStart.duration(to: max(time, clockStart))
    }
}

/// When a job may begin: after a delay, at a time, or at the later of both.
@usableFromInline
struct JobBegin: Sendable {
    private let delay: Duration
    /// Since ``JobOptions/clockStart``.
    private let time: Duration?

    /// Nil without either.
    @usableFromInline
    init?(after delay: Duration?, at time: ContinuousClock.Instant?) {
        guard delay != nil || time != nil else { return nil }
        self.delay = delay ?? .zero
        self.time = time.map { JobOptions.sinceStart($0) }
    }

    /// Whether that is now.
    var isDue: Bool { delay <= .zero && time ?? .zero <= JobOptions.now }

    /// The time in nanoseconds of a pool's clock.
    func deadline(of pool: PoolTime) -> UInt64 {
        max(pool.now.advanced(by: delay), time.map { pool.time(for: $0) } ?? 0)
    }
}

/// The options of a job that few jobs have: an object, so that the others are small.
@usableFromInline
final class JobExtras: @unchecked Sendable {  // set before another thread has the job; then as commented
    let begin: JobBegin?
    /// When its value is of no use any more, since ``JobOptions/clockStart``.
    let finishBy: Duration?
    /// Called when the job has ended. Appended to before the job is submitted, and taken by the thread that
    /// ends it.
    var endHandlers: [@Sendable (AwaitedJob, PoolError?) -> Void] = []
    /// The stage of a pipeline that follows the present one, for the thread that runs the job.
    var nextStage: (@Sendable () -> JobStage?)?
    /// The present stage, as ``nextStage``.
    var stage: JobStage?
    /// Whether the job has stages. Set before it is submitted.
    var isPipeline = false
    /// The closure that releases memory in place of a job, until a pool takes it.
    var release: (@Sendable () -> Void)?

    @usableFromInline
    init(begin: JobBegin? = nil, finishBy: Duration? = nil) {
        self.begin = begin
        self.finishBy = finishBy
    }
}

/// A stage of a pipeline: the job is submitted once more, with another closure.
struct JobStage: Sendable {
    let pool: any JobSubmitting
    let qos: QoSTier?
    let keyHash: Int?
    let label: String?
    let body: @Sendable () -> Void
}

/// A job on its way to a pool, for pools that pass it on to another: once, before their `start` returns, or
/// again if it was refused. Starting it twice traps.
public struct JobRequest: Sendable {
    @usableFromInline let job: AwaitedJob

    @inlinable
    init(_ job: AwaitedJob) { self.job = job }
}
