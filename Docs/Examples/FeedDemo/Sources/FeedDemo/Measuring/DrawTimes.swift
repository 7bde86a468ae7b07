import Synchronization

/// How long draws took, gathered from many threads. *Thread-safe.*
final class DrawTimes: Sendable {
    private let times = Mutex<[UInt64]>([])

    /// Keeps the length of a draw, in nanoseconds.
    func record(_ nanoseconds: UInt64) {
        times.withLock { $0.append(nanoseconds) }
    }

    /// What was recorded so far.
    var milliseconds: Distribution {
        Distribution(times.withLock { $0 }.map { Double($0) / 1_000_000 })
    }
}
