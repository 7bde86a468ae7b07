import ManualPools
import QueuePools
import Testing

@MainActor
@Suite("A program's own code on a pool that the test drives", .timeLimit(.minutes(15)))
struct ManualPoolTests {
    @MainActor
    final class Counter<Queue: SerialQueue> {
        private let pool: QueuePool<Queue>
        private(set) var count = 0

        init(pool: QueuePool<Queue>) { self.pool = pool }

        func count(_ text: String) async throws { count += try await pool.run(qos: .utility) { text.count } }
    }

    @Test("the test sees what is there before the job has run, and after it")
    func steps() async throws {
        let pool = try ManualPool()
        let counter = Counter(pool: pool)
        async let counted: Void = counter.count("seven..")
        while pool.waitingCount == 0 { await Task.yield() }
        #expect(counter.count == 0)
        #expect(pool.runAll() == 1)
        try await counted
        #expect(counter.count == 7)
    }
}
