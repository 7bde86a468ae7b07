#if os(Linux)
    import Dispatch
    import QueuePoolsTopology
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Tiers with different numbers of queues and threads.
    @Suite("Queues and threads of each tier", .timeLimit(.minutes(15)))
    struct TierCountTests {
        private func pool(
            threads: TierCounts, queues: TierCounts = .exactly(2),
            options: ThreadOptions = ThreadOptions()
        ) throws -> WorkerQueuePool {
            try WorkerQueuePool(
                label: "p", queuesPerTier: queues,
                workers: WorkerOptions(threads: options, threadsPerTier: threads))
        }

        /// How many of these jobs run at once: until as many have begun, none ends.
        private func run(_ count: Int, on tier: QoSTier, of pool: WorkerQueuePool) async throws {
            let gate = Gate()
            for _ in 0..<count { try pool.async(qos: tier) { gate.pass() } }
            await gate.waitForArrivals(count)
            gate.open()
        }

        @Test("counts are read and changed tier by tier, and say themselves in words")
        func counts() {
            var counts: TierCounts = [.utility: 3]
            #expect(counts[.utility] == 3)
            #expect(counts[.default] == nil)
            #expect(counts.description == "utility 3")
            counts[.utility] = nil
            #expect(counts == .automatic)
            #expect(counts.description == "automatic")
            for tier in QoSTier.allCases { counts[tier] = 2 }
            #expect(counts == .exactly(2))
        }

        @Test("tiers have the numbers of queues that they were given, and the others one per active core")
        func queues() throws {
            let topology = CPUTopology.singleNode(cpuCount: 3)
            let pool = try WorkerQueuePool(
                QueuePoolOptions(
                    label: "p", queuesPerTier: [.utility: 1, .background: 64], topology: topology))
            for (tier, count) in [(QoSTier.utility, 1), (.background, 64), (.default, 3)] {
                #expect(pool.queueCount(of: tier) == count)
                let labels = (0..<2 * count).map { _ in pool.queue(for: tier).label }
                #expect(Set(labels).count == count)
            }
            pool.shutdownBlocking()
        }

        @Test(
            "impossible counts of threads are refused with the reason", arguments: [0, -1, .min, 513, .max])
        func impossibleThreads(count: Int) {
            let error = #expect(throws: PoolError.self) { try pool(threads: [.utility: count]) }
            #expect(error?.code == .invalidThreads)
            #expect(error?.description == "a tier has 1 to 512 threads; \(count) were asked for")
        }

        @Test("impossible counts of queues of one tier are refused", arguments: [0, -1, 65])
        func impossibleQueues(count: Int) {
            let error = #expect(throws: PoolError.self) {
                try pool(threads: .automatic, queues: [.background: count])
            }
            #expect(error?.code == .invalidQueueCount)
        }

        @Test(
            "as many unordered jobs run at once as the tier has threads, whatever the number of queues",
            arguments: [1, 2, 3, 63, 64, 65, 100, 512])
        func atOnce(count: Int) async throws {
            let pool = try pool(threads: [.utility: count], queues: .exactly(3))
            for _ in 0..<3 { try await run(count, on: .utility, of: pool) }
            let threads = pool.statistics[.utility].threads
            #expect(threads <= count)
            // The other tiers have as many threads as queues.
            try await run(3, on: .default, of: pool)
            try await pool.shutdown()
            #expect(pool.statistics[.utility].finished == 3 * count)
            #expect(pool.statistics[.default].threads == 0)
        }

        @Test("of 512 threads all but one end when they are idle, and are made again when jobs wait")
        func ended() async throws {
            let options = ThreadOptions(idleLimit: .milliseconds(20))
            let pool = try pool(threads: [.utility: 512], options: options)
            for _ in 0..<2 {
                try await run(512, on: .utility, of: pool)
                await waitWhile(pool.statistics[.utility].threads > 1)
            }
            try await pool.shutdown()
        }

        @Test("a shutdown waits for 512 jobs that wait, and joins their threads")
        func shutdown() async throws {
            let ended = Counter()
            let options = ThreadOptions(onEnd: { _ in ended.increment() })
            let pool = try pool(threads: [.utility: 512], options: options)
            let gate = Gate()
            for _ in 0..<512 { try pool.async(qos: .utility) { gate.pass() } }
            await gate.waitForArrivals(512)
            #expect(await pool.hasShutDown(timeLimit: .zero) == false)
            gate.open()
            try await pool.shutdown()
            #expect(ended.value == 512)
        }

        @Test("a job waits for one that came later, though more jobs wait than threads look for work")
        func chain() async throws {
            // Each job ends when its successor has begun.
            let pool = try pool(threads: .exactly(100))
            for _ in 0..<20 {
                let began = (0...100).map { _ in DispatchSemaphore(value: 0) }
                began[100].signal()
                for job in 0..<100 {
                    try pool.async(qos: .utility) {
                        began[job].signal()
                        began[job + 1].wait()
                        began[job + 1].signal()
                    }
                }
                for job in 0..<100 {
                    await waitWhile(began[job].wait(timeout: .now()) != .success)
                    began[job].signal()
                }
            }
            try await pool.shutdown()
        }

        @Test("on two nodes a tier's threads are divided as its queues are, at least one for each")
        func divided() async throws {
            let topology = CPUTopology(
                nodes: [.init(id: 0, cpus: [0, 1, 2]), .init(id: 1, cpus: [3])], activeProcessorCount: 4)
            let limits = Recorder<Int>()
            func pool(_ queues: Int, _ threads: TierCounts) throws -> WorkerQueuePool {
                try WorkerQueuePool(
                    QueuePoolOptions(label: "p", queuesPerTier: .exactly(queues), topology: topology),
                    workers: WorkerOptions(threadsPerTier: threads)
                ) { settings in
                    limits.append(settings.limit)
                    return settings
                }
            }
            for (queues, threads, shares) in [
                (4, TierCounts.automatic, [3, 1]), (4, .exactly(512), [384, 128]), (4, .exactly(1), [1, 1]),
                (1, .exactly(8), [8]),
            ] {
                let pool = try pool(queues, threads)
                _ = pool.queue(for: .utility)
                #expect(limits.elements.suffix(shares.count) == shares[...])
                try await pool.shutdown()
            }
        }

        @Test("with more threads than processors short jobs of many producers all run, and none twice")
        func shortJobs() async throws {
            let pool = try pool(threads: .exactly(200))
            let ran = Counter()
            await withTaskGroup(of: Void.self) { group in
                for producer in 0..<8 {
                    group.addTask {
                        for job in 0..<2_000 {
                            if job % 100 == 0 { await Task.yield() }
                            do {
                                if job % 5 == 0 {
                                    try pool.async(qos: .utility, key: producer) { ran.increment() }
                                } else {
                                    try pool.async(qos: .utility) { ran.increment() }
                                }
                            } catch { Issue.record("\(error)") }
                        }
                    }
                }
            }
            try await pool.shutdown()
            #expect(ran.value == 16_000)
        }
    }
#endif
