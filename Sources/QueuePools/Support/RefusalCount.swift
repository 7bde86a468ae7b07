import Synchronization

/// Counts a group's requests that the kernel refused. Relaxed: it orders nothing. *Thread-safe.*
final class RefusalCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}
