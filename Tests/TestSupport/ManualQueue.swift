public import QueuePools
import Synchronization

/// A serial queue whose jobs run when the test says so, on the test's thread.
public final class ManualQueue: SerialQueue {
    private let jobs = Mutex<[@Sendable () -> Void]>([])

    public init() {}

    public func enqueue(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
    }

    public var isCurrent: Bool { false }

    /// Runs the oldest job; false if there is none.
    @discardableResult
    public func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job()
        return true
    }

    /// Runs jobs until there is none.
    public func runAll() {
        while runNext() {}
    }
}
