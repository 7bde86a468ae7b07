#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// Worker queues that share their threads, and lanes for unordered jobs, which any of the threads runs.
    final class WorkerPartition: NodePartition<WorkerQueue>, @unchecked Sendable {
        private let group: WorkerGroup

        init(group: WorkerGroup, queues: [PooledQueue<WorkerQueue>]) {
            self.group = group
            super.init(queues)
        }

        override func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            guard group.isReady || group.makeFirstThread() else { return nil }
            let job = group.lanes[group.nextLane].submit(consume body)
            if job != nil { group.wakeIfNeeded() }
            return job
        }

        override func submitBeforeSuspension(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
            guard group.isReady || group.makeFirstThread() else { return nil }
            let lane = group.nextLane
            let job = group.lanes[lane].submit(consume body)
            if job != nil, group.wakeForStep() { WorkerThread.current?.next = .lane(lane) }
            return job
        }

        override func submit(_ step: UnownedJob, of executor: PoolTaskExecutor<WorkerQueue>) {
            group.prepareToSend()
            // The step may be the last that holds the executor, and with it the pool.
            let group = Unmanaged.passRetained(group)
            group._withUnsafeGuaranteedRef { group in
                let lane = group.nextLane
                group.lanes[lane].send(
                    .taskStep, unsafeBitCast(step, to: UInt.self),
                    UInt(bitPattern: Unmanaged.passUnretained(executor).toOpaque()))
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
            super.intakes + group.lanes.map { LaneIntake(lane: $0, group: group) }
        }

        override func add(to statistics: inout TierStatistics) {
            super.add(to: &statistics)
            group.add(to: &statistics)
        }
    }

    private struct LaneIntake: JobIntake {
        let lane: UnorderedLane
        let group: WorkerGroup

        func cancelWaiting() { lane.cancelsWaiting.store(true, ordering: .relaxed) }

        func close(whenDrained body: @escaping @Sendable () -> Void) {
            guard !group.isForked else { return body() }
            lane.close(whenDrained: body)
            group.wakeIfNeeded()
        }
    }
#endif
