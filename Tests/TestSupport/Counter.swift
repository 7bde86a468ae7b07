import Synchronization

/// A number that any thread can count up. *Thread-safe.*
package final class Counter: Sendable {
    private let storage = Atomic<Int>(0)

    package init() {}

    /// Adds one and returns the new value.
    @discardableResult
    package func increment() -> Int { storage.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes one off.
    package func decrement() { storage.wrappingSubtract(1, ordering: .relaxed) }

    /// The number now.
    package var value: Int { storage.load(ordering: .acquiring) }
}
