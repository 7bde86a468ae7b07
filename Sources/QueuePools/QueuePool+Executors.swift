extension QueuePool {
    /// An executor that runs Swift tasks on a tier, each step as an unordered job:
    /// `Task(executorPreference: pool.taskExecutor(for: .utility)) { … }`.
    ///
    /// It retains the pool. Steps of tasks that began before `shutdown()` still run after it.
    ///
    /// - Parameter qos: the tier. Default: for each step that of the task's priority at that time,
    ///   ``QoSTier/init(priority:)``, so a task whose priority rises continues on a higher tier.
    public func taskExecutor(for qos: QoSTier? = nil) -> PoolTaskExecutor<Queue> {
        PoolTaskExecutor(pool: self, qos: qos)
    }

    /// An executor for an actor, on the next queue of a tier: the actor's steps run on that queue, in order,
    /// and may be mixed with jobs submitted to the same queue.
    ///
    ///     actor Decoder {
    ///         private let executor: PoolSerialExecutor<DispatchQueue>
    ///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    ///     }
    ///
    /// The actor must retain the executor. (Linux's Dispatch has no `DispatchSerialQueue`.)
    public func serialExecutor(for qos: QoSTier) -> PoolSerialExecutor<Queue> {
        withPartition(of: qos) { PoolSerialExecutor(partition: $0, number: $0.turns.next()) }
    }
}

/// Runs Swift tasks on one tier of a pool, or each on the tier of its priority. *Thread-safe.*
public final class PoolTaskExecutor<Queue: SerialQueue>: TaskExecutor, StepExecutor {
    private let pool: QueuePool<Queue>
    private let qos: QoSTier?

    init(pool: QueuePool<Queue>, qos: QoSTier?) {
        self.pool = pool
        self.qos = qos
        pool.executors.enter()
    }

    deinit { pool.executors.leave() }

    /// Puts a task's next step on the tier. Called by the Swift runtime, so specialized here.
    #if os(Linux)
        @_specialize(where Queue == WorkerQueue)
    #endif
    public func enqueue(_ job: consuming ExecutorJob) {
        let qos = qos ?? TaskPriority(job.priority).map { QoSTier(priority: $0) } ?? .default
        let step = UnownedJob(job)
        pool.withPartition(of: qos) { $0.submit(step, of: self, to: nil) }
    }

    func run(_ step: UnownedJob) { step.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Runs an actor on one queue of a pool. *Thread-safe.*
public final class PoolSerialExecutor<Queue: SerialQueue>: SerialExecutor, StepExecutor {
    private let partition: NodePartition<Queue>
    private let number: Int

    init(partition: NodePartition<Queue>, number: Int) {
        self.partition = partition
        self.number = number
    }

    /// The queue that the actor runs on.
    public var queue: Queue { partition.queues[number].takeUnretainedValue() }

    /// Puts the actor's next step on the queue. Called by the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        partition.submit(UnownedJob(job), of: self, to: number)
    }

    /// Traps unless the caller runs on the queue: jobs put on ``queue`` directly count as isolated.
    public func checkIsolated() { require(queue.isCurrent, "expected to run on the serial executor's queue") }

    /// Whether the caller runs on the queue.
    public func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }

    func run(_ step: UnownedJob) { step.runSynchronously(on: asUnownedSerialExecutor()) }
}
