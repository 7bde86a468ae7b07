extension QueuePool {
    /// Calls a closure with each input, each as an unordered job. Returns the values in the same order.
    ///
    ///     let sizes = try await pool.map(files, qos: .utility) { file in try size(of: file) }
    ///
    /// Suits inputs that take long each. ``forEach(_:qos:chunk:_:)`` is cheaper for many short calls.
    ///
    /// - Parameters:
    ///   - inputs: read as the jobs are submitted, by the calling task.
    ///   - qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    ///   - limit: how many jobs are submitted at a time; less than 1 counts as 1. Default: twice as many as
    ///     the tier has queues.
    ///   - transform: called once for each input.
    /// - Throws: the error of the first input, in order, whose call throws; `CancellationError` if the task
    ///   is cancelled; ``PoolError`` as `run`. Jobs that have not begun are cancelled then, and this throws
    ///   when those that have begun have ended.
    nonisolated(nonsending) public func map<Inputs: Sequence, Value: Sendable>(
        _ inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) throws -> Value
    ) async throws -> [Value] where Inputs.Element: Sendable {
        try await map(inputs, qos: qos, limit: limit) { (input, _: JobScope) in try transform(input) }
    }

    /// Calls a closure with each input and the scope of its job, which says whether the value is still
    /// needed; otherwise as `map(_:qos:limit:_:)`.
    nonisolated(nonsending) public func map<Inputs: Sequence, Value: Sendable>(
        _ inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element, JobScope) throws -> Value
    ) async throws -> [Value] where Inputs.Element: Sendable {
        var values: [Value] = []
        values.reserveCapacity(inputs.underestimatedCount)
        var results = results(of: inputs, qos: qos, limit: limit, transform).makeAsyncIterator()
        while let value = try await results.next(isolation: #isolation) { values.append(value) }
        return values
    }

    /// The values of a closure for each input, in the order of the inputs, as a sequence that calls the
    /// closure as an unordered job for each, at most `limit` ahead of its consumer.
    ///
    ///     for try await page in pool.results(of: files, qos: .utility, limit: 4, { try render($0) }) {
    ///         try await send(page)  // four pages at most wait for this, or are rendered
    ///     }
    ///
    /// Each iteration submits the jobs again. Parameters and errors as `map(_:qos:limit:_:)`. When an
    /// iterator is released, its jobs that have not begun are cancelled.
    public func results<Inputs: Sequence, Value: Sendable>(
        of inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) throws -> Value
    ) -> PoolResults<Inputs, Value> where Inputs.Element: Sendable {
        results(of: inputs, qos: qos, limit: limit) { (input, _: JobScope) in try transform(input) }
    }

    /// The values of a closure for each input, which also receives the scope of its job; otherwise as
    /// `results(of:qos:limit:_:)`.
    public func results<Inputs: Sequence, Value: Sendable>(
        of inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element, JobScope) throws -> Value
    ) -> PoolResults<Inputs, Value> where Inputs.Element: Sendable {
        PoolResults(
            pool: self, inputs: inputs, qos: qos, limit: max(1, limit ?? 2 * queuesPerTier),
            transform: transform)
    }
}

/// The values of jobs, in the order of their inputs; see `results(of:qos:limit:_:)`.
public struct PoolResults<Inputs: Sequence, Value: Sendable>: AsyncSequence where Inputs.Element: Sendable {
    fileprivate let pool: any JobSubmitting
    fileprivate let inputs: Inputs
    fileprivate let qos: QoSTier?
    fileprivate let limit: Int
    fileprivate let transform: @Sendable (Inputs.Element, JobScope) throws -> Value

    /// An iterator that has submitted nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Submits jobs, and returns their values.
    public struct Iterator: AsyncIteratorProtocol {
        private let results: PoolResults
        /// Nil after an error.
        private var inputs: Inputs.Iterator?
        private let submitted = Submitted()

        /// The jobs whose values were not returned, the oldest first.
        private final class Submitted {
            var tasks: [PoolTask<Value>] = []

            deinit { for task in tasks { task.cancel() } }
        }

        fileprivate init(_ results: PoolResults) {
            self.results = results
            inputs = results.inputs.makeIterator()
        }

        /// The next value; nil after the last, and after an error.
        public mutating func next() async throws -> Value? { try await next(isolation: nil) }

        /// The next value; nil after the last, and after an error.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> Value? {
            do {
                // The jobs that have begun may return values all the same.
                try Task.checkCancellation()
                while submitted.tasks.count < results.limit, let input = inputs?.next() {
                    submitted.tasks.append(
                        try results.pool.start(qos: results.qos) { [transform = results.transform] scope in
                            try transform(input, scope)
                        })
                }
                guard let first = submitted.tasks.first else { return nil }
                let value = try await first.value
                submitted.tasks.removeFirst()
                return value
            } catch {
                inputs = nil
                for task in submitted.tasks { task.cancel() }
                for task in submitted.tasks { _ = try? await task.value }
                submitted.tasks = []
                throw error
            }
        }
    }
}
