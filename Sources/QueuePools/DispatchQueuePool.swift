public import Dispatch
import Synchronization

/// A pool of serial `DispatchQueue`s, for every platform and for code that needs a `DispatchQueue`.
///
/// Its queues are ordinary Dispatch queues, with the properties of Dispatch on Linux:
/// - Dispatch chooses a queue's thread, which may change from job to job, so a queue cannot be kept on a NUMA
///   node; the pool only ensures that callers of one node share the same queues;
/// - at most as many threads as queues run a tier's jobs; Dispatch may keep idle ones after many tiny jobs;
/// - relative priorities are nice values, set when a thread starts, and need privileges to be raised.
///
/// `Docs/Platforms.md` has the figures.
public typealias DispatchQueuePool = QueuePool<DispatchQueue>

extension QueuePool where Queue == DispatchQueue {
    /// Makes a pool with the given number of queues a tier.
    ///
    /// `capacity`: how many jobs of a tier may wait (``QueuePoolConfiguration/capacity``). Default: any.
    ///
    /// - Throws: ``PoolError`` for an empty label, no queues, more than
    ///   ``QueuePoolConfiguration/maximumQueuesPerTier``, or an impossible capacity.
    public convenience init(
        label: String, queuesPerTier: QueuePoolConfiguration.QueueCount = .activeCores,
        capacity: TierCapacities = .unlimited
    ) throws(PoolError) {
        try self.init(
            QueuePoolConfiguration(label: label, queuesPerTier: queuesPerTier, capacity: capacity))
    }

    /// Makes a pool from a full configuration.
    ///
    /// - Throws: ``PoolError`` if the configuration is impossible.
    public convenience init(_ configuration: QueuePoolConfiguration) throws(PoolError) {
        try self.init(configuration) { label, tier, _ in .pooled(label: label, tier: tier) }
    }

    /// The process's pool, labelled `shared`, with a queue per active core in each tier. The whole program
    /// uses it: do not shut it down.
    public static var shared: DispatchQueuePool { sharedPool }
}

/// The default configuration is always possible.
private let sharedPool = try! DispatchQueuePool(label: "shared")

extension DispatchQueue: SerialQueue {
    /// The key of the mark of each pooled queue, from which a job finds out where it runs.
    private static let markKey = DispatchSpecificKey<PoolMark>()

    /// The description of a pooled queue, for its jobs.
    struct PoolMark: Sendable {
        let queue: ObjectIdentifier
        let tier: QoSTier
        let label: String
    }

    static var currentMark: PoolMark? { getSpecific(key: markKey) }

    /// Makes a queue for a pool: serial, at the tier's quality of service, with no explicit target. With
    /// `target: .global(qos:)` it would stop whenever the program blocks the queues of `DispatchQueue.global`
    /// (`Docs/Decisions/0001-dispatch-queue-target.md`).
    static func pooled(label: String, tier: QoSTier) -> DispatchQueue {
        let queue = DispatchQueue(label: label, qos: tier.dispatchQoS)
        let mark = PoolMark(queue: ObjectIdentifier(queue), tier: tier, label: label)
        queue.setSpecific(key: markKey, value: mark)
        return queue
    }

    /// Submits a job with `async(execute:)`.
    public func enqueue(_ job: @escaping @Sendable () -> Void) { async(execute: job) }

    /// True on a job of this queue; always false for queues that no pool has made.
    public var isCurrent: Bool { Self.currentMark?.queue == ObjectIdentifier(self) }
}

/// Counts and cancels jobs for queues that do neither, such as `DispatchQueue`s.
final class CountedPartition<Queue: SerialQueue>: NodePartition<Queue>, @unchecked Sendable {  // constant
    /// Retained until the partition ends. Not references, which would be counted once more for each job.
    private let counted: [Unmanaged<CountedIntake>]

    init(_ queues: [Queue], labels: [String], accounting: TierAccounting) {
        counted = labels.map { .passRetained(CountedIntake(label: $0, accounting: accounting)) }
        super.init(queues)
    }

    deinit {
        for intake in counted { intake.release() }
    }

