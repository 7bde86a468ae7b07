import Dispatch
import ManualPools
import TestSupport
import Testing

@testable import QueuePools

@Suite("Delays and deadlines", .timeLimit(.minutes(15)))
struct DelayTests {
    private let log = Recorder<String>()

    /// Each form, with a delay.
    private func submit(to pool: any JobSubmitting, after delay: Duration) throws {
        try pool.async(qos: .utility, after: delay) { [log] in log.append("async") }
        try pool.async(qos: .utility, key: 1, label: "keyed", after: delay) { [log] in log.append("keyed") }
        try pool.async(qos: .utility, at: .now + delay) { [log] in log.append("at") }
        try pool.start(qos: .utility, after: delay) { [log] in log.append("start") }
        try pool.start(qos: .utility, key: 1, at: .now + delay) { [log] in log.append("keyed start") }
    }

    @Test("no form begins a job before its time, and time stands still until a test moves it")
    func virtual() throws {
        let pool = try ManualPool()
        try submit(to: pool, after: .seconds(3))
        try submit(to: Forwarding(to: pool), after: .seconds(3))
        #expect(pool.runAll() == 0)
        pool.advance(by: .milliseconds(2_900))
        #expect(pool.runAll() == 0)
        #expect(pool.statistics[.utility].delayed == 10 && pool.statistics[.utility].waiting == 0)
        pool.advance(by: .milliseconds(100))
        #expect(pool.statistics[.utility].delayed == 0 && pool.statistics[.utility].waiting == 10)
        #expect(pool.runAll() == 10)
        #expect(Set(log.elements).count == 5)
        #expect(pool.statistics[.utility].finished == 10)
    }

    @Test("jobs come in the order of their times, whatever the order of their submission")
    func order() throws {
        let pool = try ManualPool()
        for seconds in [3, 1, 2] {
            try pool.async(qos: .utility, after: .seconds(seconds)) { [log] in log.append("\(seconds)") }
        }
        try pool.async(qos: .utility, after: .zero) { [log] in log.append("zero") }
        try pool.async(qos: .utility, after: .seconds(-5)) { [log] in log.append("negative") }
        pool.advance(by: .zero)
        #expect(pool.runAll() == 2)
        pool.advance(by: .seconds(10))
        pool.runAll()
        #expect(log.elements == ["zero", "negative", "1", "2", "3"])
    }

    @Test("a delay of any size is kept, and its job can be cancelled", arguments: PoolKind.allCases)
    func hugeDelays(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let released = Counter()
        var jobs: [PoolJob] = []
        for delay in [Duration.seconds(3_600), .seconds(Int64.max), .seconds(1 << 61)] {
            let probe = LifetimeProbe { released.increment() }
            jobs.append(try pool.async(qos: .utility, after: delay) { probe.touch() })
        }
        let task = try pool.start(qos: .utility, after: .seconds(Int64.max)) {}
        #expect(pool.statistics[.utility].delayed == 4 && pool.statistics[.utility].waiting == 0)
        for job in jobs { #expect(job.cancel()) }
        #expect(released.value == 3)
        #expect(task.cancel())
        #expect(pool.statistics[.utility].cancelled == 4 && pool.statistics[.utility].delayed == 0)
        try await pool.shutdown()
    }

    @Test("every form begins its job at its time on real queues, too", arguments: PoolKind.allCases)
    func real(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let start = ContinuousClock.now
        let early = Counter()
        let check = { @Sendable in
            if start.duration(to: .now) < .milliseconds(30) { early.increment() }
        }
        try pool.async(qos: .utility, after: .milliseconds(30), check)
        try pool.start(qos: .utility, key: 3, at: start + .milliseconds(30), check)
        try await pool.run(qos: .utility, after: .milliseconds(30), check)
        let last = try await pool.startWhenAdmitted(qos: .utility, after: .milliseconds(40), check)
        try await last.value
        #expect(early.value == 0)
        #if os(Linux)
            if let pool = pool as? WorkerQueuePool {
                let queue = pool.queue(for: .utility)
                let time = ContinuousClock.now
                try await queue.run(after: .milliseconds(20)) {
                    #expect(time.duration(to: .now) >= .milliseconds(20))
                }
            }
        #endif
        try await pool.shutdown()
        #expect(pool.statistics[.utility].finished >= 4)
    }

    @Test("a shutdown cancels jobs whose time has not come, and counts them", arguments: PoolKind.allCases)
    func shutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        try submit(to: pool, after: .seconds(3_600))
        let task = try pool.start(qos: .utility, after: .seconds(3_600)) {}
        try await pool.shutdown()
        #expect(await poolErrorCode { try await task.value } == .shutDown)
        let statistics = pool.statistics[.utility]
        #expect(statistics.cancelled == 6 && statistics.waiting + statistics.delayed == 0)
        #expect(log.elements.isEmpty)
    }

