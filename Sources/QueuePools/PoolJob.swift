import Synchronization

/// A job that a pool has accepted, in its submitter's hands: it can be cancelled until it begins.
///
/// Dropping the handle changes nothing; the job runs. *Thread-safe.*
public final class PoolJob: Sendable {
    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        case begun
        case cancelled
    }

    // Invariant: `stage` leaves `.waiting` once, by one compare-and-exchange that one thread wins, and only
    // that thread touches `body` from then on. The exchange acquires, so the winner sees the body as the
    // submitter stored it, and releases, so that whoever reads `.cancelled` knows the job will never begin.
    private let stage = Atomic<Stage>(.waiting)
    private nonisolated(unsafe) var body: (@Sendable () -> Void)?
    private let receipt: QueueLedger.Receipt
    private let ledger: QueueLedger

    init(receipt: QueueLedger.Receipt, ledger: QueueLedger, body: @escaping @Sendable () -> Void) {
        self.receipt = receipt
        self.ledger = ledger
        self.body = body
    }

    /// Takes the job off its queue if it has not begun: it will never run, and its closure with all that it
    /// captured is released before this returns, on the calling thread.
    ///
    /// What stays in a `DispatchQueue` until its turn is an empty shell of under 100 bytes. O(1), lock-free.
    ///
    /// - Returns: true if this call cancelled it; false if it has begun, has ended, or was cancelled before.
    @discardableResult
    public func cancel() -> Bool {
        guard leaveWaiting(for: .cancelled) else { return false }
        body = nil
        ledger.cancel()
        return true
    }

    /// True if the job was cancelled before it began.
    public var isCancelled: Bool { stage.load(ordering: .acquiring) == .cancelled }

    /// Runs the job, unless it was cancelled; called once, by the queue.
    func run() {
        guard leaveWaiting(for: .begun) else { return }
        ledger.start(receipt)
        runAndReleaseBody()
        ledger.finish()
    }

    /// A function of its own, so that the closure's captures are gone before the job counts as finished:
    /// after a shutdown nothing of what jobs captured may be alive.
    @inline(never)
    private func runAndReleaseBody() {
        body.take()?()
    }

    private func leaveWaiting(for next: Stage) -> Bool {
        stage.compareExchange(expected: .waiting, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}
