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
///
/// The actor retains it. An actor whose `unownedExecutor` makes one at each call traps at its first step.
public final class PoolSerialExecutor<Queue: SerialQueue>: SerialExecutor {
    private let partition: NodePartition<Queue>
    private let number: Int
    private let actorExecutor: ActorExecutor

    init(partition: NodePartition<Queue>, number: Int) {
        self.partition = partition
        self.number = number
        actorExecutor = ActorExecutor(on: partition, number)
    }

    deinit { actorExecutor.end() }

    /// The queue that the actor runs on.
    public var queue: Queue { partition.queues[number].takeUnretainedValue() }

    /// The executor, for an actor that retains this object.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        actorExecutor.asUnownedSerialExecutor()
    }

    /// Puts the actor's next step on the queue. Called by the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) { actorExecutor.enqueue(job) }

    /// Traps unless the caller runs on the queue: jobs put on ``queue`` directly count as isolated.
    public func checkIsolated() { actorExecutor.checkIsolated() }

    /// Whether the caller runs on the queue.
    public func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }
}

/// What the runtime has of a ``PoolSerialExecutor``: it does not retain an actor's executor. This one remains
/// for a while when the other has ended, so that a step that comes too late traps, instead of reading memory
/// that is another object's. It is not generic, because the runtime calls it for each step.
final class ActorExecutor: SerialExecutor, StepExecutor {
    /// Retained until the end, by the `PoolSerialExecutor`.
    private unowned(unsafe) let partition: any ActorStepTarget
    private let number: Int
    private let hasEnded = ClaimOnce()
    private static let lastEnded = LastEnded<ActorExecutor>()

    init(on partition: any ActorStepTarget, _ number: Int) {
        self.partition = partition
        self.number = number
    }

    func end() {
        _ = hasEnded.claim()
        _ = Self.lastEnded.keep(self)
    }

    @inline(__always)
    private func checkEnd() {
        require(
            !hasEnded.isClaimed,
            """
            an actor uses a PoolSerialExecutor that has ended: unownedExecutor must return the one that the \
            actor retains, and not make one at each call
            """)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        checkEnd()
        partition.submit(UnownedJob(job), of: self, to: number)
    }

    func checkIsolated() {
        require(isIsolatingCurrentContext() == true, "expected to run on the serial executor's queue")
    }

    func isIsolatingCurrentContext() -> Bool? {
        checkEnd()
        return partition.isCurrent(onQueue: number)
    }

    func run(_ step: UnownedJob) { step.runSynchronously(on: asUnownedSerialExecutor()) }
}

/// A partition, whatever its queues are.
protocol ActorStepTarget: AnyObject, Sendable {
    func submit(_ step: UnownedJob, of executor: any StepExecutor, to queue: Int?)
    func isCurrent(onQueue number: Int) -> Bool
}

extension NodePartition: ActorStepTarget {
    func isCurrent(onQueue number: Int) -> Bool { queues[number]._withUnsafeGuaranteedRef { $0.isCurrent } }
}
