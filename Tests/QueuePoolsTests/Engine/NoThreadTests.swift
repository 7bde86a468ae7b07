#if os(Linux)
    import Dispatch
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("When a tier has no thread at all", .timeLimit(.minutes(15)))
    struct NoThreadTests {
        @Test("with no thread at all, submission throws at once, and works again when there is one")
        func none() throws {
            let relief = Counter()
            let supply = ThreadSupply { _, _ in relief.value == 0 }
            let pool = try supply.pool(2)
            for _ in 0..<10 {
                let error = #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
                #expect(error?.code == .noThread)
                #expect(error?.description == "the system cannot make a thread for the pool \"p\" now")
            }
            #expect(pool.statistics[.utility].submitted == 0)
            #expect(pool.statistics[.utility].threadFailures == 10)
            let queue = pool.queue(for: .utility)
            let error = #expect(throws: PoolError.self) { try queue.sync {} }
            #expect(error?.code == .noThread)
            #expect(
                error?.description == "the system cannot make a thread for the queue \"\(queue.label)\" now")
            relief.increment()
            let ran = DispatchSemaphore(value: 0)
            try pool.async(qos: .utility) { ran.signal() }
            ran.wait()
        }

        @Test("a shutdown returns though a tier never got a thread, and no refused job is kept or counted")
        func shutdownForEver() async throws {
            let supply = ThreadSupply { _, _ in true }
            let pool = try supply.pool(2)
            let queue = pool.queue(for: .utility)
            let (ran, released) = (Counter(), Counter())
            func job() -> @Sendable () -> Void {
                let probe = LifetimeProbe { released.increment() }
                return {
                    probe.touch()
                    ran.increment()
                }
            }
            let submissions: [() throws -> Void] = [
                { try pool.async(qos: .utility, job()) },
                { try pool.async(qos: .utility, key: 1, job()) },
                { try pool.async(qos: .utility, after: .zero, job()) },
                { try queue.async(job()) },
                { try queue.async(after: .zero, job()) },
                { try queue.sync(job()) },
            ]
            for submission in submissions {
                let error = #expect(throws: PoolError.self) { try submission() }
                #expect(error?.code == .noThread)
            }
            #expect(released.value == submissions.count)
            #expect(await pool.hasShutDown(timeLimit: .seconds(60)))
            // Nothing is left for which a thread is asked for.
            let group = try #require(pool.withPartition(of: .utility) { ($0 as? WorkerPartition)?.group })
            #expect(!group.hasWork)
            Supervisor.required().performAndWait {}
            #expect(pool.statistics[.utility].threadFailures == submissions.count)
            #expect(supply.refused == submissions.count)
            for submission in submissions {
                let error = #expect(throws: PoolError.self) { try submission() }
                #expect(error?.code == .shutDown)
            }
            #expect(ran.value == 0)
            let tier = pool.statistics[.utility]
            #expect(tier.submitted == 0)
            #expect(tier.finished == 0)
            #expect(tier.cancelled == 0)
            #expect(tier.threads == 0)
        }

        @Test("a shutdown waits for what was never refused until its tier has the first thread")
        func shutdownUntilFirstThread() async throws {
            let relief = Counter()
            let supply = ThreadSupply { _, _ in relief.value == 0 }
            let pool = try supply.pool(2)
            let queue = pool.queue(for: .utility)
            let order = Recorder<Int>()
            for index in 0..<100 { queue.enqueue { order.append(index) } }
            #expect(await !pool.hasShutDown(timeLimit: .zero))
            let error = #expect(throws: PoolError.self) { try queue.async {} }
            #expect(error?.code == .shutDown)
            #expect(pool.statistics[.utility].submitted == 100)
            #expect(pool.statistics[.utility].waiting == 100)
            relief.increment()
            #expect(await pool.hasShutDown(timeLimit: .seconds(60)))
            #expect(order.elements == Array(0..<100))
            #expect(pool.statistics[.utility].finished == 100)
            #expect(pool.statistics[.utility].waiting == 0)
            #expect(pool.statistics[.utility].threads == 0)
        }

        @Test("what is never refused waits until there is a thread")
        func patient() async throws {
            let relief = Counter()
            let supply = ThreadSupply { _, _ in relief.value == 0 }
            let pool = try supply.pool(2)
            let order = Recorder<Int>()
            let queue = pool.queue(for: .utility)
            for index in 0..<100 { queue.enqueue { order.append(index) } }
            let task = Task(executorPreference: pool.taskExecutor(for: .default)) { 7 }
            while supply.refused < 10 {}
            #expect(order.elements.isEmpty)
            relief.increment()
            #expect(await task.value == 7)
            try queue.sync {}
            #expect(order.elements == Array(0..<100))
        }
    }
#endif
