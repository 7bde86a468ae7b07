#if os(Linux)
    /// A worker queue of a pool. Its worker keeps the accounts, and lets jobs be cancelled without an object
    /// for each.
    final class PooledWorkerQueue: PooledQueue<WorkerQueue>, @unchecked Sendable {
        private let worker: Worker

        init(worker: Worker) {
            self.worker = worker
            super.init(queue: WorkerQueue(worker: worker), waits: worker.settings.waits)
        }

        override func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            worker.submit(consume body)
        }

        override func submit(_ step: UnownedJob, of executor: PoolTaskExecutor<WorkerQueue>) {
            worker.enqueue(.taskStep, step, of: executor)
        }

        override func submit(_ step: UnownedJob, of executor: PoolSerialExecutor<WorkerQueue>) {
            worker.enqueue(.actorStep, step, of: executor)
        }

        override func close(whenDrained body: @escaping @Sendable () -> Void) {
            worker.close(whenDrained: body)
        }

        override func add(to statistics: inout TierStatistics) {
            worker.add(to: &statistics)
        }
    }
#endif
