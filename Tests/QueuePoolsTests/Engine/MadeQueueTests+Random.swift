#if os(Linux)
    import Dispatch
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    /// What random operations on a queue must have done. Its jobs' part is protected by the queue.
    private final class Oracle: @unchecked Sendable {
        let queue: WorkerQueue
        /// Changed by the queue's jobs.
        var ran = 0
        var isInside = false
        var faults: [String] = []
        /// The last job of each sender, by which those without a delay are in order.
        var last: [Int: Int] = [:]
        let expected = Atomic<Int>(0)
        let cancelled = Atomic<Int>(0)
        let empty = Atomic<Int>(0)

        init(_ queue: WorkerQueue) { self.queue = queue }

        /// - Parameter number: nil for a job that may overtake others.
        func run(of sender: Int, _ number: Int?) {
            if isInside { faults.append("two jobs at once") }
            if !queue.isCurrent { faults.append("not current") }
            isInside = true
            ran += 1
            if let number {
                if let last = last[sender], last >= number { faults.append("\(number) after \(last)") }
                last[sender] = number
            }
            isInside = false
        }
    }

    extension MadeQueueTests {
        @Test(
            "random mixtures of all forms on queues of both kinds: each job once, one at a time, in order",
            arguments: 0..<6)
        func mixture(seed: Int) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1 + seed % 3))
            let oracles = try (0..<7).map {
                Oracle(
                    $0 == 2
                        ? pool.queue(for: .utility) : try pool.makeQueue(label: "made \($0)", qos: .utility))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<3 {
                    group.addTask(executorPreference: sender == 2 ? pool.taskExecutor(for: .utility) : nil) {
                        try await Self.submit(to: oracles, sender: sender, seed: seed)
                    }
                }
                try await group.waitForAll()
            }
            // Also of delayed jobs, and of jobs that call others, which a shutdown might close before.
            func pending() -> Int {
                let statistics = pool.statistics[.utility]
                return statistics.delayed + statistics.waiting + statistics.running
            }
            await waitWhile(pending() > 0)
            try await pool.shutdown()
            var (ran, cancelled) = (0, 0)
            for oracle in oracles {
                #expect(oracle.faults == [])
                let expected = oracle.expected.load(ordering: .relaxed)
                #expect(oracle.ran + oracle.cancelled.load(ordering: .relaxed) == expected)
                ran += oracle.ran
                cancelled += oracle.cancelled.load(ordering: .relaxed)
            }
            let statistics = pool.statistics[.utility]
            #expect(statistics.cancelled == cancelled)
            #expect([statistics.waiting, statistics.running] == [0, 0])
            #expect(statistics.finished >= ran)
            #expect(statistics.submitted == statistics.finished + statistics.cancelled)
        }

        private static func submit(
            to oracles: [Oracle], sender: Int, seed: Int
        ) async throws {
            var random = SeededGenerator(seed: UInt64(10 * seed + sender))
            var waiting: [(Oracle, PoolJob)] = []
            for number in 0..<6_000 {
                let index = Int.random(in: oracles.indices, using: &random)
                let oracle = oracles[index]
                let expect = { (count: Int) in _ = oracle.expected.wrappingAdd(count, ordering: .relaxed) }
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<6:
                    expect(1)
                    waiting.append((oracle, try oracle.queue.async { oracle.run(of: sender, number) }))
                case 6..<9:
                    expect(1)
                    oracle.queue.enqueue { oracle.run(of: sender, number) }
                case 9:
                    expect(1)
                    let delay = Duration.microseconds(Int.random(in: -1...300, using: &random))
                    waiting.append(
                        (oracle, try oracle.queue.async(after: delay) { oracle.run(of: sender, nil) }))
                case 10..<13:
                    expect(1)
                    try oracle.queue.sync { oracle.run(of: sender, number) }
                case 13:
                    expect(1)
                    try await oracle.queue.run { oracle.run(of: sender, number) }
                case 14:
                    // A job that waits for a later queue, so that none waits in a cycle.
                    expect(1)
                    let later = oracles[index...].randomElement(using: &random)!
                    if later !== oracle { later.expected.wrappingAdd(1, ordering: .relaxed) }
                    oracle.queue.enqueue {
                        oracle.run(of: sender, number)
                        if later !== oracle { try! later.queue.sync { later.run(of: sender, nil) } }
                    }
                case 15:
                    expect(1)
                    await Task(executorPreference: oracle.queue) { oracle.run(of: sender, number) }.value
                default:
                    guard let place = waiting.indices.randomElement(using: &random) else { continue }
                    let (oracle, job) = waiting.remove(at: place)
                    if job.cancel() { oracle.cancelled.wrappingAdd(1, ordering: .relaxed) }
                }
            }
        }
    }
#endif
