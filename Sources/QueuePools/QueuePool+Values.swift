import Locks

extension QueuePool {
    /// Runs a closure as an unordered job of a tier, and returns what it returns.
    ///
    ///     let size = try await pool.run(qos: .utility) { try measure(text) }
    ///
    /// Cancelling the task that awaits it takes the job off its queue, if it has not begun: then this throws
    /// `CancellationError`, and the closure is released before that. A closure that has begun runs to its end; it is no part
    /// of the task, so `Task.isCancelled` is false in it.
    ///
    /// On Linux, if the priority of the task that awaits it rises while the job waits, the job moves to the tier of the new
    /// priority ([SE-0462](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0462-task-priority-escalation-apis.md)).
    ///
    /// - Parameter qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    /// - Throws: what the closure throws; ``PoolError`` as ``async(qos:_:)``; `CancellationError`.
    public func run<Value: Sendable>(
        qos: QoSTier? = nil, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let job = AwaitedJob(body: body) { tier, body in
            self.withPartition(of: tier) { $0.submitBeforeSuspension(body) }
        }
        let tier = qos ?? QoSTier(priority: Task.currentPriority)
        #if os(Linux)
            return try await withTaskPriorityEscalationHandler {
                try await job.value(on: tier, refusal: { self.refusal })
            } onPriorityEscalated: { _, priority in
                job.move(to: QoSTier(priority: priority))
            }
        #else
            return try await job.value(on: tier, refusal: { self.refusal })
        #endif
    }

    /// Runs a closure on the queue that belongs to a key, behind the jobs of equal keys that came before, and returns what
    /// it returns. Cancelling as ``run(qos:_:)``; it stays on its tier.
    ///
    /// - Parameter qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    /// - Throws: what the closure throws; ``PoolError`` as ``async(qos:key:_:)``; `CancellationError`.
    public func run<Value: Sendable>(
        qos: QoSTier? = nil, key: some Hashable & Sendable, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let job = AwaitedJob(body: body) { tier, body in
            self.withQueue(of: tier, for: key) { $0.submit(body) }
        }
        return try await job.value(
            on: qos ?? QoSTier(priority: Task.currentPriority), refusal: { self.refusal })
    }
}

#if os(Linux)
    extension WorkerQueue {
        /// Runs a closure as a job of the queue, behind what waits in it, and returns what it returns.
        ///
        /// Cancelling the task that awaits it takes the job off the queue, if it has not begun: then this throws
        /// `CancellationError`, and the closure is released before that.
        ///
        /// - Throws: what the closure throws; ``PoolError`` as ``async(_:)``; `CancellationError`.
        public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
        {
            try await AwaitedJob(body: body) { _, body in self.submit(body) }
                .value(on: .default, refusal: { self.refusal })
        }
    }
#endif

/// A job whose value a task awaits.
///
/// One thread ends it, by replacing the state `.submitted`: the one that runs it, or the one that cancels it. That thread,
/// and no other, uses the closure and the continuation from then on. Both were written before the state became `.submitted`,
/// under the same lock. No closure is called or released under the lock.
private final class AwaitedJob<Value: Sendable>: @unchecked Sendable {
    typealias Submitter = @Sendable (QoSTier, @escaping @Sendable () -> Void) -> PoolJob?

    private enum State {
        case new
        case submitted(PoolJob, QoSTier)
        case ended
    }

    /// What the pool's closure holds: if it is released and was not called, because the pool cancels what waits, the job is
    /// cancelled.
    private final class Turn: Sendable {
        let job: AwaitedJob
        let tier: QoSTier

        init(of job: AwaitedJob, on tier: QoSTier) {
            self.job = job
            self.tier = tier
        }

        deinit { job.cancel(if: { $0 == tier }) }
    }

    private let state = Lock(State.new)
    private let submit: Submitter
    private var body: (@Sendable () throws -> Value)?
    private var continuation: UnsafeContinuation<Value, any Error>?

    init(body: @escaping @Sendable () throws -> Value, submit: @escaping Submitter) {
        self.body = body
        self.submit = submit
    }

    /// Submits the job and waits for its value.
    func value(on tier: QoSTier, refusal: () -> PoolError) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let failure = submit(to: tier, resuming: continuation, refusal: refusal)
                if let failure {
                    body = nil
                    continuation.resume(throwing: failure)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func submit(
        to tier: QoSTier, resuming continuation: UnsafeContinuation<Value, any Error>,
        refusal: () -> PoolError
    ) -> (any Error)? {
        let turn = Turn(of: self, on: tier)
        let (isCancelled, isAccepted) = state.withLock { state in
            if case .ended = state { return (true, false) }
            self.continuation = continuation
            // Under the lock, so that the job finds the state when it begins.
            let job = submit(tier) { turn.job.run() }
            state = job.map { .submitted($0, tier) } ?? .ended
            return (false, job != nil)
        }
        if isCancelled { return CancellationError() }
        return isAccepted ? nil : refusal()
    }

    /// Moves the job to a higher tier, if it waits. Its place there is taken first: a job that is refused there stays where
    /// it is. If the job begins meanwhile on the old tier, that cancels the new one (``run()``).
    func move(to tier: QoSTier) {
        let turn = Turn(of: self, on: tier)
        let old: PoolJob? = state.withLock { state in
            guard case .submitted(let old, let present) = state, tier > present,
                let job = submit(tier, { turn.job.run() })
            else { return nil }
            state = .submitted(job, tier)
            return old
        }
        old?.cancel()
    }

    private func cancel(if isMeant: (QoSTier) -> Bool = { _ in true }) {
        guard let job = end(if: isMeant) else { return }
        job.cancel()
        body = nil
        continuation?.resume(throwing: CancellationError())
    }

    private func run() {
        guard let job = end() else { return }
        // This one has begun, and is not cancelled by that; but it may be the one on the new tier.
        job.cancel()
        let result = Result { try body!() }
        body = nil
        continuation?.resume(with: result)
    }

    /// Ends the job. Nil if it has ended, or is not submitted yet, and then will not be.
    private func end(if isMeant: (QoSTier) -> Bool = { _ in true }) -> PoolJob? {
        state.withLock { state in
            guard case .submitted(let job, let tier) = state else {
                state = .ended
                return nil
            }
            guard isMeant(tier) else { return nil }
            state = .ended
            return job
        }
    }
}
