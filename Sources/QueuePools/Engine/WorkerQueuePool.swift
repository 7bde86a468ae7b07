#if os(Linux)
    import Synchronization
    import QueuePoolsTopology

    /// A pool of ``WorkerQueue``s: in each tier n queues that share their threads, n by default, tiers that
    /// differ without privileges, queues and threads that stay on their NUMA node. The default on Linux.
    ///
    /// Its promises beyond those of a ``DispatchQueuePool``:
    /// - a tier has at most as many threads as it has queues, or as ``WorkerOptions/threadsPerTier`` says,
    ///   whatever its jobs do, and however many queues are made on it (``QueuePool/makeQueue(label:qos:)``);
    ///   threads beyond one end when they have had nothing to do for a while
    ///   (``ThreadOptions/idleLimit``);
    /// - an unordered job waits for no other job while a thread of its tier (and node) is free;
    /// - ``WorkerQueue/sync(_:)`` on an idle queue runs on the caller, without another thread;
    /// - no submitter's nice value is inherited; each tier has its scheduling (``WorkerOptions/scheduling``);
    /// - the threads that a tier has serve all of its queues; if the system has none, `async` throws (the
    ///   first submission to a tier waits for its first thread to be made, about 0.1 ms);
    /// - the statistics count all jobs, also those that callers put on a queue from `queue(for:)`.
    public typealias WorkerQueuePool = QueuePool<WorkerQueue>

    extension QueuePool where Queue == WorkerQueue {
        /// Makes a pool with the given number of queues a tier.
        ///
        /// `capacity`: how many jobs of a tier may wait (``QueuePoolOptions/capacity``). Default: any.
        /// `carrying`: the task-local values that jobs carry (``QueuePoolOptions/carrying``). Default:
        /// none.
        ///
        /// - Throws: ``PoolError`` for an empty label, no queues, more than
        ///   ``QueuePoolOptions/queuesPerTierLimit``, an impossible capacity, or impossible options.
        public convenience init(
            label: String, queuesPerTier: TierCounts = .automatic,
            capacity: TierCapacities = .unlimited, workers: WorkerOptions = WorkerOptions(),
            carrying: any CarriedTaskLocal...
        ) throws(PoolError) {
            var options = QueuePoolOptions(
                label: label, queuesPerTier: queuesPerTier, capacity: capacity)
            options.carrying = carrying
            try self.init(options, workers: workers)
        }

        /// Makes a pool from options.
        ///
        /// - Throws: ``PoolError`` if the options are impossible.
        public convenience init(
            _ options: QueuePoolOptions, workers: WorkerOptions = WorkerOptions()
        ) throws(PoolError) {
            try self.init(options, workers: workers) { $0 }
        }

        /// Not available: a pool of worker queues makes them itself, on the threads of their tier.
        @available(
            *, unavailable, message: "a WorkerQueuePool makes its queues; write 'WorkerQueuePool(options)'"
        )
        public convenience init(
            _ options: QueuePoolOptions, makeQueue: @escaping QueueMaker
        ) throws(PoolError) {
            fatalError()
        }

        /// - Parameter adjust: changes the settings of each tier's threads, for tests.
        convenience init(
            _ options: QueuePoolOptions, workers: WorkerOptions = WorkerOptions(),
            adjust: @escaping @Sendable (ThreadSettings) -> ThreadSettings
        ) throws(PoolError) {
            try workers.validate()
            // Made by a thread that makes pools, not by one that submits. If it fails, submissions try again.
            _ = Supervisor.current()

            let topology = options.topology
            let isDivided = options.placement == .byNode && topology.nodes.count > 1
            let homes = isDivided ? NodeMemory.homes(in: topology) : [:]
            let threads = { @Sendable tier in
                workers.threadsPerTier[tier] ?? options.queueCount(of: tier)
            }
            try self.init(options, threadCount: threads) { tier, layout, number, accounting in
                let part = layout.partitions[number]
                let refusals = RefusalCount()
                let home = part.node.flatMap { homes[$0] }
                if isDivided, home == nil, NodeMemory.isAsked { refusals.increment() }
                let nodes = topology.nodes.filter { part.node == nil || $0.id == part.node }
                let cpuCount = isDivided ? nodes.map(\.cpus.count).reduce(0, +) : .max
                let settings = ThreadSettings(
                    label: "\(options.label).\(tier.name)",
                    limit: layout.shares(of: threads(tier))[number],
                    processors: min(topology.activeProcessorCount, cpuCount), keepsLast: true,
                    scheduling: workers.scheduling[tier], cpus: isDivided ? nodes.flatMap(\.cpus) : nil,
                    memoryNode: home, tier: tier, threads: workers.threads, observation: workers.observation,
                    yieldsAfterSingleJob: tier < .userInteractive, refusals: refusals)
                let group = WorkerGroup(
                    settings: adjust(settings),
                    labels: part.queues.map { tier.queueLabel(in: options.label, $0) },
                    accounting: accounting)
                return WorkerPartition(group)
            }
        }

        /// The pool of the process, labelled `shared`, with one queue per active core in each tier. All parts
        /// of the program share it: do not shut it down. A thread of normal priority should be the first to
        /// use it, such as the main thread, as it is with layers.
        public static var shared: WorkerQueuePool { sharedPool }
    }

    // The default options are always possible.
    private let sharedPool = try! WorkerQueuePool(label: "shared")

    /// Worker queues that share their threads, and lanes for unordered jobs, which any of the threads runs.
    final class WorkerPartition: NodePartition<WorkerQueue>, @unchecked Sendable {
        let group: WorkerGroup

        init(_ group: WorkerGroup) {
            self.group = group
            super.init(group.labels.indices.map { WorkerQueue(MailboxQueue(group: group, index: $0)) })
        }

        override func submit(
            _ body: __owned @escaping @Sendable () -> Void, to queue: Int?, because reason: SubmissionReason
        ) -> PoolJob? {
            var closure = Optional(Closure(consume body))
            if let queue {
                return group.withQueue(at: queue) {
                    $0.submit(closure.take().unsafelyUnwrapped.body, since: reason.calledAt)
                }
            }
            let number = if case .priority = reason { group.firstLane } else { group.nextLane }
            guard group.lanes[number]._withUnsafeGuaranteedRef({ isAccepting($0) }) else { return nil }
            let job = group.lanes[number]._withUnsafeGuaranteedRef {
                $0.submit(closure.take().unsafelyUnwrapped.body, since: reason.calledAt)
            }
            guard job != nil else { return nil }
            if case .suspending = reason, group.keep(.lane(number)) == nil { return job }
            group.wakeIfNeeded()
            return job
        }

        /// Whether a lane takes jobs, and there is a thread for them, which is made if there is none. The
        /// lane comes first: no thread is made for jobs that it refuses, and none reads their positions.
        @inline(__always)
        private func isAccepting(_ lane: UnorderedLane) -> Bool {
            !lane.mailbox.isClosed && group.acceptsJobs
        }

        override func submit(
            _ body: @escaping @Sendable () -> Void, to queue: Int?, at time: UInt64
        ) -> PoolJob? {
            if let queue { return group.withQueue(at: queue) { $0.submit(body, at: time) } }
            let lane = group.lanes[group.firstLane].takeUnretainedValue()
            return isAccepting(lane) ? lane.submit(at: time, body) : nil
        }

        override func submit(_ step: UnownedJob, of executor: any StepExecutor, to queue: Int?) {
            if let queue {
                return group.withQueue(at: queue) { $0.enqueue(.actorStep, step, of: executor) }
            }
            // First: in a forked child a step that a thread kept would wait forever.
            group.prepareToSend()
            let message = Message(.taskStep, Message.words(of: step, on: executor))
            guard let work = group.keep(.step(message)) else { return }
            // The step may be the last that retains the executor, and with it the pool.
            let group = Unmanaged.passRetained(group)
            group.takeUnretainedValue().send(work)
            group.release()
        }

        /// Does not use a queue's `enqueue`, which is not refused either: behind a job that blocks the queue,
        /// the release would wait although a thread of the tier is free.
        override func submit(release body: @escaping @Sendable () -> Void) {
            group.prepareToSend()
            let words = Closure(body).intoWords()
            group.lanes[group.nextLane]._withUnsafeGuaranteedRef { _ = $0.mailbox.send(.closure, words) }
            group.wakeIfNeeded()
        }

        override var isCurrent: Bool {
            WorkerThread.current?.group === group || RunFrame.heldQueues.contains { $0.group === group }
        }

        override func endThreads(joining isJoining: Bool) {
            group.retire()
            guard isJoining else { return }
            var finished = 0
            group.joinThreads {
                var statistics = TierStatistics()
                self.add(to: &statistics)
                defer { finished = statistics.finished }
                // The next step of a task that yields waits nowhere: its thread keeps it.
                return statistics.running + statistics.waiting + statistics.delayed > 0
                    || statistics.finished != finished
            }
        }

        override var intakes: [any JobIntake] {
            queues.map { $0.takeUnretainedValue().core } + group.lanes.map { $0.takeUnretainedValue() }
                + [group.madeQueues]
        }

        override func add(to statistics: inout TierStatistics) {
            for queue in queues { queue.takeUnretainedValue().core.add(to: &statistics) }
            group.add(to: &statistics)
        }
    }
#endif
