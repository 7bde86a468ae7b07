#if os(Linux)
    import Dispatch
    import CQueuePoolsThreads
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Jobs whose time has not come when their pool or queue is closed, and those that come meanwhile.
    extension DelayedJobTests {
        @Test("a shutdown cancels those whose time has not come, and waits for those that are due")
        func shutdown() async throws {
            let pool = try makePool()
            let gate = try block(pool)
            let (ran, released) = (Recorder<String>(), Counter())
            let probe = LifetimeProbe { released.increment() }
            let never = try pool.async(qos: .utility, after: .seconds(3_600)) { [probe] in
                probe.touch()
                ran.append("never")
            }
            try pool.async(qos: .utility, after: .nanoseconds(1)) { ran.append("due") }
            try pool.async(qos: .background, after: .seconds(3_600)) { ran.append("never") }
            await waitWhile(!pool.hasDueJob)
            async let isOver = pool.hasShutDown()
            // Ends when submissions are refused.
            await waitWhile((try? pool.async(qos: .utility, after: .zero) {}) != nil)
            #expect(throws: PoolError.self) { try pool.async(qos: .utility, after: .zero) {} }
            gate.open()
            #expect(await isOver)
            #expect(ran.elements == ["due"])
            #expect(!never.cancel(), "the shutdown has")
            #expect(pool.statistics[.utility].cancelled == 1)
            #expect(pool.statistics[.background].cancelled == 1)
        }

        @Test("a job that comes while the closing waits for the supervisor is refused, and not counted")
        func duringClosing() throws {
            let pool = try makePool()
            let partition = try #require(pool.withPartition(of: .utility) { $0 as? WorkerPartition })
            try pool.async(qos: .utility, after: .seconds(3_600)) {}
            let (gate, closed) = (Gate(), DispatchSemaphore(value: 0))
            Supervisor.required().perform { gate.pass() }
            gate.waitForArrivals()
            for intake in partition.intakes { intake.close { closed.signal() } }  // as the pool does
            let job = partition.submit(
                {}, to: nil, at: monotonicNanoseconds().advanced(by: .seconds(3_600)))
            gate.open()
            #expect(job == nil)
            for _ in partition.intakes { #expect(closed.wait(timeout: .now() + 600) == .success) }
            let statistics = pool.statistics[.utility]
            #expect([statistics.submitted, statistics.cancelled, statistics.waiting] == [1, 1, 0])
        }

        @Test(
            "a queue's job that is due just as the queue is closed has run, and is released, at its end"
        )
        func dueAtClosing() throws {
            let pool = try makePool(1)
            let queue = pool.queue(for: .utility)
            try queue.sync {}
            let (gate, released, closed) = (Gate(), Counter(), DispatchSemaphore(value: 0))
            let releasedAtEnd = Recorder<Int>()
            let supervisor = Supervisor.required()
            supervisor.perform { gate.pass() }
            gate.waitForArrivals()
            let job = DelayedJob(of: queue.core, at: 0, by: supervisor) {
                [probe = LifetimeProbe { released.increment() }] in probe.touch()
            }
            queue.mailboxQueue.jobs.counters.delayed.wrappingAdd(1, ordering: .relaxed)
            queue.core.close {
                releasedAtEnd.append(released.value)
                closed.signal()
            }
            #expect(!job.becomeDue())
            gate.open()
            #expect(closed.wait(timeout: .now() + 600) == .success)
            pool.shutdownBlocking()
            #expect(releasedAtEnd.elements == [1])
            #expect(pool.statistics[.utility].finished == 2)
        }

        @Test("a job that another queue's closing finds when its own queue is closed is cancelled")
        func dueAfterClosing() throws {
            let pool = try makePool(2)
            let queue = pool.queue(for: .utility)
            try queue.sync {}
            let (closed, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.core.close { closed.signal() }
            #expect(closed.wait(timeout: .now() + 600) == .success)
            let ran = Counter()
            let job = DelayedJob(of: queue.core, at: 0, by: Supervisor.required()) {
                [probe = LifetimeProbe { ended.signal() }] in
                probe.touch()
                ran.increment()
            }
            #expect(job.becomeDue(isClosing: true))
            #expect(ended.wait(timeout: .now() + 600) == .success)
            #expect(ran.value == 0)
        }

        @Test("one that becomes due just as its lane closes runs before that has ended, or is refused")
        func dueWhileClosing() throws {
            let sender = try WorkerQueue(withThread: "sender")
            // One of them comes just when the lane closes: in some rounds between its look and its step.
            let late = Counter()
            for _ in 0..<100 {
                let pool = try makePool(1)
                try pool.queue(for: .utility).sync {}
                let found = pool.withPartition(of: .utility) { ($0 as? WorkerPartition)?.group.lanes[0] }
                let lane = try #require(found).takeUnretainedValue()
                let (accepted, refused, ran, isClosed) = (Counter(), Counter(), Counter(), Counter())
                try sender.async {
                    while true {
                        let job = DelayedJob(of: lane, at: 0, by: Supervisor.required(), hasPlace: true) {
                            ran.increment()
                            if isClosed.value > 0 { late.increment() }
                        }
                        guard lane.accept(job, isClosing: false) else { break }
                        accepted.increment()
                    }
                    refused.increment()
                }
                while accepted.value < 20 {}
                lane.close { isClosed.increment() }
                while refused.value == 0 || ran.value < accepted.value || isClosed.value == 0 {
                    cqp_thread_yield()
                }
                withExtendedLifetime(pool) {}
            }
            #expect(late.value == 0)
        }

        @Test(
            "submitted, cancelled and shut down at any time, each is run, cancelled or refused",
            arguments: 0..<4)
        func storm(seed: UInt64) async throws {
            let pool = try makePool(2, capacity: [.utility: 50])
            let (accepted, cancelled, ran, refused) = (Counter(), Counter(), Counter(), Counter())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(seed: seed * 4 + UInt64(task))
                        for _ in 0..<500 {
                            let delay = Duration.microseconds(Int.random(in: -100...1_000, using: &random))
                            guard let job = try? pool.async(qos: .utility, after: delay, { ran.increment() })
                            else {
                                refused.increment()
                                await Task.yield()
                                continue
                            }
                            accepted.increment()
                            if Bool.random(using: &random), job.cancel() { cancelled.increment() }
                        }
                    }
                }
                group.addTask {
                    await waitWhile(accepted.value + refused.value < 1_000)
                    try await pool.shutdown()
                }
                try await group.waitForAll()
            }
            try await pool.shutdown()
            let statistics = pool.statistics[.utility]
            #expect(accepted.value + refused.value == 2_000)
            #expect(statistics.finished == ran.value)
            // Jobs that came during the closing are cancelled a moment later.
            await waitWhile(pool.statistics[.utility].cancelled + ran.value < accepted.value)
            #expect(pool.statistics[.utility].cancelled >= cancelled.value)
            #expect(pool.statistics[.utility].waiting == 0)
        }
    }
#endif
