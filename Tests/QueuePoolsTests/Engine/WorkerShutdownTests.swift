#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Shutting down and dropping worker queues with work for later", .timeLimit(.minutes(15)))
    struct WorkerShutdownTests {
        /// Two queues of a pool, with two threads or one.
        private static func queues(
            hasOneThread: Bool
        ) throws -> (pool: WorkerQueuePool, first: WorkerQueue, second: WorkerQueue) {
            let pool =
                try hasOneThread
                ? ThreadSupply.one.pool(2) : WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
            let queues = (pool.queue(for: .default), pool.queue(for: .default))
            try queues.0.sync {}
            try queues.1.sync {}
            return (pool, queues.0, queues.1)
        }

        @Test("delayed jobs whose time has come run, the others are cancelled", arguments: [false, true])
        func due(hasOneThread: Bool) throws {
            let (pool, _, queue) = try Self.queues(hasOneThread: hasOneThread)
            let gate = Gate()
            let ran = Recorder<String>()
            let start = DispatchTime.now()
            try queue.async(after: .milliseconds(300)) { ran.append("waited for before the queue was busy") }
            try queue.async { gate.pass() }
            gate.waitForArrivals()
            try queue.async(after: .zero) { ran.append("due when it was submitted") }
            try queue.async(after: .milliseconds(1)) { ran.append("due later") }
            // If the process is held up for so long, the times come in another order.
            let isInOrder = DispatchTime.now() + .milliseconds(1) < start + .milliseconds(300)
            let never = try queue.async(after: .seconds(3_600)) { ran.append("not due") }
            let due = DispatchTime.now() + .milliseconds(310)
            while DispatchTime.now() < due {}
            let closed = DispatchSemaphore(value: 0)
            pool.close { closed.signal() }
            gate.open()
            #expect(closed.wait(timeout: .now() + 600) == .success)
            let expected = [
                "due when it was submitted", "due later", "waited for before the queue was busy",
            ]
            #expect(isInOrder ? ran.elements == expected : Set(ran.elements) == Set(expected))
            #expect(!never.cancel(), "the shutdown has")
            #expect(pool.statistics[.default].cancelled == 1)
        }

        @Test("a delayed job whose time has come goes before those that wait", arguments: [false, true])
        func dueFirst(hasOneThread: Bool) throws {
            let (pool, _, queue) = try Self.queues(hasOneThread: hasOneThread)
            let gate = Gate()
            let order = Recorder<String>()
            try queue.async { gate.pass() }
            gate.waitForArrivals()
            try queue.async(after: .zero) { order.append("due") }
            for _ in 0..<2 { try queue.async { order.append("waiting") } }
            gate.open()
            try queue.sync {}
            #expect(order.elements == ["due", "waiting", "waiting"])
            withExtendedLifetime(pool) {}
        }

        @Test("no thread is made for what another has run, after a shutdown has returned")
        func lateThread() async {
            await #expect(processExitsWith: .success) {
                // Again if the first thread took its last look before it slept, so that the first job had a
                // second one made.
                while try await !hasNoLateThread() {}

                func hasNoLateThread() async throws -> Bool {
                    let (made, ran) = (Counter(), Counter())
                    let supply = ThreadSupply { _, _ in
                        made.increment()
                        return false
                    }
                    let pool = try supply.pool(2)
                    let (job, supervision) = (Gate(), Gate())
                    // The first thread sleeps, and is chosen for the first job.
                    let group = pool.withPartition(of: .default) { ($0 as? WorkerPartition)?.group }
                    precondition(group?.acceptsJobs == true)
                    await waitWhile(group?.parking.freeSlots != 0b11)
                    try pool.async(qos: .default) { job.pass() }
                    await job.waitForArrivals()
                    let supervisor = Supervisor.required()
                    supervisor.perform { supervision.pass() }
                    await supervision.waitForArrivals()
                    guard made.value == 1 else {
                        supervision.open()
                        job.open()
                        return false
                    }
                    // The request for a thread waits in the supervisor's mailbox; the busy thread runs the
                    // job.
                    try pool.async(qos: .default) { ran.increment() }
                    job.open()
                    shutDownBlocking(pool)
                    precondition(ran.value == 1)
                    supervision.open()
                    supervisor.performAndWait {}
                    precondition(made.value == 1, "a thread was made")
                    precondition(pool.statistics[.default].threads == 0)
                    // What comes later still gets one.
                    pool.queue(for: .default).enqueue { ran.increment() }
                    await waitWhile(ran.value < 2)
                    return true
                }
            }
        }

        @Test("no thread is made for jobs that are refused after a shutdown")
        func refusedJobs() async throws {
            let made = Counter()
            let supply = ThreadSupply { _, _ in
                made.increment()
                return false
            }
            let pool = try supply.pool(2)
            try await pool.shutdown()
            let queue = pool.queue(for: .utility)
            let submissions: [() throws -> Void] = [
                { try pool.async(qos: .default) {} },
                { try pool.async(qos: .userInitiated, key: 1) {} },
                { try pool.async(qos: .background, after: .zero) {} },
                { try queue.async {} },
                { try queue.sync {} },
            ]
            for submission in submissions {
                #expect(throws: PoolError.self) { try submission() }
            }
            await #expect(throws: PoolError.self) { try await pool.run(qos: .userInteractive) {} }
            #expect(made.value == 0)
        }

        @Test("tasks that a shutdown waits for keep their thread, though it cancels a delayed job first")
        func tasksBesideDelayedJob() async throws {
            let (isRefusing, released, answers) = (Counter(), Counter(), Counter())
            let supply = ThreadSupply { _, _ in isRefusing.value > 0 }
            let pool = try supply.pool(1)
            do {
                let probe = LifetimeProbe { released.increment() }
                try pool.async(qos: .default, after: .seconds(3_600)) { [probe] in probe.touch() }
            }
            let (requests, sender) = AsyncStream.makeStream(of: Void.self)
            Task(executorPreference: pool.taskExecutor(for: .default)) {
                for await _ in requests { answers.increment() }
            }
            /// Has a step run. Stops when the thread is gone and none can be made.
            func ask() async {
                let before = answers.value
                sender.yield()
                await waitWhile(answers.value == before && supply.refused == 0)
            }
            await ask()
            isRefusing.increment()
            async let isOver = pool.hasShutDown(tasks: .await)
            await waitWhile(released.value == 0)
            for _ in 0..<100 { await ask() }
            #expect(supply.refused == 0)
            isRefusing.decrement()
            sender.finish()
            #expect(await isOver)
            #expect(pool.statistics[.default].cancelled == 1)
        }

        @Test("after a shutdown, each step that comes still runs, on a thread that ends afterwards")
        func lateSteps() async throws {
            let pool = try WorkerQueuePool(label: "late", queuesPerTier: .exactly(2))
            let executor = pool.taskExecutor(for: .default)
            try pool.async(qos: .default) {}
            try await pool.shutdown()
            // The tier utility is first used now.
            for turn in 0..<50 {
                #expect(await Task(executorPreference: executor) { turn }.value == turn)
                pool.queue(for: .utility).enqueue {}
            }
            for tier in [QoSTier.default, .utility] {
                await waitWhile(pool.statistics[tier].threads > 0)
            }
        }

        @Test("what is enqueued just when a queue that was never used is closed runs")
        func enqueuedWhileClosing() throws {
            // closer                              | sender
            // ------------------------------------|-----------------------
            // takes the first position, closes    |
            //                                     | publishes at the second
            // passes over the first position only |
            let ran = Counter()
            for _ in 0..<50 {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(64))
                let queues = (0..<64).map { _ in pool.queue(for: .default) }
                let turn = Atomic<Int>(-1)
                let sender = Thread {
                    for (index, queue) in queues.enumerated() {
                        while turn.load(ordering: .relaxed) < index {}
                        queue.enqueue { ran.increment() }
                    }
                }
                sender.start()
                for (index, queue) in queues.enumerated() {
                    turn.store(index, ordering: .relaxed)
                    // From the first queue to the last, the closer comes later.
                    for _ in 0..<4 * index { _ = turn.load(ordering: .relaxed) }
                    queue.core.close {}
                }
                while !sender.isFinished {}
            }
            let end = DispatchTime.now() + 20
            while ran.value < 50 * 64, DispatchTime.now() < end { sched_yield() }
            #expect(ran.value == 50 * 64)
        }
    }
#endif
