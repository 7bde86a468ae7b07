#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks

    /// The made queues of a group that exist, for shutdowns and statistics: a list, from which each takes
    /// itself out when it ends. A queue that is made when the list is closed is closed, too.
    final class MadeQueues: JobIntake, @unchecked Sendable {  // under the lock
        struct Neighbours {
            fileprivate var previous: Unmanaged<MadeQueue>?
            fileprivate var next: Unmanaged<MadeQueue>?
            /// Where a runtime is not known to tell whether an object is about to end.
            fileprivate var reference: WeakQueue?
        }

        fileprivate final class WeakQueue {
            weak var queue: MadeQueue?

            init(_ queue: MadeQueue) { self.queue = queue }
        }

        private struct State: @unchecked Sendable {  // pointers to queues that are in the list
            var first: Unmanaged<MadeQueue>?
            var isClosed = false
            var isCancelling = false
            /// Made with the first queue.
            var pages: InboxPages?
            /// The figures of queues that have ended.
            var past = TierStatistics()
        }

        private let state = Lock(State())

        /// The pages for inboxes.
        func pages(for settings: ThreadSettings) -> InboxPages {
            // In a forked child a thread of the parent may have locked the list.
            guard !isForkedChild else { return InboxPages(of: settings) }
            return state.withLock { state in
                let pages = state.pages ?? InboxPages(of: settings)
                state.pages = pages
                return pages
            }
        }

        /// Enters a queue. Returns whether the list is closed, and whether waiting jobs are cancelled.
        func enter(_ queue: MadeQueue) -> (isClosed: Bool, isCancelling: Bool) {
            // As above. The queue refuses all jobs.
            guard !isForkedChild else { return (false, false) }
            return state.withLock { state in
                let entry = Unmanaged.passUnretained(queue)
                if !SwiftRuntime.isKnown { queue.neighbours.reference = WeakQueue(queue) }
                queue.neighbours.next = state.first
                state.first?._withUnsafeGuaranteedRef { $0.neighbours.previous = entry }
                state.first = entry
                return (state.isClosed, state.isCancelling)
            }
        }

        /// Takes out a queue, which ends.
        func leave(_ queue: MadeQueue) {
            guard !isForkedChild else { return }
            state.withLock { state in
                let (previous, next) = (queue.neighbours.previous, queue.neighbours.next)
                next?._withUnsafeGuaranteedRef { $0.neighbours.previous = previous }
                if let previous {
                    previous._withUnsafeGuaranteedRef { $0.neighbours.next = next }
                } else {
                    state.first = next
                }
                queue.addCounts(to: &state.past)
            }
        }

        /// Passes each queue, under the lock; some may be about to end.
        func reduce<Result>(into result: Result, _ body: (inout Result, MadeQueue) -> Void) -> Result {
            reduce(into: result, past: { _, _ in }, body)
        }

        /// The same, and passes the figures of queues that have ended.
        private func reduce<Result>(
            into result: Result, past: (inout Result, TierStatistics) -> Void,
            _ body: (inout Result, MadeQueue) -> Void
        ) -> Result {
            // Retained until the lock is free: a queue that ends takes it. One that is ending already waits
            // for it, so its memory is there.
            nonisolated(unsafe) var retained: [MadeQueue] = []
            nonisolated(unsafe) var result = result
            state.withLock { state in
                past(&result, state.past)
                var next = state.first
                while let present = next {
                    if let queue = Self.retained(present) { retained.append(queue) }
                    present._withUnsafeGuaranteedRef {
                        body(&result, $0)
                        next = $0.neighbours.next
                    }
                }
            }
            withExtendedLifetime(retained) {}
            return result
        }

        /// A queue of the list; nil if it is about to end. Its memory is there.
        private static func retained(_ queue: Unmanaged<MadeQueue>) -> MadeQueue? {
            guard SwiftRuntime.isKnown else {
                return queue._withUnsafeGuaranteedRef { $0.neighbours.reference?.queue }
            }
            return cqp_reference_try_retain(queue.toOpaque()) ? queue.takeRetainedValue() : nil
        }

        /// The queues that are not about to end.
        private static func queues(in state: State) -> [MadeQueue] {
            var queues: [MadeQueue] = []
            var next = state.first
            while let present = next {
                next = present._withUnsafeGuaranteedRef { $0.neighbours.next }
                // One that ends waits for the lock, so its memory is there.
                if let queue = retained(present) { queues.append(queue) }
            }
            return queues
        }

        var queues: [MadeQueue] { state.withLock { Self.queues(in: $0) } }

        func close(whenDrained body: @escaping @Sendable () -> Void) {
            let queues = state.withLock { state in
                state.isClosed = true
                return Self.queues(in: state)
            }
            let undrained = UseCount()
            for queue in queues {
                undrained.enter()
                queue.close { undrained.leave() }
            }
            undrained.whenUnused(body)
        }

        func cancelWaiting() {
            let queues = state.withLock { state in
                state.isCancelling = true
                return Self.queues(in: state)
            }
            for queue in queues { queue.cancelWaiting() }
        }

        func add(to statistics: inout TierStatistics) {
            let figures = reduce(into: TierStatistics(), past: { $0 = $1 }) { $1.add(to: &$0) }
            statistics.submitted += figures.submitted
            statistics.delayed += figures.delayed
            statistics.waiting += figures.waiting
            statistics.running += figures.running
            statistics.finished += figures.finished
            statistics.cancelled += figures.cancelled
            statistics.longestWait = longer(figures.longestWait, statistics.longestWait)
            if let fullest = figures.fullestQueue {
                statistics.compareQueue(waiting: fullest.waiting, fullest)
            }
        }
    }
#endif