    @Test("a job that waits at its finishBy expires, and one that runs is told", arguments: PoolKind.allCases)
    func finishBy(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = try await pool.blockUtility()
        let waiting = try pool.start(qos: .utility, finishBy: .now + .milliseconds(20)) {}
        #expect(await poolErrorCode { try await waiting.value } == .expired)
        gate.open()
        let running = try pool.start(qos: .utility, finishBy: .now + .milliseconds(200)) {
            while !JobScope.isCancelled {}
            return 7
        }
        #expect(try await running.value == 7)
        #expect(throws: PoolError.self) { try pool.start(qos: .utility, finishBy: .now - .seconds(1)) {} }
        #expect(pool.statistics[.utility].expired == 1)
        try await pool.shutdown()
    }

    @Test("deadlines move with a manual pool's time: one expires a job, a later one tells it")
    func virtualDeadlines() async throws {
        let pool = try ManualPool()
        let first = try pool.start(qos: .utility, startBy: .now + .seconds(5)) {}
        let second = try pool.start(qos: .utility, startBy: .now + .seconds(9), finishBy: .now + .seconds(20))
        {
            pool.advance(by: .seconds(10))
            let before = JobScope.isCancelled
            pool.advance(by: .seconds(10))
            return [before, JobScope.isCancelled]
        }
        pool.advance(by: .seconds(5))
        #expect(await poolErrorCode { try await first.value } == .expired)
        pool.runAll()
        #expect(try await second.value == [false, true])
        #expect(pool.statistics[.utility].expired == 1)
    }

    @Test("a delayed job that an urgent task awaits keeps its delay")
    func priority() async throws {
        let pool = try ManualPool()
        let task = Task(priority: .background) {
            try await pool.run(qos: .background, after: .seconds(2)) { QoSTier.current }
        }
        await waitWhile(pool.statistics[.background].waiting == 0)
        let urgent = Task(priority: .high) { try await task.value }
        #if os(Linux)
            // From here on its time is measured from the former's.
            await waitWhile(pool.statistics[.userInitiated].movedIn == 0)
        #endif
        pool.advance(by: .seconds(1))
        pool.runAll()
        #expect(pool.statistics[.background].finished + pool.statistics[.userInitiated].finished == 0)
        pool.advance(by: .seconds(1))
        await waitWhile(pool.waitingCount == 0)
        pool.runAll()
        _ = try await urgent.value
    }

    @Test("expiring jobs do not wait for the captures of another pool's")
    func slowCaptures() async throws {
        let (slow, quick) = (try makePool(), try makePool())
        let gates = try (await slow.blockUtility(), await quick.blockUtility())
        let held = DispatchSemaphore(value: 0)
        // Not without end: a busy machine may let the time pass before the call, whose thread it then holds.
        let probe = LifetimeProbe { _ = held.wait(timeout: .now() + 600) }
        try slow.start(qos: .utility, startBy: .now + .milliseconds(10)) { probe.touch() }
        let task = try quick.start(qos: .utility, startBy: .now + .milliseconds(30)) {}
        // The first one's captures are held until the second one has expired.
        #expect(await poolErrorCode { try await task.value } == .expired)
        held.signal()
        gates.0.open()
        gates.1.open()
        try await slow.shutdown()
        try await quick.shutdown()
    }

    private func makePool() throws -> any AnyPool {
        try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
    }
}
