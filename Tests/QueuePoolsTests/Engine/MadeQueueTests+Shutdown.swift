#if os(Linux)
    import Dispatch
    import TestSupport
    import Testing

    @testable import QueuePools

    extension MadeQueueTests {
        @Test("a shutdown waits for the jobs of all queues, and cancels delayed ones", arguments: [1, 2_000])
        func shutdown(queues count: Int) async throws {
            let queues = try (0..<count).map { try pool.makeQueue(label: "\($0)", qos: .utility) }
            let (ran, delayed, released) = (Counter(), Counter(), Counter())
            for queue in queues {
                for _ in 0..<5 {
                    try queue.async { [probe = LifetimeProbe { released.increment() }] in
                        probe.touch()
                        ran.increment()
                    }
                }
                try queue.async(after: .seconds(3_600)) {
                    [probe = LifetimeProbe { released.increment() }] in
                    probe.touch()
                    delayed.increment()
                }
            }
            try await pool.shutdown()
            #expect([ran.value, delayed.value, released.value] == [5 * count, 0, 6 * count])
            let statistics = pool.statistics[.utility]
            #expect(
                [statistics.submitted, statistics.finished, statistics.cancelled]
                    == [6, 5, 1].map { $0 * count })
            #expect([statistics.waiting, statistics.running] == [0, 0])
        }

        @Test("a shutdown that cancels runs none of the waiting jobs, except those of enqueue")
        func cancelling() async throws {
            let (gate, ran, released) = (Gate(), Recorder<String>(), Counter())
            try queue.async { gate.pass() }
            await gate.waitForArrivals()
            for _ in 0..<100 {
                try queue.async { [probe = LifetimeProbe { released.increment() }] in
                    probe.touch()
                    ran.append("waiting")
                }
            }
            try queue.async(after: .zero) { ran.append("due") }
            queue.enqueue { ran.append("enqueued") }
            let awaited = try queue.start { ran.append("awaited") }
            let isOver = Task { [pool] in await pool.hasShutDown(waitingJobs: .cancel) }
            await #expect(throws: PoolError.self) { try await awaited.value }
            gate.open()
            #expect(await isOver.value)
            #expect(ran.elements == ["enqueued"])
            #expect(released.value == 100)
            #expect(pool.statistics[.utility].cancelled == 102)
        }

        @Test("after the shutdown queues refuse jobs, name themselves, and run what cannot be refused")
        func afterShutdown() throws {
            try queue.sync {}
            pool.shutdownBlocking()
            let late = try pool.makeQueue(label: "late", qos: .utility)
            let unused = try pool.makeQueue(label: "unused", qos: .background)
            for queue in [queue, late, unused] {
                let submissions: [() throws -> Void] = [
                    { try queue.async {} }, { try queue.async(after: .seconds(1)) {} },
                    { try queue.sync {} },
                ]
                for submit in submissions {
                    let error = #expect(throws: PoolError.self, performing: submit)
                    #expect(error?.code == .shutDown)
                    #expect(error?.description.contains("the queue \"\(queue.label)\" has been shut") == true)
                }
                let (order, ended) = (Recorder<Int>(), DispatchSemaphore(value: 0))
                for number in 0..<100 { queue.enqueue { order.append(number) } }
                queue.enqueue { ended.signal() }
                #expect(ended.wait(timeout: .now() + 600) == .success)
                #expect(order.elements == Array(0..<100))
            }
        }

        @Test("jobs that race with a shutdown are run or refused, those of queues made meanwhile, too")
        func shutdownRace() async throws {
            for _ in 0..<50 {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
                let (accepted, ran) = (Counter(), Counter())
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            while true {
                                await Task.yield()
                                let queue = try pool.makeQueue(label: "q", qos: .utility)
                                for _ in 0..<5 {
                                    do { try queue.async { ran.increment() } } catch { return }
                                    accepted.increment()
                                }
                            }
                        }
                    }
                    await waitWhile(accepted.value < 100)
                    try await pool.shutdown()
                    try await group.waitForAll()
                }
                #expect(ran.value == accepted.value)
            }
        }

        @Test("a caller of sync that shuts its pool down traps")
        func shutdownInSync() async {
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                try pool.makeQueue(label: "q", qos: .utility).sync { pool.shutdownBlocking() }
            }
            #expect(process?.message.contains("shutdownBlocking() of the pool \"p\" was called by") == true)
        }
    }
#endif
