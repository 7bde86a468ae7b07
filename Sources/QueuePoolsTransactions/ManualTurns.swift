import QueuePoolsLocks

/// The turns of a main loop that is the program's own: GTK's, SDL's, a game engine's.
///
/// While one is open, every ``MainLoopTurnDriver``, and so ``TransactionQueue/main``, leaves the end of the
/// turn to it: a commit wakes the loop, and the loop calls ``endTurn()`` when it has done everything else.
///
///     let turns = ManualTurns { loop.wake() }
///     while loop.isRunning {
///         loop.waitForEventsAndHandleThem()
///         turns?.endTurn()
///     }
///
/// `MainLoopBridges` uses it for several kinds of loop; only a loop of another kind needs it. There is one
/// main thread, so at most one open `ManualTurns` in a process. *Thread-safe*, except `endTurn`, which is
/// main-actor isolated.
public final class ManualTurns: Sendable {
    private struct Waiting {
        let queue: TransactionQueue
        /// The turn in which it was committed to.
        let turn: UInt64
    }

    private struct State {
        var isOpen = true
        var turn: UInt64 = 0
        /// Each queue once, in the order of the commits.
        var waiting: [Waiting] = []
    }

    /// The open one, which is retained until it is closed.
    private static let current = Lock<ManualTurns?>(nil)

    private let state = Lock(State())
    private let wake: @Sendable () -> Void

    /// The queues that are being flushed, one within the other.
    @MainActor private var flushing: [TransactionQueue] = []

    /// Opens the turns of the main loop. Returns nil if another `ManualTurns` is open. It flushes what waits
    /// in ``TransactionQueue/main`` by then; what waits in another queue stays with the main run loop or the
    /// main queue until that has been flushed once.
    ///
    /// - Parameter wake: called on the committing thread, also on the main thread, with no lock held, at
    ///   least once between the first commit of a turn and its end. Ensures that the loop comes to its
    ///   ``endTurn()``, if it sleeps or is about to. It may be called more often than needed, and once more
    ///   while or after ``invalidate()`` is called on another thread.
    public init?(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        let isFirst = Self.current.withLock { current in
            guard current == nil else { return false }
            current = self
            return true
        }
        guard isFirst else { return nil }
        // The queue has called its driver before the turns were opened, and does not call it again before the
        // flush.
        TransactionQueue.main.callDriverIfPending()
    }

    /// Flushes every queue that has been committed to since the last end of a turn, in the order of the
    /// commits. What is committed meanwhile belongs to the next turn, for which the loop is woken.
    ///
    /// A loop that a transaction runs also calls this, before it sleeps for the first time: the transactions
    /// behind that one have woken the loop already, and do not wake it again.
    @MainActor
    public func endTurn() {
        let turn = state.withLock { state in
            state.turn += 1
            return state.turn
        }
        for queue in flushing where queue.hasRemainder { queue.flush() }
        while let queue = next(before: turn) {
            flushing.append(queue)
            queue.flush()
            flushing.removeLast()
        }
    }

    /// Whether a queue waits for the next end of a turn.
    package var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Closes them: later commits are for the main run loop or the main queue again, and so is what is
    /// pending. Does nothing the second time.
    public func invalidate() {
        // In this order: a commit after the second step finds no open turns.
        Self.current.withLock { current in
            if current === self { current = nil }
        }
        let waiting = state.withLock { state in
            state.isOpen = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for entry in waiting { entry.queue.callDriver() }
    }

    /// Leaves the flush of a queue to the open turns. Returns false if there are none.
    static func take(_ queue: TransactionQueue) -> Bool {
        // A copy, so that no lock is held while another is taken. If the turns are closed in between, `add`
        // returns false.
        let turns = current.withLock { $0 }
        return turns?.add(queue) ?? false
    }

    private func add(_ queue: TransactionQueue) -> Bool {
        let isOpen = state.withLock { state in
            if state.isOpen, !state.waiting.contains(where: { $0.queue === queue }) {
                state.waiting.append(Waiting(queue: queue, turn: state.turn))
            }
            return state.isOpen
        }
        // Also for a queue that was there, because the thread that added it may be delayed before its call.
        if isOpen { wake() }
        return isOpen
    }

    private func next(before turn: UInt64) -> TransactionQueue? {
        state.withLock { state in
            guard let first = state.waiting.first, first.turn < turn else { return nil }
            return state.waiting.removeFirst().queue
        }
    }
}
