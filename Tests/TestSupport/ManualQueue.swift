import Locks
import QueuePools

/// A serial queue whose jobs run when the test says so, on the test's thread.
package final class ManualQueue: SerialQueue {
    private let jobs = Lock<[@Sendable () -> Void]>([])

    package init() {}

    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
    }

    package var isCurrent: Bool { false }

    /// Runs the oldest job; false if there is none.
    @discardableResult
    package func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job()
        return true
    }

    /// Runs jobs until there is none.
    package func runAll() {
        while runNext() {}
    }
}
