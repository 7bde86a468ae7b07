import Locks
import Synchronization

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

    /// An executor for an actor, on the next queue of a tier: what is isolated to the actor runs on that
    /// queue, in order, and may be mixed with jobs submitted to the same queue.
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
        pool.withPartition(of: qos) { $0.submit(step, of: self) }
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

extension QueuePool {
    /// Runs a closure as an unordered job of a tier, and returns what it returns.
    ///
    ///     let size = try await pool.run(qos: .utility) { try measure(text) }
    ///
    /// If as many jobs wait as the tier's ``QueuePoolConfiguration/capacity`` allows, the task is suspended
    /// until there is room, in the order of the calls.
    ///
    /// Cancelling the task takes the job off its queue if it has not begun: the closure is released, and this
    /// throws `CancellationError`. A closure that has begun runs to its end; in it
    /// `Task.isCancelled` is false.
    ///
    /// On Linux, if the task's priority rises while the job waits, the job moves to the tier of the new
    /// priority, before the unordered jobs that wait there (SE-0462).
    ///
    /// - Parameters:
    ///   - qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    ///   - body: the closure.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws; ``PoolError`` as ``async(qos:_:)``; `CancellationError`.
    @inlinable
    nonisolated(nonsending) public func run<Value: Sendable>(
        qos: QoSTier? = nil, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        try await awaitJob(qos: qos) { outcome.run(body) }
        return try outcome.take()
    }

    /// - Parameter keyHash: of the key whose queue runs the job, which then stays on its tier.
    @usableFromInline
    nonisolated(nonsending) func awaitJob(
        qos: QoSTier?, keyHash: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) async throws {
        let job = AwaitedJob(of: self, keyHash: keyHash, body)
        let priority = Task.currentPriority
        let tier = qos ?? QoSTier(priority: priority)
        #if os(Linux)
            if keyHash == nil {
                return try await withTaskPriorityEscalationHandler {
                    // It may have risen before the handler was there.
                    let present = Task.currentPriority
                    if present > priority { job.move(to: QoSTier(priority: present)) }
                    try await job.end(on: tier)
                } onPriorityEscalated: { _, priority in
                    job.move(to: QoSTier(priority: priority))
                }
            }
        #endif
        try await job.end(on: tier)
    }

    /// Runs a closure on the queue of a key, behind the jobs of equal keys that came before, and returns what
    /// it returns. Cancelling and default tier as ``run(qos:_:)``; it stays on its tier.
    ///
    /// - Throws: what the closure throws; ``PoolError`` as ``async(qos:key:_:)``; `CancellationError`.
    @inlinable
    nonisolated(nonsending) public func run<Value: Sendable>(
        qos: QoSTier? = nil, key: some Hashable & Sendable, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        try await awaitJob(qos: qos, keyHash: key.hashValue) { outcome.run(body) }
        return try outcome.take()
    }
}

#if os(Linux)
    extension WorkerQueue {
        /// Runs a closure as a job of the queue, behind what waits in it, and returns what it returns.
        /// Cancelling the task cancels the job, as ``QueuePool/run(qos:_:)``.
        ///
        /// - Throws: what the closure throws; ``PoolError`` as ``async(_:)``; `CancellationError`.
        @inlinable
        nonisolated(nonsending) public func run<Value: Sendable>(
            _ body: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            let outcome = Outcome<Value>()
            try await awaitJob { outcome.run(body) }
            return try outcome.take()
        }

        @usableFromInline
        nonisolated(nonsending) func awaitJob(_ body: @escaping @Sendable () -> Void) async throws {
            try await AwaitedJob(of: self, body).end(on: .default)
        }
    }
#endif

/// What a closure returned or threw. Inlined where `run` is called, which so looks up no type.
@usableFromInline
final class Outcome<Value: Sendable>: @unchecked Sendable {  // ordered by the end of the job
    @usableFromInline var result: Result<Value, any Error>?

    @inlinable
    init() {}

    @inlinable
    func run(_ body: () throws -> Value) { result = Result(catching: body) }

    @inlinable
    func take() throws -> Value { try result.take().unsafelyUnwrapped.get() }
}

/// Where a job is submitted that a task awaits.
private protocol AwaitedJobTarget: AnyObject, Sendable {
    func capacity(on tier: QoSTier) -> JobCapacity?

    /// Returns nil if the job is refused, for the reason of `refusal`.
    func submit(
        _ body: @escaping @Sendable () -> Void, on tier: QoSTier, keyHash: Int?, because: AwaitedSubmission
    ) -> PoolJob?

    func refusal(isFull: Bool) -> PoolError
}

extension QueuePool: AwaitedJobTarget {
    fileprivate func capacity(on tier: QoSTier) -> JobCapacity? { withTier(tier) { $0.capacity } }

    fileprivate func submit(
        _ body: @escaping @Sendable () -> Void, on tier: QoSTier, keyHash: Int?, because: AwaitedSubmission
    ) -> PoolJob? {
        withTier(tier) { tier in
            if let keyHash { return tier.submit(body, to: tier.number(hash: keyHash)) }
            return tier.callersPartition._withUnsafeGuaranteedRef { $0.submit(body, because: because) }
        }
    }
}

#if os(Linux)
    extension WorkerQueue: AwaitedJobTarget {
        fileprivate func capacity(on _: QoSTier) -> JobCapacity? { jobs.accounting?.capacity }

        fileprivate func submit(
            _ body: @escaping @Sendable () -> Void, on _: QoSTier, keyHash _: Int?,
            because _: AwaitedSubmission
        ) -> PoolJob? {
            submit(body)
        }
    }
#endif

