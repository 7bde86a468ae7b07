import Synchronization

/// A number that only the main actor raises, and that any thread may read.
///
/// With one writer there is nothing to race with, so that a load and a store do what would otherwise take a
/// locked instruction, and the sum can stop at the largest number instead of wrapping.
///
/// **Ordering.** A store releases and a load acquires: who reads a value also sees every counter's value at
/// the time of that store. So when the general is raised before the special, and the special is read before
/// the general, no reader finds more of the special. On x86 these are plain moves.
struct MainActorCounter: ~Copyable, Sendable {
    private let storage = Atomic<UInt64>(0)

    /// Raises the number, and returns the new one.
    @MainActor @discardableResult
    func add(_ amount: UInt64 = 1) -> UInt64 {
        let (sum, overflow) = storage.load(ordering: .relaxed).addingReportingOverflow(amount)
        let value = overflow ? .max : sum
        storage.store(value, ordering: .releasing)
        return value
    }

    var value: UInt64 { storage.load(ordering: .acquiring) }

    /// The number as a count; it would take a century of passes to be above `Int.max`.
    var count: Int { Int(clamping: value) }
}
