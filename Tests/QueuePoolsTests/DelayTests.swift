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
        let last = try await pool.startWhenAccepted(qos: .utility, after: .milliseconds(40), check)
        try await last.value
        for isRun in [false, true] {
            let time = ContinuousClock.now + .milliseconds(20)
            let isDue = { @Sendable in ContinuousClock.now >= time }
            if isRun {
                #expect(try await pool.run(qos: .utility, at: time, isDue))
            } else {
                #expect(try await pool.startWhenAccepted(qos: .utility, at: time, isDue).value)
            }
        }
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
        await waitWhile(pool.statistics[.background].delayed == 0)
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

    @Test("jobs of equal keys run in the order of their times on queues of Dispatch")
    func orderOnDispatch() async throws {
        let pool = try DispatchQueuePool(label: "p", queuesPerTier: .exactly(4))
        let order = Recorder<Int>()
        for number in 0..<200 {
            try pool.async(qos: .utility, key: 1, after: .microseconds(100 * (number + 1))) {
                order.append(number)
            }
        }
        await waitWhile(order.elements.count < 200)
        #expect(order.elements == Array(0..<200))
        try await pool.shutdown()
    }

    /// Keeps its jobs. Adding the first one blocks until the gate opens.
    private final class SlowQueue: SerialQueue {
        let kept = HandQueue(runsAtOnce: false)
        let gate = Gate()
        private let first = ClaimOnce()
        var isCurrent: Bool { false }

        func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
            if first.claim() { gate.pass() }
            kept.enqueue(job)
        }
    }

    @Test("a queue that blocks as due jobs are added keeps their order, and delays no other queue's")
    func slowQueue() async throws {
        let (slow, other) = (SlowQueue(), SlowQueue())
        let options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
        let pool = try QueuePool<SlowQueue>(options) { _, tier, _ in
            tier == .utility ? slow : other
        }
        other.gate.open()
        let time = ContinuousClock.now + .milliseconds(20)
        for number in 1...3 {
            try pool.async(qos: .utility, key: 1, at: time + .milliseconds(number)) { [log] in
                log.append("\(number)")
            }
        }
        try pool.async(qos: .background, at: time + .milliseconds(4)) {}
        await slow.gate.waitForArrivals()
        await waitWhile(other.kept.count == 0)
        // Behind those that are due, which it adds itself.
        async let end: Void = pool.shutdown()
        await waitWhile((try? pool.async(qos: .default) {}) != nil)
        slow.gate.open()
        await waitWhile(slow.kept.count < 3)
        slow.kept.runAll()
        other.kept.runAll()
        try await end
        #expect(log.elements == ["1", "2", "3"])
    }

    @Test("as many ends that block as there are threads for them delay no job")
    func blockingEnds() async {
        // A process of its own: the threads are the process's.
        await #expect(processExitsWith: .success) {
            let pool = try DispatchQueuePool(label: "p", queuesPerTier: .exactly(1))
            let (busy, gate, ran) = (try await pool.blockUtility(), Gate(), Counter())
            for _ in 0..<16 {
                try pool.start(
                    qos: .utility, startBy: .now + .milliseconds(20), onEnd: { _ in gate.pass() }
                ) {}
            }
            await gate.waitForArrivals(16)
            try pool.async(qos: .background, after: .milliseconds(1)) { ran.increment() }
            try await pool.run(qos: .background, key: 1, after: .milliseconds(1)) { _ = ran.increment() }
            await waitWhile(ran.value < 2)
            gate.open()
            busy.open()
            try await pool.shutdown()
        }
    }

    @Test("a thread that several calls share releases each closure when it has returned")
    func releasedCalls() async {
        let threads = HelperThreads(atMost: 1)
        let (gate, released) = (Gate(), Counter())
        do {
            let probe = LifetimeProbe { released.increment() }
            threads.call { probe.touch() }
        }
        threads.call { gate.pass() }
        threads.call {}
        await gate.waitForArrivals()
        #expect(released.value == 1)
        gate.open()
    }

    private func makePool() throws -> any AnyPool {
        try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
    }
}
