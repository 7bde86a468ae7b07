#if os(Linux)
    import TestSupport
    import Testing

    @testable import QueuePools

    extension MadeQueueTests {
        @Test(
            "while a queue is busy thousands of jobs come and are cancelled, and those that come then all run",
            arguments: [false, true])
        func cancelledWhileBusy(isKept: Bool) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = try pool.makeQueue(label: "q", qos: .utility)
            for round in 0..<20 {
                let (gate, ran) = (Gate(), Counter())
                queue.enqueue { gate.pass() }
                await gate.waitForArrivals()
                var jobs: [PoolJob] = []
                for _ in 0..<1_000 + 150 * round {
                    let job = try queue.async { Issue.record("a cancelled job ran") }
                    if isKept { jobs.append(job) } else { #expect(job.cancel()) }
                }
                for job in jobs { #expect(job.cancel()) }
                if round % 2 == 0 { queue.enqueue { ran.increment() } }
                gate.open()
                // No `sync`, which would reset the inbox of an idle queue.
                for _ in 0..<500 { queue.enqueue { ran.increment() } }
                await waitWhile(ran.value < 500 + (round + 1) % 2)
            }
            try await pool.shutdown()
        }

        @Test("jobs that are cancelled while a queue runs, in any order, run or are cancelled, each once")
        func cancelledAtRandom() async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
            let queue = try pool.makeQueue(label: "q", qos: .utility)
            let (ran, cancelled) = (Counter(), Counter())
            await withTaskGroup(of: Void.self) { group in
                for producer in 0..<3 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(producer))
                        for _ in 0..<20 {
                            do {
                                var jobs = try (0..<2_000).map { _ in try queue.async { ran.increment() } }
                                jobs.shuffle(using: &random)
                                for job in jobs.dropLast(producer * 4) where job.cancel() {
                                    cancelled.increment()
                                }
                            } catch { Issue.record("\(error)") }
                        }
                    }
                }
            }
            try await pool.shutdown()
            #expect(ran.value + cancelled.value == 3 * 20 * 2_000)
            let counts = pool.statistics[.utility]
            #expect((counts.finished, counts.cancelled) == (ran.value, cancelled.value))
        }
    }
#endif
