import Dispatch
import Synchronization

/// Counts a batch of jobs down, and wakes the thread that waits for it.
final class Countdown: Sendable {
    private let left = Atomic<Int>(0)
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins a batch.
    func expect(_ count: Int) { left.store(count, ordering: .releasing) }

    /// One job less.
    func arrive() {
        if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isOver.signal() }
    }

    /// Waits for the last job, for a minute at most.
    func wait() -> Bool { isOver.wait(timeout: .now() + .seconds(60)) == .success }
}
