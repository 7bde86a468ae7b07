#if os(Linux)
    import Synchronization

    /// A worker queue of a pool, which counts its jobs itself, and lets them be cancelled without an object for each.
    final class PooledWorkerQueue: PooledQueue<WorkerQueue>, @unchecked Sendable {
        override func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            queue.submit(consume body)
        }

        override func submit(_ step: UnownedJob, of executor: PoolSerialExecutor<WorkerQueue>) {
            queue.enqueue(.actorStep, step, of: executor)
        }

        override func close(whenDrained body: @escaping @Sendable () -> Void) {
            queue.close(whenDrained: body)
        }

        override func cancelWaiting() { queue.cancelsWaiting.store(true, ordering: .relaxed) }

        override func add(to statistics: inout TierStatistics) {
            queue.counters.add(to: &statistics, positions: queue.mailbox.takenPositions)
        }
    }
#endif
