import Locks

/// Gathers transactions from any thread and runs them on the main actor when a driver says that the turn ends.
///
/// Programs use ``main``. A host that has a loop of its own makes a queue with a ``ManualTurnDriver`` and calls
/// ``flush()`` once a frame. *Thread-safe*, but for `flush`, which is main-actor isolated.
public final class TransactionQueue: Sendable {
    /// The queue of the main loop, driven by a ``MainLoopTurnDriver``.
    public static let main = TransactionQueue(driver: MainLoopTurnDriver())

    // Invariant: whenever the set is not empty, the driver has been told since it last was. The commit that
    // finds the set empty tells it; `flush` empties the set under the same lock, so the next commit finds it
    // empty again. No wake-up can be lost between the two.
    private let pending = Lock(PendingTransactions())
    private let driver: any TurnDriver

    /// Makes a queue that flushes when the driver says so.
    public init(driver: any TurnDriver) {
        self.driver = driver
    }

    func commit(_ transaction: Transaction) {
        let isFirst = pending.withLock { pending in
            let isFirst = pending.isEmpty
            pending.insert(transaction)
            return isFirst
        }
        if isFirst { driver.flushAtEndOfTurn(self) }
    }

    /// Runs what is pending now, in the order of first commit, each transaction once. What the transactions
    /// commit in turn belongs to the next flush.
    ///
    /// Targets are released here, outside of any lock. May be called from within a transaction.
    @MainActor
    public func flush() {
        let transactions = pending.withLock { $0.takeAll() }
        for transaction in transactions { transaction.run() }
    }
}
