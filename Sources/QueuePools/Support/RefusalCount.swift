import Synchronization

/// How often the kernel refused what a group asked for. *Thread-safe.*
final class RefusalCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}
