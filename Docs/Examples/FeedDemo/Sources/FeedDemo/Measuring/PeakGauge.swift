import Synchronization

/// A level that many threads raise and lower, and the highest it has been. *Thread-safe*; lock-free.
final class PeakGauge: Sendable {
    private let level = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)

    /// Where the level is now.
    var current: Int { level.load(ordering: .relaxed) }
    /// The highest level since the start or the last ``reset()``.
    var peak: Int { highest.load(ordering: .relaxed) }

    /// Raises the level, or lowers it by a negative amount; wraps around rather than trap.
    func add(_ amount: Int) {
        let new = level.wrappingAdd(amount, ordering: .relaxed).newValue
        // A plain store could write a lower peak over a higher one of another thread.
        if amount > 0 { highest.max(new, ordering: .relaxed) }
    }

    /// Forgets the peak: from now on it is the highest level after this call.
    func reset() {
        highest.store(level.load(ordering: .relaxed), ordering: .relaxed)
    }
}
