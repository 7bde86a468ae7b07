import Dispatch
import Foundation
import QueuePoolsLocks
import QueuePoolsTopology
import TestSupport
import Testing

@testable import QueuePools

@Suite("Awaited jobs in a shutdown", .timeLimit(.minutes(15)))
struct AwaitedShutdownTests {
    @Test(
        "a shutdown ends calls that wait for room at once, and waiting ones if it cancels",
        arguments: PoolKind.allCases)
    func shutdown(kind: PoolKind) async throws {
        for cancels in [false, true] {
            let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
            let gate = try await pool.blockUtility()
            let waiting = try pool.start(qos: .utility) { 1 }
            let suspended = try pool.start(qos: .utility, key: 1) { 2 }
            let admitting = Task { try await pool.startWhenAccepted(qos: .utility) { 3 } }
            await waitWhile(pool.statistics[.utility].waitingForRoom < 2)
            let end = Task { try await pool.shutdown(waitingJobs: cancels ? .cancel : .run) }
            #expect(await poolErrorCode { _ = try await suspended.value } == .shutDown)
            #expect(await poolErrorCode { _ = try await admitting.value } == .shutDown)
            if cancels { #expect(await poolErrorCode { _ = try await waiting.value } == .shutDown) }
            gate.open()
            if !cancels { #expect(try await waiting.value == 1) }
            try await end.value
            #expect(await poolErrorCode { _ = try pool.start(qos: .utility) {} } == .shutDown)
            let statistics = pool.statistics[.utility]
            #expect(statistics.submitted == 4)
            #expect(statistics.finished == (cancels ? 1 : 2) && statistics.cancelled == (cancels ? 3 : 2))
        }
    }

    @Test(
        "a task that is cancelled while it awaits a shutdown returns, and the shutdown continues",
        arguments: PoolKind.allCases)
    func cancelledShutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = try await pool.blockUtility()
        let task = Task { try await pool.shutdown() }
        await waitWhile((try? pool.async(qos: .background) {}) != nil)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.shutdown()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        gate.open()
        try await pool.shutdown()
    }

    @Test("jobs whose turn comes while a shutdown cancels end as shut down", arguments: PoolKind.allCases)
    func cancelledAtTheirTurn(kind: PoolKind) async throws {
        for _ in 0..<50 {
            let pool = try kind.pool("p", .exactly(2))
            let tasks = try (0..<2_000).map { _ in try pool.start(qos: .utility) {} }
            try await pool.shutdown(waitingJobs: .cancel)
            for task in tasks {
                let code = await poolErrorCode { try await task.value }
                #expect(code == nil || code == .shutDown)
            }
        }
    }

    @Test("jobs of tiers that are being made while a shutdown cancels end as shut down, or have run")
    func cancelledWhileTiersAreMade() async throws {
        for round in 0..<100 {
            let begun = Counter()
            let options = QueuePoolOptions(
                label: "p", queuesPerTier: .exactly(2), topology: .singleNode(cpuCount: 1))
            let pool = try QueuePool<DispatchQueue>(options) { label, _, _ in
                // As long as a shutdown takes, more or less.
                for _ in 0..<round * 200 { begun.increment() }
                return DispatchQueue(label: label)
            }
            let codes = Recorder<PoolError.Code?>()
            let submitters = QoSTier.allCases.map { tier in
                Task.detached {
                    for _ in 0..<40 {
                        let code = await poolErrorCode { try await pool.run(qos: tier) {} }
                        codes.append(code)
                    }
                }
            }
            await waitWhile(begun.value == 0 && round > 0)
            try await pool.shutdown(waitingJobs: .cancel)
            for submitter in submitters { await submitter.value }
            #expect(Set(codes.elements).isSubset(of: [nil, .shutDown]), "\(Set(codes.elements))")
        }
    }

    /// Refuses each job, while a shutdown takes it out of the list of its jobs.
    private final class ShuttingDown: AwaitedJobTarget {
        private let tier = TierAccounting(.utility)

        var hasTiers: Bool { false }
        func parallelism(on _: QoSTier) -> Int { 1 }
        func waitsForThreadOnly(on _: QoSTier, keyHash _: Int?) -> Bool { false }
        var time: PoolTime { PoolTime(clock: nil) }
        var carrier: TaskLocalCarrier? { nil }
        var awaited: AwaitedJobs? { tier.awaited }
        var refusalCode: PoolError.Code { .shutDown }
        var subject: PoolError.Subject { .pool(label: "shutting down") }

        func accounting(on _: QoSTier) -> TierAccounting? { tier }

        func place(_: @escaping @Sendable () -> Void, at _: JobDestination) -> PoolJob? {
            tier.awaited.endAll()
            return nil
        }
    }

    @Test("a job that a pool refuses as it cancels its jobs can be passed on", arguments: PoolKind.allCases)
    func passedOnInAShutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let options = JobOptions(
            qos: .utility, keyHash: nil, label: nil, whenFull: .wait, after: nil, at: nil, startBy: nil,
            finishBy: nil, isAwaited: false)
        let task = PoolTask(options) { 7 }
        let error = #expect(throws: PoolError.self) { try task.job.submit(to: ShuttingDown()) }
        #expect(error?.code == .shutDown)
        try pool.start(JobRequest(task.job))
        #expect(try await task.value == 7)
        try await pool.shutdown()
        #expect(pool.statistics[.utility].finished == 1 && pool.statistics[.utility].refused == 0)
    }

    #if os(Linux)
        /// Is kept by its first resumption until another thread has made a tier's first thread.
        private final class Waiting: TaskExecutor {
            private let queue = try! DispatchQueuePool(label: "waiting", queuesPerTier: .exactly(1))
            private let enqueued = Counter()
            let madeThread = Lock<Bool?>(nil)

            func enqueue(_ job: consuming ExecutorJob) {
                enqueued.increment()
                if enqueued.value == 2 {
                    let made = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        _ = try? DefaultQueuePool(label: "new").async(qos: .background) {}
                        made.signal()
                    }
                    let isMade = made.wait(timeout: .now() + 10) == .success
                    madeThread.withLock { $0 = isMade }
                }
                let job = UnownedJob(job)
                queue.queue(for: .default).async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }

        @Test("an executor that waits for a new thread of a pool can be that of a task whose job expires")
        func expiryBesideANewThread() async throws {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
            let gate = try await pool.blockUtility()
            let executor = Waiting()
            let task = Task(executorPreference: executor) {
                await poolErrorCode {
                    try await pool.run(qos: .utility, startBy: .now + .milliseconds(20)) {}
                }
            }
            #expect(await task.value == .expired)
            #expect(executor.madeThread.withLock { $0 } == true)
            gate.open()
        }

        @Test("an executor that waits for a new thread can be that of a task whose shutdown is late")
        func timeLimitBesideANewThread() async throws {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
            let gate = try await pool.blockUtility()
            let executor = Waiting()
            let task = Task(executorPreference: executor) {
                await poolErrorCode { try await pool.shutdown(timeLimit: .milliseconds(20)) }
            }
            #expect(await task.value == .timeLimit)
            #expect(executor.madeThread.withLock { $0 } == true)
            gate.open()
        }
    #endif
}
