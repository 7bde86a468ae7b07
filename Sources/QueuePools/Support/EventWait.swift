import QueuePoolsLocks

/// A task that waits for an event, and can wait no longer: the first end counts.
final class EventWait: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>, atEnd: [@Sendable () -> Void])
        case ended(Result<Void, any Error>)
    }

    private let state = Lock(State.new)

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation, atEnd: [])
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Calls a closure when the wait has ended, such as one that cancels a timer.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let isKept = state.withLock { state in
            guard case .waiting(let continuation, let bodies) = state else { return false }
            state = .waiting(continuation, atEnd: bodies + [body])
            return true
        }
        if !isKept { body() }
    }

    /// Ends the wait, once.
    func end(throwing error: (any Error)? = nil) {
        let result: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let before = state.withLock { state in
            let before = state
            if case .ended = before { return before }
            state = .ended(result)
            return before
        }
        guard case .waiting(let continuation, let bodies) = before else { return }
        for body in bodies { body() }
        continuation.resume(with: result)
    }
}
