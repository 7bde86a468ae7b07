import QueuePools

/// All contenders, by name.
enum Roster {
    /// The pools of this package. The first one is "ours", which all others are compared with.
    static let pools: [PoolKind] = [
        PoolKind("WorkerQueuePool", threads: .own) {
            try WorkerQueuePool(label: $0, queuesPerTier: .exactly($1))
        },
        PoolKind("DispatchQueuePool", threads: .dispatchSerial) {
            try DispatchQueuePool(label: $0, queuesPerTier: .exactly($1))
        },
    ]

    /// The name of the contender that ratios refer to.
    static let ours = pools[0].name

    /// The pools' jobs, and the pools' queues used directly.
    static let ownContenders = pools.flatMap { pool in
        [
            ContenderKind(pool.name, threads: pool.threads) { try pool.jobs($0) },
            ContenderKind("\(pool.name) queues", threads: pool.threads) { try pool.queues($0) },
        ]
    }

    /// The others.
    static let peers: [ContenderKind] =
        [
            ContenderKind("DispatchQueues by hand", threads: .dispatchSerial) {
                DispatchQueuesByHand(workers: $0)
            },
            ContenderKind("DispatchQueue.global", threads: .dispatchConcurrent) { _ in
                ConcurrentDispatchQueues.global
            },
            ContenderKind("concurrent DispatchQueue", threads: .dispatchConcurrent) { _ in
                ConcurrentDispatchQueues.own
            },
            ContenderKind("OperationQueue", threads: .dispatchConcurrent) {
                FoundationOperationQueue(workers: $0)
            },
            ContenderKind("NIOThreadPool", threads: .own) { SwiftNIOThreadPool(workers: $0) },
            detachedTask, taskOnDispatchQueue,
        ]
        + (OneTBB.version == nil ? [] : [ContenderKind("oneTBB", threads: .own) { try OneTBB(workers: $0) }])

    static let detachedTask = ContenderKind("Task.detached", threads: .dispatchConcurrent) { _ in
        DetachedTask()
    }

    static let taskOnDispatchQueue = ContenderKind(
        "TaskExecutor on DispatchQueue", threads: .dispatchConcurrent
    ) { _ in
        TaskOnDispatchQueue()
    }

    /// Everything that runs jobs.
    static let all = ownContenders + peers

    /// What a job and a task of one producer cost at least.
    static let leastJob = ContenderKind("a bare ring", threads: .own) { _ in JobsThroughRing() }
    static let leastTask = ContenderKind("a bare ring", threads: .own) { _ in TasksThroughRing() }

    /// Those that can keep the jobs of a key in order.
    ///
    /// Swift's tasks, concurrent queues and thread pools have nothing of the kind.
    static let keyed = ownContenders + peers.filter { $0.name == "DispatchQueues by hand" }

    /// Those whose number of workers is the caller's choice.
    static let sizable = all.filter {
        ![
            "DispatchQueue.global", "concurrent DispatchQueue", "Task.detached",
            "TaskExecutor on DispatchQueue",
        ]
        .contains($0.name)
    }

    /// Everything that runs Swift's tasks.
    static let tasks =
        pools.map { pool in ContenderKind(pool.name, threads: pool.threads) { try pool.tasks($0) } } + [
            detachedTask, taskOnDispatchQueue,
        ]
}
