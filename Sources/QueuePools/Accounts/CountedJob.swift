import Synchronization

/// A job on a queue that cannot take jobs back, such as a `DispatchQueue`: the queue gets a shell of under
/// 100 bytes, and the closure can be taken out of it.
final class CountedJob: JobOwner {
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

    func cancel(_: JobPlace) -> Bool {
        guard leaveWaiting(for: .cancelled) else { return false }
        ledger.accounts.capacity?.giveBack()
        body = nil
        ledger.cancel()
        return true
    }

    /// Runs the job, unless it was cancelled; called once, by the queue.
    func run() {
        if ledger.cancelsWaiting.load(ordering: .relaxed) {
            _ = cancel(JobPlace())
            return
        }
        guard leaveWaiting(for: .begun) else { return }
        ledger.accounts.capacity?.giveBack()
        ledger.start(receipt)
        runAndReleaseBody()
        ledger.finish(receipt)
    }

    /// A function of its own, so that the closure's captures are gone before the job counts as finished:
    /// after a shutdown nothing of what jobs captured may be alive.
    @inline(never)
    private func runAndReleaseBody() {
        guard let body = body.take() else { return }
        RunFrame.around(ledger, body)
    }

    private func leaveWaiting(for next: Stage) -> Bool {
        stage.compareExchange(expected: .waiting, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}
