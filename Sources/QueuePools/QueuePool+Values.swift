import Locks
import Synchronization

extension QueuePool {
    /// Runs a closure as an unordered job of a tier, and returns what it returns.
    ///
    ///     let size = try await pool.run(qos: .utility) { try measure(text) }
    ///
    /// Cancelling the task that awaits it takes the job off its queue, if it has not begun: then this throws
    /// `CancellationError`, and the closure is released at once. A closure that has begun runs to its end; it can ask
    /// `Task.isCancelled` of nothing, since it is not part of the task.
    ///
    /// - Throws: what the closure throws; ``PoolError`` as ``async(qos:_:)``; `CancellationError`.
    public func run<Value: Sendable>(
        qos: QoSTier, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let job = AwaitedJob(pool: self, body: body)
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { job.submit(to: qos, resuming: $0) }
        } onCancel: {
            job.cancel()
        }
    }
}

/// A job whose value a task awaits.
///
/// Its closure is called, or the continuation resumed with an error, by the holder of the pool's job: by the queue, or by the
/// one call of `cancel` that returned true.
private final class AwaitedJob<Queue: SerialQueue, Value: Sendable>: Sendable {
    private enum State {
        case new
        case cancelled
        case submitted(PoolJob, QoSTier)
    }

    private let pool: QueuePool<Queue>
    private let body: @Sendable () throws -> Value
    private let state = Lock(State.new)
    private nonisolated(unsafe) var continuation: UnsafeContinuation<Value, any Error>?

    init(pool: QueuePool<Queue>, body: @escaping @Sendable () throws -> Value) {
        self.pool = pool
        self.body = body
    }

    func submit(to qos: QoSTier, resuming continuation: UnsafeContinuation<Value, any Error>) {
        self.continuation = continuation
        let failure: (any Error)? = state.withLock { state in
            if case .cancelled = state { return CancellationError() }
            do {
                state = .submitted(try pool.async(qos: qos) { self.run() }, qos)
                return nil
            } catch {
                return error
            }
        }
        if let failure { continuation.resume(throwing: failure) }
    }

    func cancel() {
        let isTakenOff = state.withLock { state in
            defer { state = .cancelled }
            if case .submitted(let job, _) = state { return job.cancel() }
            return false
        }
        if isTakenOff { continuation?.resume(throwing: CancellationError()) }
    }

    private func run() {
        continuation?.resume(with: Result { try body() })
    }
}
