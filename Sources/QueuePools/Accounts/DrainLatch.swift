import Locks

/// Lets callers wait until each of a number of queues has been drained.
final class DrainLatch: Sendable {
    private enum State {
        case open
        case draining(undrained: Int, waiters: [@Sendable () -> Void])
        case drained
    }

    private let state = Lock(State.open)

    /// Calls `body` once all queues are drained. The first caller must then close the queues.
    ///
    /// - Parameter queueCount: how many queues there are, if this is the first call.
    /// - Returns: whether it is the first call.
    func wait(queueCount: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
        let (isFirst, isDrained) = state.withLock { state in
            switch state {
            case .open:
                state = queueCount == 0 ? .drained : .draining(undrained: queueCount, waiters: [body])
                return (true, queueCount == 0)
            case .draining(let undrained, let waiters):
                state = .draining(undrained: undrained, waiters: waiters + [body])
                return (false, false)
            case .drained:
                return (false, true)
            }
        }
        if isDrained { body() }
        return isFirst
    }

    /// One more queue has been drained.
    func countDown() {
        let waiters = state.withLock { state -> [@Sendable () -> Void] in
            guard case .draining(let undrained, let waiters) = state else { return [] }
            state = undrained == 1 ? .drained : .draining(undrained: undrained - 1, waiters: waiters)
            return undrained == 1 ? waiters : []
        }
        for waiter in waiters { waiter() }
    }
}
