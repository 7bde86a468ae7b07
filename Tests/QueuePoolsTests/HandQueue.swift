import QueuePoolsLocks
import QueuePools

/// Keeps its jobs, or runs each within the call.
final class HandQueue: SerialQueue {
    private let kept = Lock<[@Sendable () -> Void]>([])
    private let runsAtOnce: Bool
    var isCurrent: Bool { false }

    init(runsAtOnce: Bool) { self.runsAtOnce = runsAtOnce }

    func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
        let job = job
        if runsAtOnce { job() } else { kept.withLock { $0.append(job) } }
    }

    var count: Int { kept.withLock { $0.count } }

    func runFirst() { kept.withLock { $0.removeFirst() }() }

    func runAll() { for job in take() { job() } }

    func dropAll() { _ = take() }

    private func take() -> [@Sendable () -> Void] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}
