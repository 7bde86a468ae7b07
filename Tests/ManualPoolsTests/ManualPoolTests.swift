import Dispatch
import ManualPools
import QueuePools
import TestSupport
import Testing

@Suite("A pool that a test drives by hand", .timeLimit(.minutes(15)))
struct ManualPoolTests {
    private let log = Recorder<String>()

    // MARK: Tasks

    private enum Request { @TaskLocal static var number: Int? }

    @Test("jobs see nothing of the task that runs them")
    func outsideOfTask() async throws {
        let pool = try ManualPool()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try Request.$number.withValue(1) {
                try pool.async(qos: .utility) { [log] in
                    log.append("\(Task.isCancelled) \(JobScope.isCancelled) \(Request.number ?? 0)")
                    _ = try? pool.start { log.append("\(QoSTier.current?.name ?? "none")") }
                }
                return pool.runAll()
            }
        }
        #expect(try await task.value == 2)
        #expect(log.elements == ["false false 0", "utility"])
    }

    @Test("jobs see no value that the thread that runs them has bound outside of tasks")
    func outsideOfValues() async throws {
        let pool = try ManualPool()
        try pool.async(qos: .utility) { [log] in log.append("\(Request.number ?? 0)") }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                Request.$number.withValue(1) { _ = pool.runAll() }
                continuation.resume()
            }
        }
        #expect(log.elements == ["0"])
    }

    // MARK: Order

    @Test("nothing runs until the test says so, then urgent tiers first, each in the order of submission")
    func order() throws {
        let pool = try ManualPool(label: "p", queuesPerTier: 3)
        for number in 1...4 {
            for tier in QoSTier.allCases {
                try pool.async(qos: tier) { [log] in log.append("\(tier.name) \(number)") }
            }
        }
        #expect(log.elements.isEmpty)
        #expect(pool.waitingCount == 20)
        #expect(pool.runAll() == 20)
        #expect(pool.waitingCount == 0)
        #expect(
            log.elements
                == QoSTier.allCases.reversed().flatMap { tier in (1...4).map { "\(tier.name) \($0)" } })
        #expect(!pool.runNext())
        #expect(pool.runAll() == 0)
    }

    @Test("jobs with keys, on queues and without either run in the order of submission, on any hashes")
    func orderOverQueues() throws {
        let pool = try ManualPool(label: "p", queuesPerTier: 4)
        for number in 0..<60 {
            let job = { @Sendable [log] in log.append("\(number)") }
            switch number % 3 {
            case 0: try pool.async(qos: .utility, job)
            case 1: try pool.async(qos: .utility, key: number % 7, job)
            default: pool.queue(for: .utility).enqueue(job)
            }
        }
        pool.runAll()
        #expect(log.elements == (0..<60).map(String.init))
    }

    @Test("one job of a tier runs at a time on request, and other tiers are left alone")
    func oneTier() throws {
        let pool = try ManualPool()
        for tier in [QoSTier.utility, .userInteractive, .utility] {
            try pool.async(qos: tier) { [log] in log.append(tier.name) }
        }
        #expect(pool.runNext(qos: .utility))
        #expect(log.elements == ["utility"])
        #expect(pool.runNext())
        #expect(log.elements == ["utility", "userInteractive"])
        #expect(!pool.runNext(qos: .userInteractive))
        try pool.async(qos: .userInteractive) {}
        #expect(pool.runAll(qos: .utility) == 1)
        #expect(!pool.runNext(qos: .utility))
        #expect(pool.runAll() == 1)
    }

    @Test("jobs that jobs submit are run, too, at the place of their tier")
    func nestedSubmission() throws {
        let pool = try ManualPool()
        try pool.async(qos: .utility) { [log] in
            log.append("first")
            _ = try? pool.async(qos: .utility) { log.append("last") }
            _ = try? pool.async(qos: .userInitiated) { log.append("urgent") }
        }
        try pool.async(qos: .utility) { [log] in log.append("second") }
        #expect(pool.runAll() == 4)
        #expect(log.elements == ["first", "urgent", "second", "last"])
    }

    @Test("a job that drives its pool runs jobs of other queues, and none of its own")
    func nestedDriving() throws {
        let pool = try ManualPool(queuesPerTier: 2)
        let queues = [pool.queue(for: .default), pool.queue(for: .default)]
        queues[0].enqueue { [log] in
            log.append("began")
            pool.runAll()
            log.append("ended")
        }
        queues[0].enqueue { [log] in log.append("behind") }
        queues[1].enqueue { [log] in log.append("other") }
        pool.runAll()
        #expect(log.elements == ["began", "other", "ended", "behind"])
    }

    // MARK: What pools do

    @Test("a full tier refuses jobs, and a call of run waits for room")
    func capacity() async throws {
        let pool = try ManualPool(capacity: [.utility: 1])
        try pool.async(qos: .utility) {}
        let error = #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        #expect(error?.code == .full)
        async let value = pool.run(qos: .utility) { 7 }
        await pool.runAll(atLeast: 2)
        #expect(try await value == 7)
    }

    @Test("cancelling a job releases its closure; its place does nothing")
    func cancellation() throws {
        let pool = try ManualPool()
        let released = Counter()
        let probe = LifetimeProbe { released.increment() }
        let job = try pool.async(qos: .default) { [log, probe = consume probe] in
            probe.touch()
            log.append("ran")
        }
        #expect(job.cancel())
        #expect(released.value == 1)
        #expect(pool.waitingCount == 1)
        #expect(pool.statistics[.default].waiting == 0)
        #expect(pool.runAll() == 1)
        #expect(log.elements.isEmpty)
        #expect(!job.cancel())
        #expect(pool.statistics[.default].cancelled == 1)
    }

    @Test("run returns what its closure returns or throws, with and without a key")
    func values() async throws {
        struct Failure: Error {}
        let pool = try ManualPool()
        async let sum = pool.run { 1 + 1 }
        async let keyed = pool.run(qos: .utility, key: "k") { "v" }
        let failure = Task { try await pool.run(qos: .background) { throw Failure() } }
        await pool.runAll(atLeast: 3)
        #expect(try await sum == 2)
        #expect(try await keyed == "v")
        await #expect(throws: Failure.self) { try await failure.value }
    }

    @Test("on the main actor, jobs run on it")
    @MainActor
    func mainActor() async throws {
        let pool = try ManualPool()
        async let isMain = pool.run {
            MainActor.assumeIsolated { true }
        }
        await pool.runAll(atLeast: 1)
        #expect(try await isMain)
    }

    @Test("the steps of tasks and actors wait, too")
    func executors() async throws {
        let pool = try ManualPool(queuesPerTier: 1)
        let task = Task(executorPreference: pool.taskExecutor(for: .utility)) { 7 }
        await pool.runAll(atLeast: 1)
        #expect(await task.value == 7)

        let counting = Counting(executor: pool.serialExecutor(for: .utility))
        async let count = counting.increment()
        await pool.runAll(atLeast: 1)
        #expect(await count == 1)
        pool.queue(for: .utility).enqueue { counting.assumeIsolated { $0.count += 1 } }
        pool.runAll()
        async let last = counting.increment()
        await pool.runAll(atLeast: 1)
        #expect(await last == 3)
    }

    @Test("a shutdown returns when the test has run what was accepted")
    func shutdown() async throws {
        let pool = try ManualPool()
        for tier in QoSTier.allCases { try pool.async(qos: tier) { [log] in log.append(tier.name) } }
        #expect(await !pool.hasShutDown(timeLimit: .zero))
        #expect(throws: PoolError.self) { try pool.async(qos: .default) {} }
        async let end = pool.hasShutDown()
        #expect(pool.runAll() == 5)
        #expect(await end)
        #expect(log.elements.count == 5)
        #expect(QoSTier.allCases.allSatisfy { pool.statistics[$0].finished == 1 })
    }

    @Test(
        "a shutdown that cancels waiting jobs ends calls of run at once, and others when the test runs them")
    func cancellingShutdown() async throws {
        let pool = try ManualPool()
        try pool.async(qos: .default) { [log] in log.append("ran") }
        let call = Task { try await pool.run(qos: .utility) { 7 } }
        await waitWhile(pool.waitingCount < 2)
        #expect(await !pool.hasShutDown(waitingJobs: .cancel, timeLimit: .zero))
        await #expect { try await call.value } throws: { ($0 as? PoolError)?.code == .shutDown }
        pool.runAll()
        #expect(await pool.hasShutDown())
        #expect(log.elements.isEmpty)
        #expect(pool.statistics[.default].cancelled == 1)
    }

    // MARK: Lifetime

    @Test("dropping a pool releases what waits, and nothing runs")
    func released() throws {
        let (released, ran) = (Counter(), Counter())
        func submit() throws {
            let pool = try ManualPool()
            for tier in QoSTier.allCases {
                let probe = LifetimeProbe { released.increment() }
                try pool.async(qos: tier) { [probe] in
                    probe.touch()
                    ran.increment()
                }
            }
            #expect(released.value == 0)
        }
        try submit()
        #expect(released.value == 5)
        #expect(ran.value == 0)
    }

    @Test("a queue that outlives its pool runs the jobs that it has")
    func queueOutlivesPool() throws {
        func queueWithJob() throws -> ManualQueue {
            let pool = try ManualPool()
            try pool.async(qos: .utility, key: 1) { [log] in log.append("ran") }
            return pool.queue(for: .utility, key: 1)
        }
        #expect(try queueWithJob().runNext())
        #expect(log.elements == ["ran"])
    }

    @Test("a call of run that waits keeps the pool, and ends with the scope that awaits it")
    func abandonedRun() async throws {
        let released = Counter()
        func abandon() async throws {
            let pool = try ManualPool()
            let probe = LifetimeProbe { released.increment() }
            try pool.async(qos: .background) { [probe] in probe.touch() }
            async let _ = pool.run { 7 }
            await waitWhile(pool.waitingCount < 2)
            #expect(released.value == 0)
        }
        try await abandon()
        #expect(released.value == 1)
    }

    // MARK: Making one

    @Test("queues are named and numbered as in other pools; impossible pools are refused")
    func making() throws {
        let pool = try ManualPool(label: "p", queuesPerTier: 2)
        let queues = (0..<4).map { _ in pool.queue(for: .utility) }
        #expect(queues.map(\.label) == ["p.utility.0", "p.utility.1", "p.utility.0", "p.utility.1"])
        #expect(queues.allSatisfy { $0.qos == .utility })
        #expect(throws: PoolError.self) { try ManualPool(label: "") }
        #expect(throws: PoolError.self) { try ManualPool(queuesPerTier: 0) }
        #expect(throws: PoolError.self) { try ManualPool(queuesPerTier: 65) }
        #expect(throws: PoolError.self) { try ManualPool(capacity: [.default: 0]) }
    }

    @Test("driving a pool takes no queue's turn")
    func turns() throws {
        let pool = try ManualPool(queuesPerTier: 2)
        #expect(pool.queue(for: .default).label.hasSuffix("0"))
        #expect(!pool.runNext())
        #expect(pool.queue(for: .default).label.hasSuffix("1"))
    }

    @Test("a pool whose queues the program made traps when it is driven as a whole")
    func foreignQueues() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
            let pool = try ManualPool(options) { label, tier, _ in
                ManualQueue(label: label, qos: tier)
            }
            guard pool.queue(for: .utility).runAll() == 0 else { return }
            pool.runAll()
        }
        let message = try #require(result).message
        #expect(message.contains("were made by the program"))
    }
}

private actor Counting {
    private let executor: PoolSerialExecutor<ManualQueue>
    var count = 0

    init(executor: PoolSerialExecutor<ManualQueue>) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func increment() -> Int {
        count += 1
        return count
    }
}

extension ManualPool {
    /// Runs jobs until so many have run, and waits for those that other tasks have yet to submit.
    fileprivate nonisolated(nonsending) func runAll(atLeast count: Int) async {
        var runs = 0
        while runs < count {
            runs += runAll()
            await Task.yield()
        }
    }
}