    override func submit(
        _ body: __owned @escaping @Sendable () -> Void, to queue: Int?, because reason: SubmissionReason
    ) -> PoolJob? {
        let queue = queue ?? turns.next()
        return counted[queue]._withUnsafeGuaranteedRef { intake in
            guard !isForkedChild, let stamp = intake.accept(since: reason.calledAt) else { return nil }
            let job = CountedJob(body: body, stamp: stamp, intake: intake)
            enqueue(job, on: queue)
            return PoolJob(owner: job)
        }
    }

    override func submit(release body: @escaping @Sendable () -> Void) {
        let queue = turns.next()
        counted[queue]._withUnsafeGuaranteedRef { intake in
            if let stamp = intake.accept() {
                enqueue(CountedJob(body: body, stamp: stamp, intake: intake, isRelease: true), on: queue)
            } else {
                queues[queue]._withUnsafeGuaranteedRef { $0.enqueue { intake.run(body, stamp: nil) } }
            }
        }
    }

    private func enqueue(_ job: CountedJob, on queue: Int) {
        let turn = CountedJob.Turn(job: job)
        queues[queue]._withUnsafeGuaranteedRef { $0.enqueue { turn.job.run() } }
    }

    override func submit(_ step: UnownedJob, of executor: any StepExecutor, to queue: Int?) {
        let queue = queue ?? turns.next()
        counted[queue]._withUnsafeGuaranteedRef { intake in
            let stamp = intake.accept()
            // Retained: once the step can run, it may release the last other reference to the pool, and a
            // program's queue may touch itself after that.
            let queue = queues[queue].takeUnretainedValue()
            withExtendedLifetime(queue) {
                queue.enqueue { intake.run({ executor.run(step) }, stamp: stamp) }
            }
        }
    }

    override var isCurrent: Bool {
        super.isCurrent || counted.contains { RunFrame.contains($0.takeUnretainedValue()) }
    }

    override var intakes: [any JobIntake] { counted.map { $0.takeUnretainedValue() } }

    override func add(to statistics: inout TierStatistics) {
        for intake in counted { intake.takeUnretainedValue().add(to: &statistics) }
    }
}

/// A job on a queue that cannot take jobs back: an object of under 100 bytes with the closure.
private final class CountedJob: JobOwner {
    // Only the thread that claims the job touches the body; it has the job from the submitter.
    private let beginning = ClaimOnce()
    private nonisolated(unsafe) var body: (@Sendable () -> Void)?
    private let stamp: SubmissionStamp
    private let intake: CountedIntake
    /// A release has no place of the tier's capacity, and a shutdown does not cancel it.
    private let isRelease: Bool

    init(
        body: @escaping @Sendable () -> Void, stamp: SubmissionStamp, intake: CountedIntake,
        isRelease: Bool = false
    ) {
        self.body = body
        self.stamp = stamp
        self.intake = intake
        self.isRelease = isRelease
    }

    func cancel(_: JobPlace) -> Bool {
        guard take() else { return false }
        body = nil
        intake.cancel()
        return true
    }

    /// Captured by the queue's closure: cancels the job if that is released without a call.
    struct Turn: ~Copyable, Sendable {
        let job: CountedJob

        deinit { if !job.beginning.isClaimed { _ = job.cancel(JobPlace()) } }
    }

    /// Runs the job, unless it was cancelled. Called once, by the queue.
    func run() {
        if intake.cancelsWaiting, !isRelease {
            _ = cancel(JobPlace())
        } else if take() {
            intake.run(callBody, stamp: stamp)
        }
    }

    /// A function of its own, so that the closure's captures are released before the job counts as finished.
    @inline(never)
    private func callBody() { body.take().unsafelyUnwrapped() }

    /// Takes the job, which then no longer waits. Returns false if it was taken before.
    private func take() -> Bool {
        guard beginning.claim() else { return false }
        if !isRelease { intake.accounting.capacity?.giveBack() }
        return true
    }
}

/// When a job was submitted, if its waiting time is measured.
struct SubmissionStamp: Sendable {
    fileprivate let nanoseconds: UInt64?
}

