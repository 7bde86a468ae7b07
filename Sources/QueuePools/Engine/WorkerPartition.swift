#if os(Linux)
    import CLinuxThreads
    import Dispatch
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
            let lane = group.lanes[group.firstLane].takeUnretainedValue()
            guard group.acceptsJobs, !lane.mailbox.isClosed,
                let supervisor = Supervisor.current()
            else { return nil }
            let job = DelayedJob(
                target: .lane(lane, of: group),
                deadline: clinux_monotonic_nanoseconds().advanced(by: delay), supervisor: supervisor,
                body: body)
            lane.counters.delayed.wrappingAdd(1, ordering: .relaxed)
            supervisor.insert(job)
            return PoolJob(owner: job)
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
            super.intakes + group.lanes.map { LaneIntake(lane: $0.takeUnretainedValue(), group: group) }
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
            guard lane.counters.delayed.load(ordering: .relaxed) > 0 else {
                lane.close(whenDrained: body)
                return group.wakeIfNeeded()
            }
            // First what is due goes into the lane, which then is closed, and then refuses what others insert.
            Supervisor.required().endDelayedJobs(of: group) { [lane, group] jobs in
                lane.close {
                    // Elsewhere: what they captured may do anything when it is released.
                    DispatchQueue.elsewhere.async {
                        for job in jobs { job.cancel(JobPlace()) }
                        body()
                    }
                }
                group.wakeIfNeeded()
            }
        }
    }
#endif
