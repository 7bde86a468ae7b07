import Dispatch
import Foundation
import TestSupport
import Testing

@testable import QueuePools

@Suite("Jobs that are started, and awaited later", .timeLimit(.minutes(15)))
struct StartTests {
    private struct Refusal: Error, Equatable { let number: Int }

    /// Runs on a thread of its own.
    private actor Caller {
        private let queue = try! DispatchQueuePool(label: "caller", queuesPerTier: .exactly(1))
        private let executor: PoolSerialExecutor<DispatchQueue>
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init() { executor = queue.serialExecutor(for: .default) }

        /// Calls each form with a job that lets Swift's own threads continue.
        func call(_ pool: any AnyPool) async throws {
            try await pool.start(qos: .utility, body(of: block())).value
            try await pool.run(qos: .utility, body(of: block()))
            try await pool.run(qos: .utility, key: 1, body(of: block()))
            try await pool.startWhenAccepted(qos: .utility, body(of: block())).value
        }

        private func body(of gate: Gate) -> @Sendable () -> Void { { gate.open() } }

        private func block() -> Gate {
            let gate = Gate()
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
                Task.detached { blockingPass(gate) }
            }
            return gate
        }
    }

    @Test(
        "every form submits in the call, on its caller's executor, while Swift's own threads are blocked",
        arguments: PoolKind.allCases)
    func inTheCall(kind: PoolKind) async throws {
        try await Caller().call(try kind.pool("p", .exactly(1)))
    }

    @Test("calls of run in a row keep the order of a key, from the main actor", arguments: PoolKind.allCases)
    @MainActor
    func runsInARow(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        for round in 0..<200 {
            let order = Recorder<Int>()
            // Tasks of the main actor begin in the order in which they are made.
            let tasks = (0..<8).map { number in
                Task { try await pool.run(qos: .utility, key: round) { order.append(number) } }
            }
            for task in tasks { try await task.value }
            #expect(order.elements == Array(0..<8))
        }
    }

    @Test(
        "a handle gives its value to all that await it, and what the closure throws",
        arguments: PoolKind.allCases)
    func values(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let gate = try await pool.blockUtility()
        let task = try pool.start(qos: .utility) { 7 }
        let failing = try pool.start(qos: .utility) { () -> Int in throw Refusal(number: 2) }
        async let values = [task.value, task.value]
        gate.open()
        #expect(try await values == [7, 7])
        #expect(try await task.value == 7)
        await #expect(throws: Refusal(number: 2)) { try await failing.value }
    }

    @Test(
        "cancelled through its handle, a job throws cancelled, and its closure is released",
        arguments: PoolKind.allCases)
    func cancelled(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = try await pool.blockUtility()
        let released = Counter()
        var probe: LifetimeProbe? = LifetimeProbe { released.increment() }
        let task = try pool.start(qos: .utility) { [probe] in probe?.touch() }
        probe = nil
        #expect(task.cancel())
        #expect(released.value == 1)
        #expect(!task.cancel())
        #expect(await poolErrorCode { try await task.value } == .cancelled)
        gate.open()
        try await pool.shutdown()
        #expect(pool.statistics[.utility].cancelled == 1 && pool.statistics[.utility].finished == 1)
    }

    @Test(
        "of two tasks that await a job the cancelled one gets a CancellationError, the other why the job ended"
    )
    func twoAwait() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let gate = try await pool.blockUtility()
        defer { gate.open() }
        let job = try pool.start(qos: .utility) {}
        let (first, second) = (Task { try await job.value }, Task { try await job.value })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await poolErrorCode { try await first.value } == .cancelled)
    }

    @Test(
        "the scope says that the awaiting task was cancelled, or the job through its handle",
        arguments: PoolKind.allCases)
    func scope(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let (gate, scope) = (Gate(), Recorder<JobScope>())
        let task = Task {
            try await pool.run(qos: .utility) {
                #expect(!JobScope.isCancelled)
                if let current = JobScope.current { scope.append(current) }
                gate.pass()
                try JobScope.checkCancellation()
            }
        }
        await gate.waitForArrivals()
        let current = try #require(scope.elements.first)
        task.cancel()
        // The job may run before its task waits for it, which is when the job is told.
        await waitWhile(!current.isCancelled)
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        let second = Gate()
        let job = try pool.start(qos: .utility) {
            second.pass()
            return JobScope.isCancelled
        }
        await second.waitForArrivals()
        #expect(!job.cancel())
        second.open()
        #expect(try await job.value)
    }

    @Test("a request that is started twice traps, and says why")
    func startedTwice() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
            let twice = Forwarding(to: pool) { request throws(PoolError) in
                try pool.start(request)
                try pool.start(request)
            }
            try twice.start(qos: .utility) {}
        }
        let message = try #require(result).message
        #expect(message.contains("a JobRequest was started twice"))
    }

    @Test("a request that a program's pool passes nowhere traps in each form, and says why")
    func passedNowhere() async throws {
        let results = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let pool = Forwarding(to: try DefaultQueuePool(label: "p")) { _ in }
                try await pool.start(qos: .utility, key: 1) {}.value
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let pool = Forwarding(to: try DefaultQueuePool(label: "p")) { _ in }
                try await JobGroup(on: pool).run(qos: .utility, key: 1) {}
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let pool = Forwarding(to: try DefaultQueuePool(label: "p")) { _ in }
                try pool.async(qos: .utility, key: 1, label: "l") {}
            },
        ]
        for result in results {
            #expect(try #require(result).message.contains("passed the job to no pool"))
        }
    }

    @Test("a request that one pool refuses another can take, and even drop")
    func refusedAndTaken() async throws {
        let refusing = try DefaultQueuePool(label: "refusing", queuesPerTier: .exactly(1))
        try await refusing.shutdown()
        let queue = HandQueue(runsAtOnce: false)
        let pool = try QueuePool<HandQueue>(
            QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
        ) { _, _, _ in queue }
        let either = Forwarding(to: pool) { request throws(PoolError) in
            do { try refusing.start(request) } catch { try pool.start(request) }
        }
        let task = try either.start(qos: .utility) {}
        queue.dropAll()
        #expect(await poolErrorCode { try await task.value } == .cancelled)
        try await pool.shutdown()
    }

    @Test("a job knows its tier and its queue's label", arguments: PoolKind.allCases)
    func current(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        #expect(QoSTier.current == nil && PoolJob.currentQueueLabel == nil)
        for tier in QoSTier.allCases {
            #expect(try await pool.run(qos: tier) { QoSTier.current } == tier)
            #expect(try await pool.run(qos: tier, key: 1) { PoolJob.currentQueueLabel } == "p.\(tier.name).0")
        }
        // Without a task the default tier is that of the job.
        let inner = try await pool.run(qos: .background) { try pool.start { QoSTier.current } }
        #expect(try await inner.value == .background)
        #if os(Linux)
            let queue = try WorkerQueue(label: "own")
            #expect(try queue.sync { PoolJob.currentQueueLabel } == "own")
            #expect(try queue.sync { QoSTier.current } == .default)
            let workers = try WorkerQueuePool(label: "w", queuesPerTier: .exactly(1))
            #expect(try workers.queue(for: .utility).sync { QoSTier.current } == .utility)
        #endif
    }

    @Test("a job that a queue of the program drops ends, and its closure is released")
    func droppedByItsQueue() async throws {
        let queue = HandQueue(runsAtOnce: false)
        let pool = try QueuePool<HandQueue>(
            QueuePoolOptions(label: "p", queuesPerTier: .exactly(1), capacity: [.utility: 1])
        ) { _, _, _ in queue }
        weak var captured: Counter?
        let task: PoolTask<Void>
        do {
            let counter = Counter()
            captured = counter
            task = try pool.start(qos: .utility) { withExtendedLifetime(counter) {} }
        }
        queue.dropAll()
        #expect(captured == nil)
        #expect(await poolErrorCode { try await task.value } == .cancelled)
        #expect(pool.statistics[.utility].cancelled == 1)
        try await pool.shutdown()
    }
}

private func blockingPass(_ gate: Gate) { gate.pass() }
