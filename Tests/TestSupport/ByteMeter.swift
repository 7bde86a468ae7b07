import QueuePoolsLocks

/// The bytes of the contexts that are being drawn into, counted by the draws themselves. *Thread-safe.*
package final class ByteMeter: Sendable {
    private let state = Lock((now: 0, peak: 0))

    package init() {}

    /// A draw has its context.
    package func add(_ bytes: Int) {
        state.withLock { state in
            state.now += bytes
            state.peak = max(state.peak, state.now)
        }
    }

    /// A draw has ended.
    package func remove(_ bytes: Int) { state.withLock { $0.now -= bytes } }

    /// The bytes now.
    package var bytes: Int { state.withLock { $0.now } }
    /// The most there were at a time.
    package var peak: Int { state.withLock { $0.peak } }
}
