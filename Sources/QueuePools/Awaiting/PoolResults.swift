internal import QueuePoolsTopology

extension JobSubmitting {
    /// Calls a closure with each input, each as an unordered job. Returns the values in the same order.
    ///
    ///     let sizes = try await pool.map(files, qos: .utility) { file in try size(of: file) }
    ///
    /// Suits inputs that take long each. ``QueuePool/forEach(_:qos:chunk:_:)`` is cheaper for many short
    /// calls.
    ///
    /// - Parameters:
    ///   - inputs: read as the jobs are submitted, by the calling task.
    ///   - qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    ///   - limit: how many jobs are submitted at a time; less than 1 counts as 1. Default: twice as many as
    ///     the tier has queues, or threads if they are more; in a pool of the program's own, as the process
    ///     has active cores.
    ///   - transform: called once for each input. It asks `JobScope.isCancelled` whether its value is needed.
    /// - Throws: the error of the first input, in order, whose call throws; `CancellationError` if the task
    ///   is cancelled; ``PoolError`` as `run`, never `.full`: in a full tier this waits for room. Jobs that
    ///   have not begun are cancelled then, and this throws when those that have begun have ended.
    nonisolated(nonsending) public func map<Inputs: Sequence, Value: Sendable>(
        _ inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) throws -> Value
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
    /// iterator is released, its jobs that have not begun are cancelled. O(1) a value.
    public func results<Inputs: Sequence, Value: Sendable>(
        of inputs: Inputs, qos: QoSTier? = nil, limit: Int? = nil,
        _ transform: @escaping @Sendable (Inputs.Element) throws -> Value
    ) -> PoolResults<Inputs, Value> where Inputs.Element: Sendable {
        let parallelism = parallelism(on: qos ?? QoSTier(priority: Task.currentPriority))
        return PoolResults(
            inputs: inputs,
            limit: max(1, limit ?? 2 * parallelism)
        ) { [self] input in
            try start(qos: qos) { try transform(input) }
        }
    }
}

extension JobSubmitting {
    /// How many jobs of a tier can run at a time. In a pool of a type of the program's: as many as there are
    /// active cores, which are read.
    package func parallelism(on tier: QoSTier) -> Int {
        jobTarget?.parallelism(on: tier) ?? CPUTopology.current().activeProcessorCount
    }
}

/// The values of jobs, in the order of their inputs; see `results(of:qos:limit:_:)`.
public struct PoolResults<Inputs: Sequence, Value: Sendable>: AsyncSequence where Inputs.Element: Sendable {
    let inputs: Inputs
    let limit: Int
    let start: @Sendable (Inputs.Element) throws -> PoolTask<Value>

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
            var tasks = OldestFirst<PoolTask<Value>>()

            deinit { for task in tasks.all { task.cancel() } }
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
                    submitted.tasks.append(try results.start(input))
                }
                guard let first = submitted.tasks.first else { return nil }
                let value = try await first.value
                submitted.tasks.removeFirst()
                return value
            } catch {
                inputs = nil
                for task in submitted.tasks.all { task.cancel() }
                for task in submitted.tasks.all { _ = try? await task.value }
                submitted.tasks = OldestFirst()
                throw error
            }
        }
    }
}

/// Elements that are taken in the order in which they came.
struct OldestFirst<Element> {
    /// Nil where one was taken: a value that has been returned is kept no longer.
    private var elements: [Element?] = []
    /// The number of elements at the beginning that were taken.
    private var taken = 0

    var count: Int { elements.count - taken }
    var first: Element? { count > 0 ? elements[taken] : nil }
    var all: [Element] { elements[taken...].compactMap(\.self) }

    mutating func append(_ element: Element) { elements.append(element) }

    /// O(1), amortized: elements move when as many were taken as are left.
    mutating func removeFirst() {
        elements[taken] = nil
        taken += 1
        guard 2 * taken >= elements.count else { return }
        elements.removeFirst(taken)
        taken = 0
    }
}
