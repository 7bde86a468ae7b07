#if os(Linux)
    extension WorkerQueue {
        /// Submits a job of the queue before it returns, and returns a handle whose value can be awaited.
        /// Parameters and errors as those of ``JobSubmitting``'s `start`.
        @inlinable @discardableResult
        public func start<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
            _ body: @escaping @Sendable () throws -> Value
        ) throws(PoolError) -> PoolTask<Value> {
            let options = JobOptions(
                qos: nil, keyHash: nil, label: label, whenFull: whenFull, after: delay, at: time,
                startBy: startBy, finishBy: finishBy, isAwaited: false)
            let task = PoolTask(options, onEnd: onEnd, body)
            try submit(task.job)
            return task
        }

        /// Submits a job of the queue in the call, waits until it is accepted, and returns its handle.
        /// Parameters and errors as those of ``JobSubmitting``'s `startWhenAccepted`.
        @inlinable @discardableResult
        nonisolated(nonsending) public func startWhenAccepted<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
            _ body: @escaping @Sendable () throws -> Value
        ) async throws -> PoolTask<Value> {
            try Task.checkCancellation()
            return try await start(
                label: label, whenFull: whenFull, after: delay, at: time, startBy: startBy,
                finishBy: finishBy, onEnd: onEnd, body
            ).accepted()
        }

        /// Runs a closure as a job of the queue, behind the jobs that wait in it, and returns its value,
        /// as ``JobSubmitting``'s `run`.
        @inlinable
        nonisolated(nonsending) public func run<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            _ body: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            try Task.checkCancellation()
            return try await start(
                label: label, whenFull: whenFull, after: delay, at: time, startBy: startBy,
                finishBy: finishBy, body
            ).value
        }

        /// Runs a job of the queue, as `run`, and hands over its value, which need not be `Sendable`.
        @inlinable
        nonisolated(nonsending) public func run<Value>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            _ body: @escaping @Sendable () throws -> sending Value
        ) async throws -> sending Value {
            try Task.checkCancellation()
            let options = JobOptions(
                qos: nil, keyHash: nil, label: label, whenFull: whenFull, after: delay, at: time,
                startBy: startBy, finishBy: finishBy, isAwaited: false)
            let outcome = JobOutcome<Value>()
            let job = AwaitedJob(options) { outcome.run(body) }
            try submit(job)
            return try await outcome.take(after: job)
        }
    }

    extension WorkerQueue: AwaitedJobTarget {
        @usableFromInline
        func submit(_ job: AwaitedJob) throws(PoolError) { try job.submit(to: self) }

        var hasTiers: Bool { false }
        func parallelism(on _: QoSTier) -> Int { 1 }
        var subject: PoolError.Subject { .queue(label: label) }
        var awaited: AwaitedJobs? { core.accounting?.awaited }
        var time: PoolTime { PoolTime(clock: nil) }
        var carrier: TaskLocalCarrier? { core.accounting?.carrier }

        func accounting(on _: QoSTier) -> TierAccounting? { core.accounting }

        func place(_ body: @escaping @Sendable () -> Void, at place: JobDestination) -> PoolJob? {
            guard let begin = place.begin else { return core.submit(body, since: place.reason.calledAt) }
            return core.submit(body, at: begin)
        }

        func waitsForThreadOnly(on _: QoSTier, keyHash _: Int?) -> Bool { core.isIdle }
    }
#endif
