import QueuePoolsLocks
import TestSupport
import Testing

@testable import QueuePools

@Suite("Values of many jobs, in order", .timeLimit(.minutes(15)))
struct ResultsTests {
    private struct Refusal: Error, Equatable { let number: Int }

    @Test(
        "map returns the values in the order of the inputs, whatever the limit",
        arguments: [nil, 1, 3, 0, -5, .max])
    func map(limit: Int?) async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        #expect(
            try await pool.map(0..<100, qos: .utility, limit: limit) { $0 * $0 } == (0..<100).map { $0 * $0 })
        #expect(try await pool.map([Int](), limit: limit) { $0 }.isEmpty)
        try await pool.shutdown()
    }

    @Test("no more jobs are submitted than the limit before their values are consumed")
    func limited() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        let (begun, consumed) = (Counter(), Counter())
        for try await value in pool.results(
            of: 0..<50, qos: .utility, limit: 3,
            { number in
                begun.increment()
                return number
            })
        {
            #expect(value == consumed.value)
            #expect(begun.value <= consumed.value + 3)
            consumed.increment()
        }
        #expect(consumed.value == 50)
    }

    @Test(
        "the first error in order is thrown when all jobs that had begun have ended; later ones do not begin")
    func errors() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        let (running, begun) = (Counter(), Counter())
        await #expect(throws: Refusal(number: 3)) {
            try await pool.map(0..<1_000, qos: .utility, limit: 4) { number in
                begun.increment()
                running.increment()
                defer { running.increment() }
                if number >= 3 { throw Refusal(number: number) }
            }
        }
        #expect(running.value == 2 * begun.value)
        #expect(begun.value <= 3 + 4)
        var results = pool.results(of: 0..<2) { throw Refusal(number: $0) }.makeAsyncIterator()
        await #expect(throws: Refusal(number: 0)) { try await results.next() }
        #expect(try await results.next() == nil)
    }

    @Test("a consumer that stops, or whose task is cancelled, cancels the jobs that have not begun")
    func abandoned() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let gate = Gate()
        do {
            var results = pool.results(of: 0..<4, qos: .utility, limit: 3) { number in
                if number == 1 { gate.pass() }
                return number
            }.makeAsyncIterator()
            #expect(try await results.next() == 0)
            await gate.waitForArrivals()
        }
        #expect(pool.statistics[.utility].cancelled == 1)
        let task = Task { try await pool.map(0..<3, qos: .utility, limit: 3) { $0 } }
        await waitWhile(pool.statistics[.utility].waiting < 3)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        try await pool.shutdown()
        #expect(pool.statistics[.utility].cancelled == 4 && pool.statistics[.utility].finished == 2)
    }

    @Test("a job that runs learns by its scope that its value is no longer needed")
    func scope() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let begun = Counter()
        let task = Task {
            try await pool.map(0..<3, qos: .utility) { _ in
                begun.increment()
                while !JobScope.isCancelled {}
            }
        }
        await waitWhile(begun.value == 0)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await pool.shutdown()
    }

    @Test("a pool that is shut down throws, and its error is not swallowed")
    func shutDown() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        try await pool.shutdown()
        let error = await #expect(throws: PoolError.self) { try await pool.map(0..<3) { $0 } }
        #expect(error?.code == .shutDown)
    }

    @Test("a value that was returned is kept no longer, however many others are there")
    func releasedValues() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        let released = Counter()
        var results = pool.results(of: 0..<100, qos: .utility, limit: 20) { _ in
            LifetimeProbe { released.increment() }
        }.makeAsyncIterator()
        for _ in 0..<9 { try await results.next()?.touch() }
        // Its threads have no reference then.
        try await pool.shutdown()
        #expect(released.value == 9)
        withExtendedLifetime(results) {}
    }

    @Test("an iterator's value costs as little when all inputs are submitted at once as when few are")
    func largeLimit() async throws {
        let queue = HandQueue(runsAtOnce: true)
        let pool = try QueuePool<HandQueue>(
            QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
        ) { _, _, _ in queue }
        let count = 100_000
        func time(limit: Int) async throws -> Duration {
            try await ContinuousClock().measure {
                var sum = 0
                for try await value in pool.results(of: 0..<count, qos: .utility, limit: limit, { $0 }) {
                    sum += value
                }
                #expect(sum == count * (count - 1) / 2)
            }
        }
        let few = try await time(limit: 16)
        // If each value copied the others, this would take a hundred times as long.
        let many = try await time(limit: .max)
        #expect(many < few * 4 + .seconds(2), "\(few), \(many)")
        try await pool.shutdown()
    }

    @Test("a value costs as little when all inputs are submitted at once as when few are")
    func manySubmitted() {
        var elements = OldestFirst<Int>()
        for number in 0..<1_000_000 { elements.append(number) }
        // If each one moved the others, this would take minutes.
        let time = ContinuousClock().measure {
            for number in 0..<1_000_000 {
                if elements.first != number { Issue.record("\(number) is not the oldest") }
                elements.removeFirst()
            }
        }
        #expect(elements.count == 0 && elements.all.isEmpty)
        #expect(time < .seconds(30))
    }
}
