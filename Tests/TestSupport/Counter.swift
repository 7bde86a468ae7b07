import Synchronization

/// A number that any thread can count up. *Thread-safe.*
public final class Counter: Sendable {
    private let storage = Atomic<Int>(0)

    public init() {}

    /// Adds one and returns the new value.
    @discardableResult
    public func increment() -> Int { storage.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Takes one off.
    public func decrement() { storage.wrappingSubtract(1, ordering: .relaxed) }

    /// The number now.
    public var value: Int { storage.load(ordering: .acquiring) }
}
