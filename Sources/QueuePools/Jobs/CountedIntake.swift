import QueuePoolsLocks
import Synchronization

/// When a job was submitted, if its waiting time is measured.
struct SubmissionStamp: Sendable {
    let nanoseconds: UInt64?
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
    /// The jobs whose time has not come.
    let delayed = DelayedIntakeJobs()
    /// How many these are. Relaxed: only statistics read it.
    private let pending = Atomic<Int>(0)
    /// Enqueues those whose time has come, one by one: so they stay in order, and if the queue, which may be
    /// the program's, blocks its caller, that delays no other queue's jobs.
    let enqueuer = HelperThreads(atMost: 1)

    /// Whether the queue may run its jobs in tasks, or with task-local values, of which they are to see
    /// nothing.
    private let hidesContext: Bool

    init(label: String, accounting: TierAccounting, hidesContext: Bool = false) {
        self.label = label
        self.accounting = accounting
        self.hidesContext = hidesContext
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

    func runJob(_ body: () -> Void, stamp: SubmissionStamp?) {
        if hidesContext { withoutContext { run(body, stamp: stamp) } } else { run(body, stamp: stamp) }
    }

    /// Runs a step, which has a task of its own, or a job.
    func run(_ body: () -> Void, stamp: SubmissionStamp?) {
        if stamp != nil { counters.begin() }
        let begunAt = stamp?.nanoseconds.map { submittedAt in
            let now = monotonicNanoseconds()
            accounting.waits.record(nanoseconds: now &- submittedAt)
            return now
        }
        CancellationSource.with(nil) { RunFrame.around(.passUnretained(self), .jobs, body) }
        if let begunAt { accounting.runs.record(nanoseconds: monotonicNanoseconds() &- begunAt) }
        if stamp != nil {
            counters.finishConcurrently()
            reportIfDrained()
        } else {
            finishedLate.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// So many more jobs have a time that has not come.
    func countPending(_ difference: Int) { pending.wrappingAdd(difference, ordering: .relaxed) }

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
        delayed.close(at: accounting.time.now)
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
        counters.add(
            to: &statistics, pending: pending.load(ordering: .relaxed),
            positions: accepted.load(ordering: .acquiring) & ~Self.closed)
        let waiting = statistics.waiting - others
        statistics.compareQueue(waiting: waiting, QueueActivity(label: label, waiting: waiting))
        let late = finishedLate.load(ordering: .relaxed)
        statistics.submitted += late
        statistics.finished += late
    }
}

/// A job that enters its queue later.
protocol DelayedIntakeJob: AnyObject, Sendable {
    /// In nanoseconds of the pool's clock.
    var time: UInt64 { get }
    /// Enters the queue if its time has come, and is cancelled otherwise.
    func intakeCloses(at now: UInt64)
}

/// The jobs of an intake whose time has not come, for a shutdown. They are not retained.
struct DelayedIntakeJobs: ~Copyable {
    private struct Reference {
        weak var job: (any DelayedIntakeJob)?
    }

    private let jobs = Lock<[ObjectIdentifier: Reference]?>([:])

    /// Returns false after ``close(at:)``.
    func enter(_ job: any DelayedIntakeJob) -> Bool {
        jobs.withLock { jobs in
            jobs?[ObjectIdentifier(job)] = Reference(job: job)
            return jobs != nil
        }
    }

    func leave(_ job: any DelayedIntakeJob) { jobs.withLock { $0?[ObjectIdentifier(job)] = nil } }

    /// Enqueues the jobs whose time has come, in order, and cancels the others.
    func close(at now: UInt64) {
        let present = jobs.withLock { jobs in
            defer { jobs = nil }
            return (jobs ?? [:]).values.compactMap(\.job)
        }
        for job in present.sorted(by: { $0.time < $1.time }) { job.intakeCloses(at: now) }
    }
}
