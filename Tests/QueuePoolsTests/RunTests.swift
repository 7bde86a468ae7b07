import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QueuePools

@Suite("Jobs whose value a task awaits", .timeLimit(.minutes(15)))
struct RunTests {
    private struct Refusal: Error, Equatable { let number: Int }

    private func makePool(_ queues: Int = 1) throws -> DefaultQueuePool {
        try DefaultQueuePool(label: "p", queuesPerTier: .exactly(queues))
    }

    /// Holds all threads of a tier until the gate opens.
    private func block(_ tier: QoSTier, of pool: DefaultQueuePool) throws -> Gate {
        let gate = Gate()
        for _ in 0..<pool.queueCount(of: tier) { try pool.async(qos: tier) { gate.pass() } }
        gate.waitForArrivals(pool.queueCount(of: tier))
        return gate
    }

    @Test(
        "a value comes back, and the closure's own error as it is, from pools of both kinds and from queues")
    func outcomes() async throws {
        let (pool, dispatch) = (
            try makePool(2), try DispatchQueuePool(label: "d", queuesPerTier: .exactly(2))
        )
        #expect(try await pool.run(qos: .utility) { 7 } == 7)
        #expect(try await pool.run { 7 } == 7)
        #expect(try await pool.run(key: "a") { 7 } == 7)
        #expect(try await dispatch.run(qos: .utility) { 7 } == 7)
        await #expect(throws: Refusal(number: 1)) { try await pool.run { throw Refusal(number: 1) } }
        await #expect(throws: Refusal(number: 2)) { try await dispatch.run { throw Refusal(number: 2) } }
        #if os(Linux)
            let queue = try WorkerQueue(label: "q")
            #expect(try await queue.run { queue.isCurrent })
            await #expect(throws: Refusal(number: 3)) { try await queue.run { throw Refusal(number: 3) } }
        #endif
    }

    /// An object of one thread at a time.
    private final class Page {
        var words: [String] = []
    }

    @Test("a value that is not Sendable is handed to a job, and comes back", arguments: PoolKind.allCases)
    func handedOver(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let made = try await pool.run(qos: .utility) {
            let page = Page()
            page.words.append("made")
            return page
        }
        made.words.append("changed")
        let box = Mutex<Page?>(made)
        let back = try await pool.run(qos: .utility) {
            let page = box.withLock { page in
                defer { page = nil }
                return page
            }
            page?.words.append(JobScope.isCancelled ? "cancelled" : "changed again")
            return page
        }
        back?.words.append("returned")
        #expect(back?.words == ["made", "changed", "changed again", "returned"])
        #if os(Linux)
            let queue = try WorkerQueue(label: "q")
            let page = try await queue.run { Page() }
            page.words.append("of a queue")
            #expect(page.words.count == 1)
        #endif
    }

    @Test("an error takes the place of a value that is not Sendable")
    func notHandedOver() async throws {
        let pool = try makePool()
        @Sendable func page(_ number: Int) throws -> Page {
            guard number == 0 else { throw Refusal(number: number) }
            return Page()
        }
        await #expect(throws: Refusal(number: 4)) { _ = try await pool.run { try page(4) } }
        try await pool.shutdown()
        await #expect(throws: PoolError.self) { _ = try await pool.run { try page(0) } }
    }

    @Test("a pool that is shut down refuses with its error")
    func refused() async throws {
        let pool = try makePool()
        try await pool.shutdown()
        await #expect { try await pool.run { 1 } } throws: { ($0 as? PoolError)?.code == .shutDown }
        await #expect { try await pool.run(key: 1) { 1 } } throws: { ($0 as? PoolError)?.code == .shutDown }
    }

    @Test("cancelled before it begins, a job leaves its queue, and its closure is gone when run throws")
    func cancelBeforeBeginning() async throws {
        let pool = try makePool()
        let gate = try block(.default, of: pool)
        let events = Recorder<String>()
        let task = Task {
            do {
                let probe = LifetimeProbe { events.append("released") }
                try await pool.run(qos: .default) { [probe] in
                    probe.touch()
                    events.append("ran")
                }
            } catch is CancellationError {
                events.append("cancelled")
            }
        }
        await waitWhile(pool.statistics[.default].waiting == 0)
        task.cancel()
        try await task.value
        #expect(events.elements == ["released", "cancelled"])
        #expect(pool.statistics[.default].cancelled == 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.run(qos: .default) { 1 }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        gate.open()
        try await pool.shutdown()
        #expect(pool.statistics[.default].submitted == 2)
    }

    @Test("a shutdown that cancels waiting jobs ends the tasks that await them, at once")
    func shutdownCancels() async throws {
        let pool = try makePool()
        let gate = try block(.default, of: pool)
        let task = Task { try await pool.run(qos: .default) { 1 } }
        let keyed = Task { try await pool.run(qos: .default, key: 1) { 1 } }
        await waitWhile(pool.statistics[.default].waiting < 2)
        async let isOver = pool.hasShutDown(waitingJobs: .cancel)
        await #expect { try await task.value } throws: { ($0 as? PoolError)?.code == .shutDown }
        await #expect { try await keyed.value } throws: { ($0 as? PoolError)?.code == .shutDown }
        gate.open()
        #expect(await isOver)
    }

