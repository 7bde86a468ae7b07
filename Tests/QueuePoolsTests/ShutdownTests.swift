import Dispatch
import TestSupport
import Testing

@testable import QueuePools

@Suite("Shutting down", .timeLimit(.minutes(15)))
struct ShutdownTests {
    @Test("shutdown waits for what was accepted, then submissions are refused", arguments: PoolKind.allCases)
    func waitsThenRefuses(kind: PoolKind) throws {
        let pool = try kind.pool("p", .exactly(2))
        let ran = Counter()
        for _ in 0..<1_000 { try pool.async(qos: .utility) { ran.increment() } }
        pool.shutdownBlocking()
        #expect(ran.value == 1_000)
        for tier in QoSTier.allCases {
            let error = #expect(throws: PoolError.self) { try pool.async(qos: tier) {} }
            #expect(error?.code == .shutDown)
            #expect(error?.description == "the pool \"p\" has been shut down and accepts no more work")
        }
        #expect(pool.statistics[.utility].submitted == 1_000, "refused jobs are not counted")
    }

    @Test("after shutdown nothing that jobs captured is alive", arguments: PoolKind.allCases)
    func releasesCaptures(kind: PoolKind) throws {
        for _ in 0..<200 {
            let pool = try kind.pool("p", .exactly(1))
            let released = Counter()
            var probe: LifetimeProbe? = LifetimeProbe { released.increment() }
            try pool.async(qos: .default) { [probe] in probe?.touch() }
            probe = nil
            pool.shutdownBlocking()
            #expect(released.value == 1)
        }
    }

