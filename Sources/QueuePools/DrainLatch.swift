import Locks

/// Lets callers wait until a set of closed queues has ended all that they accepted.
final class DrainLatch: Sendable {
    private struct State {
        var isClosed = false
        /// Queues with work left, as of the last look. Meaningful once closed.
        var undrained: [QueueLedger] = []
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Closes the intake of these queues, on the first call; calls `body` once they are drained.
    func close(_ ledgers: [QueueLedger], whenDrained body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.isClosed {
                state.isClosed = true
                for ledger in ledgers { ledger.close() }
                state.undrained = ledgers
            }
            state.waiters.append(body)
        }
        look()
    }

    /// Looks whether the last queue has been drained. Called at each event that could have done it.
    func look() {
        let waiters = state.withLock { state -> [@Sendable () -> Void] in
            guard state.isClosed else { return [] }
            state.undrained.removeAll { $0.isDrained }
            guard state.undrained.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }
}
