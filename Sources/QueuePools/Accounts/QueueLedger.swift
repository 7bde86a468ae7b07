import Dispatch
import Synchronization

/// The accounts of one queue: what it was given, what it began, finished and dropped.
///
/// Submitters pay one atomic increment here, and every sixteenth of them a look at the clock.
///
/// **Closing.** The top bit of `accepted` says that intake is closed; the other bits count. A submitter
/// increments first and looks at the bit in the value that it replaced: set, it takes its increment back and
/// is refused; clear, it is counted. So there is no moment at which a job is neither counted nor refused.
///
/// **No lost end.** The queue is drained when `finished + cancelled` equals the count in `accepted`.
///
///     whoever ends a job             | whoever closes
///     -------------------------------|------------------------------------------
///     finished += 1                  | accepted |= closed
///     reads accepted: closed?        | reads finished: all ended?
///
/// These are a store and then a load on two different words on either side, so all four are sequentially
/// consistent: one side must see the other's store. If the left side sees `closed` it looks whether all has
/// ended; if it does not, the right side sees its `finished`. Should both find the queue drained, the
/// exchange of `isReported` lets one of them say so.
final class QueueLedger: Sendable {
    private static let closed: UInt64 = 1 << 63
    /// Every sixteenth submission's waiting time is measured.
    private static let sampling: UInt64 = 16

    private let accepted = Atomic<UInt64>(0)
    private let started = Atomic<UInt64>(0)
    private let finished = Atomic<UInt64>(0)
    private let cancelled = Atomic<UInt64>(0)
    private let isReported = Atomic<Bool>(false)
    /// Steps that came after the closing and have ended.
    private let finishedLate = Atomic<UInt64>(0)
    /// Whether jobs that have not begun are to be cancelled when their turn comes. Relaxed: it orders nothing.
    let cancelsWaiting = Atomic<Bool>(false)
    // Written before the bit `closed` is set, read after the bit was seen.
    private nonisolated(unsafe) var whenDrained: @Sendable () -> Void = {}
    let accounts: TierAccounts

    init(accounts: TierAccounts) {
        self.accounts = accounts
    }

    /// When a job was submitted, for those whose waiting time is measured.
    struct Receipt: Sendable {
        fileprivate let submittedAt: UInt64?
        /// Whether it came after the closing, which does not wait for it.
        fileprivate let isLate: Bool

        fileprivate init(turn: UInt64, isLate: Bool = false) {
            self.isLate = isLate
            submittedAt = turn % QueueLedger.sampling == 0 ? DispatchTime.now().uptimeNanoseconds : nil
        }
    }

    // MARK: A job's way through the books

    /// Counts a job in, or returns nil because intake is closed.
    func accept() -> Receipt? {
        let receipt = acceptAlways()
        return receipt.isLate ? nil : receipt
    }

    /// Counts a job in even after closing: a Swift task that has begun must be able to go on.
    func acceptAlways() -> Receipt {
        let before = accepted.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
        guard before & Self.closed != 0 else { return Receipt(turn: before) }
        accepted.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        reportIfDrained()  // in the meantime the queue may have looked busy
        return Receipt(turn: before & ~Self.closed, isLate: true)
    }

    func start(_ receipt: Receipt) {
        guard !receipt.isLate else { return }
        started.wrappingAdd(1, ordering: .relaxed)
        if let submittedAt = receipt.submittedAt {
            accounts.waits.record(nanoseconds: DispatchTime.now().uptimeNanoseconds &- submittedAt)
        }
    }

    func finish(_ receipt: Receipt) {
        guard !receipt.isLate else {
            finishedLate.wrappingAdd(1, ordering: .relaxed)
            return
        }
        finished.wrappingAdd(1, ordering: .sequentiallyConsistent)
        lookIfClosed()
    }

    func cancel() {
        cancelled.wrappingAdd(1, ordering: .sequentiallyConsistent)
        lookIfClosed()
    }

    private func lookIfClosed() {
        if accepted.load(ordering: .sequentiallyConsistent) & Self.closed != 0 { reportIfDrained() }
    }

    // MARK: Closing

    /// Closes the intake. `body` is called when all that was accepted has ended; at once if the intake was
    /// closed before, as that of a tier is which is first used during a shutdown. Not to be called twice at
    /// the same time.
    func close(whenDrained body: @escaping @Sendable () -> Void) {
        guard accepted.load(ordering: .relaxed) & Self.closed == 0 else { return body() }
        whenDrained = body
        accepted.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
        reportIfDrained()
    }

    private func reportIfDrained() {
        guard isDrained, !isReported.exchange(true, ordering: .relaxed) else { return }
        whenDrained()
    }

    private var isDrained: Bool {
        // Ends are read before the beginnings: read the other way round, a job that comes and goes between
        // the two could stand in for one that is still there.
        let ended =
            finished.load(ordering: .sequentiallyConsistent)
            + cancelled.load(ordering: .sequentiallyConsistent)
        return ended == accepted.load(ordering: .sequentiallyConsistent) & ~Self.closed
    }

    // MARK: Reading

    /// Adds this queue's figures to a tier's. Read from the last event of a job's life to the first, so that
    /// no snapshot shows more ends than beginnings.
    func add(to statistics: inout TierStatistics) {
        let late = Int(finishedLate.load(ordering: .relaxed))
        let cancelled = Int(self.cancelled.load(ordering: .acquiring))
        let finished = Int(self.finished.load(ordering: .acquiring))
        let started = Int(self.started.load(ordering: .acquiring))
        let submitted = Int(accepted.load(ordering: .acquiring) & ~Self.closed)
        statistics.cancelled += cancelled
        statistics.finished += finished + late
        statistics.running += max(0, started - finished)
        statistics.submitted += submitted + late
        statistics.waiting += max(0, submitted - started - cancelled)
    }
}
