#if os(Linux)
    import Synchronization

    /// Worker queues that share their threads, and lanes for unordered jobs, which any of the threads runs.
    final class WorkerPartition: NodePartition<WorkerQueue>, @unchecked Sendable {
        let group: WorkerGroup

        init(group: WorkerGroup, queues: [PooledQueue<WorkerQueue>]) {
            self.group = group
            super.init(queues)
        }

        override func submit(_ body: __owned @escaping @Sendable () -> Void) -> PoolJob? {
            guard group.acceptsJobs else { return nil }
            let job = group.lanes[group.nextLane]._withUnsafeGuaranteedRef { $0.submit(body) }
            if job != nil { group.wakeIfNeeded() }
            return job
        }

        /// Submits an unordered job that is to begin after a time.
        func submit(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> PoolJob? {
            guard group.acceptsJobs else { return nil }
            return group.lanes[group.firstLane].takeUnretainedValue().submit(after: delay, body)
        }

        override func submit(
            _ body: consuming @escaping @Sendable () -> Void, because reason: AwaitedSubmission
        ) -> PoolJob? {
            guard group.acceptsJobs else { return nil }
            let lane = reason == .priority ? group.firstLane : group.nextLane
            guard let job = group.lanes[lane].takeUnretainedValue().submit(consume body) else { return nil }
            if reason != .suspending {
                group.wakeIfNeeded()
            } else if group.wakeForStep() {
                WorkerThread.current?.next = .lane(lane)
            }
            return job
        }

        override func submit(_ step: UnownedJob, of executor: PoolTaskExecutor<WorkerQueue>) {
            group.prepareToSend()
            // The step may be the last that holds the executor, and with it the pool.
            let group = Unmanaged.passRetained(group)
            group._withUnsafeGuaranteedRef { group in
                let lane = group.nextLane
                group.lanes[lane]._withUnsafeGuaranteedRef {
                    $0.send(
                        .taskStep, unsafeBitCast(step, to: UInt.self),
                        UInt(bitPattern: Unmanaged.passUnretained(executor).toOpaque()))
                }
                if group.wakeForStep() { WorkerThread.current?.next = .lane(lane) }
            }
            group.release()
        }

        override var isCurrent: Bool { WorkerThread.current?.group === group || super.isCurrent }

        override func endThreads(joining isJoining: Bool) {
            group.retire()
            guard isJoining else { return }
            group.joinThreads {
                var statistics = TierStatistics()
                self.add(to: &statistics)
                return statistics.running + statistics.waiting > 0
            }
        }

        override var intakes: [any JobIntake] {
            super.intakes + group.lanes.map { $0.takeUnretainedValue() }
        }

        override func add(to statistics: inout TierStatistics) {
            super.add(to: &statistics)
            group.add(to: &statistics)
        }
    }

    /// A queue of a pool, which counts its jobs itself, and lets them be cancelled without an object for each.
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

        override func cancelWaiting() { queue.jobs.cancelsWaiting.store(true, ordering: .relaxed) }

        override func add(to statistics: inout TierStatistics) { queue.jobs.add(to: &statistics) }
    }
#endif
