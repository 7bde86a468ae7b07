import QueuePoolsLocks

/// Counts how many of something exist, and calls closures when there is none.
final class UseCount: Sendable {
    private struct State {
        var count = 0
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    func enter() { state.withLock { $0.count += 1 } }

    func leave() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [@Sendable () -> Void]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }

    /// Calls `body` when there is none: now, or in the call that ends the last.
    func whenUnused(_ body: @escaping @Sendable () -> Void) {
        let isUnused = state.withLock { state in
            if state.count > 0 { state.waiters.append(body) }
            return state.count == 0
        }
        if isUnused { body() }
    }
}
