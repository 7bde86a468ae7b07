// A job runs to its end on one thread, so its closure cannot be `async`. These forms say what to write where
// a closure awaits something; the compiler would name no reason.

extension JobSubmitting {
    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; write 'Task(executorPreference: pool.taskExecutor(for: qos)) { … }'"
    )
    @discardableResult
    public func async<Key: Hashable>(
        qos: QoSTier, key: Key? = Int?.none, label: String? = nil, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () async -> Void
    ) throws(PoolError) -> PoolJob { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; write 'Task(executorPreference: pool.taskExecutor(for: qos)) { … }'"
    )
    @discardableResult
    public func start<Value: Sendable, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) throws(PoolError) -> PoolTask<Value> { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; write 'Task(executorPreference: pool.taskExecutor(for: qos)) { … }'"
    )
    @discardableResult
    public func startWhenAccepted<Value: Sendable, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil,
        onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> PoolTask<Value> { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message:
            "a job cannot await; write 'try await withTaskExecutorPreference(pool.taskExecutor(for: qos)) { … }'"
    )
    public func run<Value, Key: Hashable>(
        qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
        at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
        finishBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; use a task group whose tasks prefer 'pool.taskExecutor(for: qos)'"
    )
    public func map<Inputs: Sequence, Value: Sendable>(
        _ inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) async throws -> Value
    ) async throws -> [Value] { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; use a task group whose tasks prefer 'pool.taskExecutor(for: qos)'"
    )
    public func results<Inputs: Sequence, Value: Sendable>(
        of inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) async throws -> Value
    ) -> PoolResults<Inputs, Value> { fatalError() }
}

extension QueuePool {
    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; use a task group whose tasks prefer 'pool.taskExecutor(for: qos)'"
    )
    public func run(
        forEach range: Range<Int>, qos: QoSTier? = nil, chunk: Int? = nil,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws { fatalError() }
}

extension JobPipeline {
    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; give the stage what the task has awaited"
    )
    public init<Key: Hashable>(
        limit: Int, on pool: any JobSubmitting, qos: QoSTier? = nil, key: Key? = Int?.none,
        label: String? = nil, _ transform: @escaping @Sendable (Input) async throws -> Output
    ) throws(PoolError) { fatalError() }

    /// Not available: a job's closure is synchronous.
    @available(
        *, unavailable,
        message: "a job cannot await; give the stage what the task has awaited"
    )
    public func then<Key: Hashable, Next: Sendable>(
        on pool: any JobSubmitting, qos: QoSTier? = nil, key: Key? = Int?.none, label: String? = nil,
        _ transform: @escaping @Sendable (Output) async throws -> Next
    ) -> JobPipeline<Input, Next> { fatalError() }
}

#if os(Linux)
    extension WorkerQueue {
        /// Not available: a job's closure is synchronous.
        @available(
            *, unavailable,
            message: "a job cannot await; write 'Task(executorPreference: queue) { … }'"
        )
        @discardableResult
        public func start<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
            _ body: @escaping @Sendable () async throws -> Value
        ) throws(PoolError) -> PoolTask<Value> { fatalError() }

        /// Not available: a job's closure is synchronous.
        @available(
            *, unavailable,
            message: "a job cannot await; write 'Task(executorPreference: queue) { … }'"
        )
        @discardableResult
        public func async(
            label: String? = nil, after delay: Duration? = nil, at time: ContinuousClock.Instant? = nil,
            _ body: @escaping @Sendable () async -> Void
        ) throws(PoolError) -> PoolJob { fatalError() }

        /// Not available: a job's closure is synchronous.
        @available(
            *, unavailable,
            message: "a job cannot await; write 'Task(executorPreference: queue) { … }'"
        )
        @discardableResult
        public func startWhenAccepted<Value: Sendable>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil,
            onEnd: (@Sendable (Result<Value, any Error>) -> Void)? = nil,
            _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> PoolTask<Value> { fatalError() }

        /// Not available: a job's closure is synchronous.
        @available(
            *, unavailable,
            message: "a job cannot await; write 'try await withTaskExecutorPreference(queue) { … }'"
        )
        public func run<Value>(
            label: String? = nil, whenFull: FullTierPolicy = .wait, after delay: Duration? = nil,
            at time: ContinuousClock.Instant? = nil, startBy: ContinuousClock.Instant? = nil,
            finishBy: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value { fatalError() }
    }
#endif