/// Counts the jobs of one queue, and reports when all have ended. Submitters pay one atomic increment here,
/// and every sixteenth of them a look at the clock.
///
/// **Closing.** The top bit of `accepted` says that the intake is closed; the other bits count. A submitter
/// increments first. If the bit was set in the value that it replaced, it takes its increment back and is
/// refused. So a job is always either counted or refused.
///
/// **No lost end.** The queue is drained when `finished + cancelled` equals the count in `accepted`.
///
///     the thread that ends a job     | the thread that closes
///     -------------------------------|------------------------------------------
///     finished += 1                  | accepted |= closed
///     reads accepted: closed?        | reads finished: all ended?
///
/// All four are sequentially consistent, so one side must see the other's store: the left one sees `closed`
/// and looks whether all has ended, or the right one sees its `finished`. If both do, one claims `report`.
final class CountedIntake: JobIntake, Sendable {
    private static let closed: UInt64 = 1 << 63

    private let accepted = Atomic<UInt64>(0)
    private let counters = JobCounters()
    /// Steps that came after the closing, which does not wait for them, and have ended.
    private let finishedLate = Atomic<Int>(0)
    private let report = ClaimOnce()
    private let cancels = Atomic<Bool>(false)
    // Written before the bit `closed` is set, read after the bit was seen.
    private nonisolated(unsafe) var whenDrained: @Sendable () -> Void = {}
    let label: String
    let accounting: TierAccounting

    init(label: String, accounting: TierAccounting) {
        self.label = label
        self.accounting = accounting
    }

    /// Counts a job in. Returns nil if closed: then a job is refused, and a step runs without a stamp.
    ///
    /// - Parameter since: since when it has waited. Default: now.
    func accept(since: UInt64? = nil) -> SubmissionStamp? {
        let before = accepted.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        guard before & Self.closed != 0 else {
            let isSampled = TimeHistogram.samples(before)
            return SubmissionStamp(nanoseconds: isSampled ? since ?? monotonicNanoseconds() : nil)
        }
        accepted.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        reportIfDrained()  // in the meantime the queue may have looked busy
        return nil
    }

    func run(_ body: () -> Void, stamp: SubmissionStamp?) {
        if stamp != nil { counters.begin() }
        let begunAt = stamp?.nanoseconds.map { submittedAt in
            let now = monotonicNanoseconds()
            accounting.waits.record(nanoseconds: now &- submittedAt)
            return now
        }
        RunFrame.around(.passUnretained(self), body)
        if let begunAt { accounting.runs.record(nanoseconds: monotonicNanoseconds() &- begunAt) }
        if stamp != nil {
            counters.finishConcurrently()
            reportIfDrained()
        } else {
            finishedLate.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func cancel() {
        counters.cancelled.wrappingAdd(1, ordering: .sequentiallyConsistent)
        reportIfDrained()
    }

    /// Closes the intake. `body` is called when all accepted jobs have ended, or immediately if the intake
    /// was closed before, as that of a tier first used during a shutdown is. Must not be called concurrently.
    func close(whenDrained body: @escaping @Sendable () -> Void) {
        guard accepted.load(ordering: .relaxed) & Self.closed == 0 else { return body() }
        whenDrained = body
        accepted.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
        reportIfDrained()
    }

    private func reportIfDrained() {
        guard accepted.load(ordering: .sequentiallyConsistent) & Self.closed != 0 else { return }
        // Ends are read first: a job that comes and goes between the two reads could hide one that is there.
        let ended = counters.finishedCount + counters.cancelled.load(ordering: .sequentiallyConsistent)
        guard ended == accepted.load(ordering: .sequentiallyConsistent) & ~Self.closed,
            report.claim()
        else { return }
        whenDrained()
    }

    /// Relaxed: it orders nothing.
    var cancelsWaiting: Bool { cancels.load(ordering: .relaxed) }

    func cancelWaiting() { cancels.store(true, ordering: .relaxed) }

    func add(to statistics: inout TierStatistics) {
        let others = statistics.waiting
        counters.add(to: &statistics, positions: accepted.load(ordering: .acquiring) & ~Self.closed)
        let waiting = statistics.waiting - others
        statistics.compareQueue(waiting: waiting, QueueActivity(label: label, waiting: waiting))
        let late = finishedLate.load(ordering: .relaxed)
        statistics.submitted += late
        statistics.finished += late
    }
}