    @Test("a job that has begun runs to its end, though its task is cancelled")
    func cancelAfterBeginning() async throws {
        let pool = try makePool()
        let gate = Gate()
        let task = Task {
            try await pool.run {
                gate.pass()
                return 7
            }
        }
        await gate.waitForArrivals()
        task.cancel()
        gate.open()
        #expect(try await task.value == 7)
    }

    @Test("a job that its queue drops while it is still being submitted ends its run")
    func cancelledAtOnce() async throws {
        func countCancelled<Queue>(_ pool: QueuePool<Queue>) async throws -> Int {
            try await pool.run(qos: .utility) {}
            // As a shutdown, but the calls are accepted.
            for intake in pool.withTier(.utility, { $0.allPartitions.flatMap(\.intakes) }) {
                intake.cancelWaiting()
            }
            var cancelled = 0
            for _ in 0..<5_000 {
                do {
                    try await pool.run(qos: .utility) {}
                } catch let error as PoolError where error.code == .cancelled {
                    cancelled += 1
                }
            }
            return cancelled
        }
        #expect(try await countCancelled(try makePool(2)) == 5_000)
        #expect(
            try await countCancelled(try DispatchQueuePool(label: "d", queuesPerTier: .exactly(2))) == 5_000)
    }

    #if os(Linux)
        @Test("when the priority of the task rises while the job is being submitted, the job moves, too")
        func earlyEscalation() async throws {
            let (making, waiting) = (Gate(), Gate())
            let options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
            let pool = try QueuePool(options) { label, tier, _ in
                let queue = try! WorkerQueue(withThread: label)
                if tier == .utility {
                    try! queue.async { waiting.pass() }
                    making.pass()
                }
                return WrappedQueue(queue)
            }
            try await pool.run(qos: .userInitiated) {}  // so that the higher tier is there
            let own = try WorkerQueue(withThread: "own")
            let task = Task(executorPreference: own, priority: .utility) { try await pool.run { 7 } }
            await making.waitForArrivals()
            task.escalatePriority(to: .high)
            making.open()
            #expect(try await task.value == 7)
            #expect(pool.statistics[.utility].movedOut == 1)
            waiting.open()
            try await pool.shutdown()
        }

        @Test("a rise of priority within a tier leaves the job where it is")
        func smallEscalation() async throws {
            let pool = try makePool()
            let gate = try block(.userInitiated, of: pool)
            let task = Task(priority: .utility) { try await pool.run(qos: .userInitiated) { 7 } }
            await waitWhile(pool.statistics[.userInitiated].waiting == 0)
            for priority in [TaskPriority.high, TaskPriority(rawValue: 26)] {
                task.escalatePriority(to: priority)
            }
            gate.open()
            #expect(try await task.value == 7)
            try await pool.shutdown()
        }

        @Test("when the priority of the task rises, a waiting job moves to the higher tier")
        func escalation() async throws {
            let pool = try makePool()
            let gate = try block(.utility, of: pool)
            let task = Task(priority: .utility) { try await pool.run { 7 } }
            await waitWhile(pool.statistics[.utility].waiting == 0)
            task.escalatePriority(to: .high)
            // The utility tier stands still until the job has run.
            #expect(try await task.value == 7)
            gate.open()
            try await pool.shutdown()
            let statistics = pool.statistics
            #expect(statistics[.utility].movedOut == 1 && statistics[.utility].cancelled == 0)
            #expect(statistics[.userInitiated].movedIn == 1 && statistics[.userInitiated].submitted == 0)
            #expect(statistics[.userInitiated].finished == 1)
        }

        @Test("a job whose new tier refuses it stays on the old one")
        func refusedEscalation() async throws {
            let pool = try makePool()
            let gate = try block(.utility, of: pool)
            let task = Task(priority: .utility) { try await pool.run { 7 } }
            await waitWhile(pool.statistics[.utility].waiting == 0)
            async let end = pool.hasShutDown()
            await waitWhile(!pool.isShutDown)
            task.escalatePriority(to: .high)
            gate.open()
            #expect(try await task.value == 7)
            #expect(await end)
        }

        @Test(
            "raised, cancelled and begun at any time, each job ends once and runs at most once",
            arguments: 0..<4)
        func storm(seed: UInt64) async throws {
            let pool = try makePool(2)
            let values = Counter()
            var random = SeededGenerator(seed: seed)
            let plans = (0..<500).map { _ in
                (UInt64.random(in: 0..<40, using: &random), Int.random(in: 0..<4, using: &random))
            }
            let (ran, ended) = (Counter(), Counter())
            await withTaskGroup(of: Void.self) { group in
                for (turns, kind) in plans {
                    let task = Task(priority: .background) {
                        let value = try? await pool.run {
                            ran.increment()
                            return 1
                        }
                        ended.increment()
                        if value != nil { values.increment() }
                    }
                    group.addTask {
                        for _ in 0..<turns { await Task.yield() }
                        if kind != 1 { task.escalatePriority(to: .high) }
                        if kind > 1 { task.cancel() }
                        await task.value
                    }
                }
            }
            #expect(ended.value == 500)
            #expect(ran.value == values.value)
            try await pool.shutdown()
        }
    #endif
}

#if os(Linux)
    /// A queue of a program's own kind.
    private final class WrappedQueue: SerialQueue {
        private let queue: WorkerQueue
        var isCurrent: Bool { queue.isCurrent }

        init(_ queue: WorkerQueue) { self.queue = queue }

        func enqueue(_ job: consuming @escaping @Sendable () -> Void) { queue.enqueue(job) }
    }
#endif