/// A job that a task awaits.
///
/// One thread ends it, by replacing the state `.placed`: the one that runs it, cancels it, or has it refused.
/// Only that thread then uses closure and continuation, written before under the same lock.
private final class AwaitedJob: @unchecked Sendable {
    private enum State {
        /// Not submitted; the priority may have risen already.
        case new(wish: QoSTier?)
        /// On a queue of the tier, or suspended until the tier has room.
        case placed(PoolJob, QoSTier)
        case ended
    }

    /// What the pool's closure holds. Released without a call, when the pool cancels it, it cancels the job.
    private final class Turn: Sendable {
        let job: AwaitedJob
        let tier: QoSTier

        init(of job: AwaitedJob, on tier: QoSTier) {
            self.job = job
            self.tier = tier
        }

        deinit { job.cancel(if: tier) }
    }

    private let state = Lock(State.new(wish: nil))
    private let forkCount = currentForkCount()
    private let target: any AwaitedJobTarget
    private let keyHash: Int?
    private var body: (@Sendable () -> Void)?
    private var continuation: UnsafeContinuation<Void, Never>?
    /// Why it has not run. Ordered by the continuation, and again by `hasEnded`, because Thread Sanitizer
    /// does not see a continuation that is resumed before its task is suspended.
    private var error: (any Error)?
    private let hasEnded = Atomic<Bool>(false)

    init(of target: any AwaitedJobTarget, keyHash: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        self.target = target
        self.keyHash = keyHash
        self.body = body
    }

    /// Submits the job and waits for its end. Throws if it has not run.
    nonisolated(nonsending) func end(on tier: QoSTier) async throws {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { begin(on: tier, resuming: $0) }
        } onCancel: {
            cancel()
        }
        precondition(hasEnded.load(ordering: .acquiring))
        if let error { throw error }
    }

    private func begin(on tier: QoSTier, resuming continuation: UnsafeContinuation<Void, Never>) {
        let capacity = target.capacity(on: tier)
        let (before, after) = change { state, turn in
            let before = state
            self.continuation = continuation
            guard case .new = before else { return (before, state) }
            if let call = capacity?.takeOrSuspend({ self.resume(on: tier) }) {
                state = .placed(call, tier)
            } else {
                (state, turn) = place(on: tier, because: .suspending)
            }
            return (before, state)
        }
        switch (before, after) {
        case (.new(let wish), .placed):
            if let wish { move(to: wish) }
        case (.new, _):
            capacity?.giveBack()
            finish(target.refusal(isFull: false))
        default:
            finish(CancellationError())
        }
    }

    /// Uses the room that there is now. Returns false if it was not used, and is for another call.
    private func resume(on tier: QoSTier) -> Bool {
        let after = change { state, turn -> State? in
            // No other job of this one is on this tier, because it moves to higher tiers only.
            guard case .placed(_, tier) = state else { return nil }
            (state, turn) = place(on: tier, because: .room)
            return state
        }
        if case .ended = after { finish(target.refusal(isFull: false)) }
        if case .placed = after { return true }
        return false
    }

    /// Moves the job to a higher tier if it waits, whether or not there is room. It is placed there first; if
    /// that is refused, it stays. If it begins there meanwhile, ``run()`` cancels the new one.
    func move(to tier: QoSTier) {
        let capacity = target.capacity(on: tier)
        capacity?.takeAnyway()
        let old = change { state, turn -> PoolJob? in
            if case .new(let wish) = state { state = .new(wish: max(wish ?? tier, tier)) }
            guard case .placed(let old, let present) = state, tier > present else { return nil }
            let new: State
            (new, turn) = place(on: tier, because: .priority)
            guard case .placed = new else { return nil }
            state = new
            return old
        }
        if let old { old.cancel() } else { capacity?.giveBack() }
    }

    /// Submits the job. Returns its state, `.ended` if it was refused, and what ``change(_:)`` retains.
    private func place(on tier: QoSTier, because reason: AwaitedSubmission) -> (State, Turn) {
        let turn = Turn(of: self, on: tier)
        let job = target.submit({ turn.job.run() }, on: tier, keyHash: keyHash, because: reason)
        return (job.map { .placed($0, tier) } ?? .ended, turn)
    }

    /// Changes the state under the lock, so that a job that begins finds it. The pool may release a job's
    /// closure while it is submitted, so its ``Turn`` is retained until the lock is released.
    private func change<Result>(_ body: (inout State, inout Turn?) -> Result) -> Result {
        var turn: Turn?
        defer { withExtendedLifetime(turn) {} }
        return state.withLock { body(&$0, &turn) }
    }

    private func cancel(if tier: QoSTier? = nil) {
        guard let place = end(if: tier) else { return }
        place.cancel()
        finish(CancellationError())
    }

    private func run() {
        guard let place = end() else { return }
        // Cancels the job on the new tier, if it was moved; otherwise it is this one, which has begun.
        place.cancel()
        body?()
        finish()
    }

    /// Ends the job, if it is on this tier or none is given. Returns nil if it has ended, or had no place.
    private func end(if tier: QoSTier? = nil) -> PoolJob? {
        state.withLock { state in
            if case .placed(let place, let present) = state, tier == nil || tier == present {
                state = .ended
                return place
            }
            if tier == nil { state = .ended }
            return nil
        }
    }

    /// Called by the thread that has ended the job.
    private func finish(_ error: (any Error)? = nil) {
        body = nil
        // In a child that the job forked, the task is the parent's.
        guard forkCount == currentForkCount() else { return }
        self.error = error
        hasEnded.store(true, ordering: .releasing)
        continuation?.resume()
    }
}