    @Test(
        "shutting down again, from several threads at once, returns each time", arguments: PoolKind.allCases)
    func idempotent(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let gate = Gate()
        try pool.async(qos: .default) { gate.pass() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await pool.shutdown() } }
            gate.open()
            try await group.waitForAll()
        }
        try await pool.shutdown()
        #expect(pool.statistics[.default].finished == 1)
    }

    @Test(
        "a shutdown returns false at its time limit, and true to those that wait on",
        arguments: PoolKind.allCases)
    func timeLimit(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = Gate()
        try pool.async(qos: .default) { gate.pass() }
        await gate.waitForArrivals()
        async let other = pool.hasShutDown(timeLimit: .seconds(Int64.max))
        for limit in [Duration.zero, .milliseconds(-5), .milliseconds(1)] {
            #expect(await !pool.hasShutDown(timeLimit: limit))
        }
        gate.open()
        #expect(await pool.hasShutDown())
        #expect(await other)
        #expect(await pool.hasShutDown(timeLimit: .zero))
    }

    @Test(
        "a shutdown that cancels what waits releases the closures, and counts each job once",
        arguments: PoolKind.allCases
    )
    func cancellingWaiting(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let gate = Gate()
        for _ in 0..<2 { try pool.async(qos: .default) { gate.pass() } }
        await gate.waitForArrivals(2)
        let (ran, released) = (Counter(), Counter())
        for index in 0..<100 {
            let probe = LifetimeProbe { released.increment() }
            if index % 2 == 0 {
                try pool.async(qos: .default) { [probe] in
                    probe.touch()
                    ran.increment()
                }
            } else {
                try pool.async(qos: .default, key: index) { [probe] in
                    probe.touch()
                    ran.increment()
                }
            }
        }
        async let end = pool.hasShutDown(waitingJobs: .cancel)
        var late = 0
        while (try? pool.async(qos: .default) { ran.increment() }) != nil {
            late += 1
            await Task.yield()
        }
        gate.open()
        #expect(await end)
        #expect(ran.value == 0)
        #expect(released.value == 100)
        let statistics = pool.statistics[.default]
        #expect(statistics.cancelled == 100 + late)
        #expect(statistics.waiting == 0)
    }

    @Test(
        "a task that yields forever on the pool does not keep shutdown from returning",
        arguments: PoolKind.allCases)
    func endlessTask(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let began = Gate()
        let task = Task(executorPreference: pool.anyTaskExecutor(for: .default)) {
            began.open()
            await waitWhile(!Task.isCancelled)
        }
        began.pass()
        #expect(await pool.hasShutDown(timeLimit: .seconds(10)))
        task.cancel()
        await task.value
    }

    @Test("a shutdown that waits for tasks returns when the last one has ended", arguments: PoolKind.allCases)
    func waitsForTasks(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let (events, continuations) = (Recorder<String>(), AsyncStream.makeStream(of: Void.self))
        let task = Task(executorPreference: pool.anyTaskExecutor(for: .default)) {
            // Suspended, and so on no queue of the pool.
            for await _ in continuations.stream {}
            async let child: Void = events.append("the child has ended")
            await child
            events.append("the task has ended")
        }
        async let isOver = pool.hasShutDown(tasks: .await)
        #expect(await pool.hasShutDown())
        #expect(await !pool.hasShutDown(tasks: .await, timeLimit: .milliseconds(5)))
        #expect(events.elements.isEmpty)
        continuations.continuation.finish()
        #expect(await isOver)
        #expect(events.elements == ["the child has ended", "the task has ended"])
        #expect(await pool.hasShutDown(tasks: .await))
        await task.value
    }

    #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
        @Test("a task that waits for the tasks of its own pool traps", arguments: PoolKind.allCases)
        func waitsForItself(kind: PoolKind) async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [kind] in
                let pool = try kind.pool("p", .exactly(1))
                try await Task(executorPreference: pool.anyTaskExecutor(for: .default)) {
                    try await pool.shutdown(tasks: .await)
                }.value
            }
            #expect(result.message.contains("was called by one of its tasks and would wait for it"))
        }
    #endif

    @Test("a pool that was never used shuts down at once", arguments: PoolKind.allCases)
    func unused(kind: PoolKind) async throws {
        try kind.pool("p", .automatic).shutdownBlocking()
        try await (try kind.pool("p", .automatic)).shutdown()
    }

    @Test(
        "of submissions racing with shutdown each is exactly one of run, cancelled, refused",
        arguments: PoolKind.allCases)
    func racing(kind: PoolKind) async throws {
        // submitter                      | shutdown
        // -------------------------------|------------------------------
        // accepted += 1, bit was clear   |
        //                                | sets the bit, sees 1 accepted
        // enqueues                       | waits
        // the job runs, finished += 1    |
        // sees the bit, looks            | returns
        for _ in 0..<100 {
            let pool = try kind.pool("p", .exactly(3))
            let ran = Counter()
            let shutDown = Counter()
            let ranLate = Counter()
            let (cancelled, refused) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for seed in 0..<4 {
                    group.addTask {
                        var (cancelled, refused) = (0, 0)
                        for turn in 0..<100 {
                            do {
                                let job = try pool.async(qos: .default) {
                                    ran.increment()
                                    if shutDown.value > 0 {
                                        ranLate.increment()
                                    }
                                }
                                if (turn + seed) % 7 == 0, job.cancel() { cancelled += 1 }
                            } catch {
                                refused += 1
                            }
                        }
                        return (cancelled, refused)
                    }
                }
                group.addTask {
                    try await pool.shutdown()
                    shutDown.increment()
                    return (0, 0)
                }
                return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
            #expect(ran.value + cancelled + refused == 400)
            #expect(ranLate.value == 0, "shutdown returned before a job had run")
        }
    }

    #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
        @Test(
            "a job that shuts down its own pool traps instead of waiting for itself",
            arguments: PoolKind.allCases
        )
        func ownJob(kind: PoolKind) async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                [kind] in
                let pool = try kind.pool("p", .automatic)
                let done = DispatchSemaphore(value: 0)
                try pool.async(qos: .default) {
                    pool.shutdownBlocking()
                    done.signal()
                }
                done.waitBlocking()
            }
            #expect(result.message.contains("was called by one of its jobs and would wait for it"))
        }
    #endif

    @Test("so does a job of a pool whose queues the program makes, and which do not know what is current")
    func ownJobOfCustomQueue() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
            let pool = try QueuePool(options) { _, _, _ in UnawareQueue() }
            try pool.async(qos: .default) { pool.shutdownBlocking() }
        }
        #expect(result.message.contains("was called by one of its jobs and would wait for it"))
    }

    private final class UnawareQueue: SerialQueue {
        func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
        var isCurrent: Bool { false }
    }

    @Test("a task on the pool's executor can await its shutdown", arguments: PoolKind.allCases)
    func taskOnOwnExecutor(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .automatic)
        try await Task(executorPreference: pool.anyTaskExecutor(for: .default)) { try await pool.shutdown() }
            .value
        #expect(throws: PoolError.self) { try pool.async(qos: .default) {} }
    }
}

extension DispatchSemaphore {
    fileprivate func waitBlocking() { wait() }
}
