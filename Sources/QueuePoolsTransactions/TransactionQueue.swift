import QueuePoolsLocks

/// Gathers transactions from any thread and runs them on the main actor when a driver says that the turn
/// ends.
///
/// Programs use ``main``. A program with a loop of its own can make a queue with a ``ManualTurnDriver`` and
/// call ``flush()`` once a frame. *Thread-safe*, except `flush`, which is main-actor isolated.
public final class TransactionQueue: Sendable {
    /// The queue of the main loop, driven by a ``MainLoopTurnDriver``.
    public static let main = TransactionQueue(driver: MainLoopTurnDriver())

    private struct State {
        var pending = PendingTransactions()
        /// How many flushes there were.
        var turn: UInt64 = 0
        /// True once the driver has been called for this turn, and has returned.
        var isScheduled = false
    }

    // Invariant: when `commit` returns, the driver has been called since the flush before, so that no wake-up
    // is lost and no transaction misses its turn. Every commit calls the driver until one of these calls has
    // returned: if only the first did, and its thread were delayed, the others would return with nothing
    // scheduled. A commit that comes back after a flush has begun the next turn must not set the flag of that
    // one; hence the number.
    private let state = Lock(State())
    private let driver: any TurnDriver

    /// How many flushes are being run, one within the other.
    @MainActor private var flushDepth = 0
    @MainActor private var endings: [@MainActor () -> Void] = []
    /// What flushes have taken and not run yet, the last one first. Empty between them; its memory is kept
    /// then, unless it is unusually large. Not checked for overlapping accesses, as none lasts while a
    /// transaction runs.
    @MainActor @exclusivity(unchecked) private var remainder: [PendingTransactions.Entry] = []

    /// Makes a queue that flushes when the driver says so.
    public init(driver: any TurnDriver) { self.driver = driver }

    func commit(_ transaction: Transaction) { commit { $0.insert(transaction) } }

    /// Calls a target at the end of this turn, in the order of commits; it must be committed at most once a
    /// turn.
    package func commit(_ target: any TurnTarget) { commit { $0.append(target) } }

    private func commit(_ insert: (inout PendingTransactions) -> Void) {
        let unscheduledTurn = state.withLock { state in
            insert(&state.pending)
            return state.isScheduled ? nil : state.turn
        }
        guard let unscheduledTurn else { return }
        callDriver()
        state.withLock { state in
            if state.turn == unscheduledTurn { state.isScheduled = true }
        }
    }

    /// Calls the driver, because there is something to flush.
    func callDriver() { driver.flushAtEndOfTurn(self) }

    /// Calls it once more, if what it has prepared for this turn may not be called any more.
    func callDriverIfPending() {
        if hasPending { callDriver() }
    }

    /// Whether there is something for the next flush.
    package var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

    /// Runs what is pending now, in the order of first commit, each transaction once. What the transactions
    /// commit belongs to the next flush.
    ///
    /// Each target is released when its transaction has run, outside of any lock. May be called from within a
    /// transaction, as by a loop that it runs: then the transactions behind that one run first.
    @MainActor
    public func flush() {
        var taken: [PendingTransactions.Entry] = []
        if remainder.isEmpty { swap(&taken, &remainder) }
        state.withLock { state in
            state.turn += 1
            state.isScheduled = false
            state.pending.takeAll(into: &taken)
        }
        // By its pointer: that moves elements where an array copies them.
        taken.withUnsafeMutableBufferPointer { $0.reverse() }
        if remainder.isEmpty { swap(&taken, &remainder) } else { remainder.insert(contentsOf: taken, at: 0) }
        taken = []  // each target is released when its own transaction has run
        flushDepth += 1
        while !remainder.isEmpty { remainder.removeLast().run() }
        flushDepth -= 1
        if remainder.capacity > 1_024 { remainder = [] }
        while !endings.isEmpty { endings.removeFirst()() }
    }

    /// True within a flush, or within `together`: its end is still to come.
    @MainActor package var isFlushing: Bool { flushDepth > 0 }

    /// True within a transaction with others behind it, which a nested loop must run before it sleeps.
    @MainActor var hasRemainder: Bool { !remainder.isEmpty }

    /// Calls a closure as a flush would: what it adds for the end of the flush is called then, or at the end
    /// of the flush that this is called in.
    @MainActor
    package func together(_ body: () -> Void) {
        flushDepth += 1
        body()
        flushDepth -= 1
        if flushDepth == 0 { while !endings.isEmpty { endings.removeFirst()() } }
    }

    /// Calls a closure when the transactions that are being flushed have run, or immediately if none are.
    @MainActor
    package func atEndOfFlush(_ body: @escaping @MainActor () -> Void) {
        guard flushDepth > 0 else { return body() }
        endings.append(body)
    }
}

/// What is pending in one turn: each transaction once, in the order of first commit.
struct PendingTransactions: Sendable {
    enum Entry: Sendable {
        case transaction(Transaction)
        case target(any TurnTarget)

        @MainActor
        consuming func run() {
            switch consume self {
            case .transaction(let transaction): transaction.run()
            case .target(let target): target.turnEnds()
            }
        }
    }

    private var keys: Set<Transaction.Key> = []
    private var inOrder: [Entry] = []

    var isEmpty: Bool { inOrder.isEmpty }

    /// Adds a transaction, unless an equal one is there.
    mutating func insert(_ transaction: Transaction) {
        if keys.insert(transaction.key).inserted { inOrder.append(.transaction(transaction)) }
    }

    /// Adds a target, whether or not it is there.
    mutating func append(_ target: any TurnTarget) { inOrder.append(.target(target)) }

    /// Exchanges all entries for an empty array, whose memory serves for the next ones.
    mutating func takeAll(into empty: inout [Entry]) {
        keys = []
        swap(&inOrder, &empty)
    }
}

/// What is called at the end of a turn, and is committed at most once a turn. It costs less than a
/// ``Transaction``: no closure, and no look-up whether an equal one is pending.
package protocol TurnTarget: AnyObject, Sendable {
    /// The turn ends.
    @MainActor func turnEnds()
}
