import TestSupport
import Testing

@testable import QueuePools

@MainActor
@Suite("Releases", .timeLimit(.minutes(15)))
struct ReleaseTests {
    @Test(
        "are accepted by a full tier, and take no place of it from the program's jobs",
        arguments: PoolKind.allCases)
    func fullTier(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.background: 1])
        let (first, second, ran) = (Gate(), Gate(), Recorder<String>())
        try pool.async(qos: .background) { first.pass() }
        await first.waitForArrivals()
        pool.enqueueRelease { ran.append("release") }
        let job = try pool.async(qos: .background) { ran.append("cancelled") }
        pool.enqueueRelease { ran.append("release") }
        #expect(isFull { () throws(PoolError) in try pool.async(qos: .background) {} })
        #expect(job.cancel())
        try pool.async(qos: .background) {
            ran.append("job")
            second.pass()
        }
        #expect(isFull { () throws(PoolError) in try pool.async(qos: .background) {} })
        #expect(ran.elements.isEmpty)
        first.open()
        await second.waitForArrivals()
        #expect(ran.elements == ["release", "release", "job"])
        // Those that have ended have returned no place either.
        try pool.async(qos: .background) {}
        #expect(isFull { () throws(PoolError) in try pool.async(qos: .background) {} })
        second.open()
        try await pool.shutdown()
        let statistics = pool.statistics[.background]
        #expect(statistics.submitted == 6 && statistics.finished == 5 && statistics.cancelled == 1)
        #expect(statistics.refused == 3)
    }

    @Test(
        "that wait when a pool is shut down run, though its jobs are cancelled", arguments: PoolKind.allCases)
    func shutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let (gate, ran) = (Gate(), Recorder<String>())
        try pool.async(qos: .background) { gate.pass() }
        await gate.waitForArrivals()
        try pool.async(qos: .background) { ran.append("job") }
        pool.enqueueRelease { ran.append("release") }
        let end = Task { try await pool.shutdown(waitingJobs: .cancel) }
        await waitWhile((try? pool.async(qos: .utility) {}) != nil)
        gate.open()
        try await end.value
        #expect(ran.elements == ["release"])
        let statistics = pool.statistics[.background]
        #expect(statistics.finished == 2 && statistics.cancelled == 1)
    }

    @Test(
        "that come after a pool's shutdown run on another thread, whether or not the tier was used before",
        arguments: PoolKind.allCases, [false, true])
    func afterShutdown(kind: PoolKind, wasUsed: Bool) async throws {
        _ = isOnMainQueue()
        let pool = try kind.pool("p", .exactly(1))
        if wasUsed { try pool.async(qos: .background) {} }
        try await pool.shutdown()
        let ranOnMain = Recorder<Bool>()
        for count in 1...3 {
            pool.enqueueRelease { ranOnMain.append(isOnMainQueue()) }
            await waitWhile(ranOnMain.elements.count < count)
        }
        #expect(ranOnMain.elements == [false, false, false])
        #expect(pool.statistics[.background].refused == 0)
    }

    /// Releases jobs without a call.
    private final class DroppingQueue: SerialQueue {
        let isCurrent = false
        func enqueue(_ job: consuming @escaping @Sendable () -> Void) {}
    }

    @Test("that a queue of the program drops do not keep a shutdown waiting")
    func dropped() async throws {
        let pool = try QueuePool<DroppingQueue>(
            QueuePoolOptions(label: "p", queuesPerTier: .exactly(1), capacity: [.background: 1])
        ) { _, _, _ in DroppingQueue() }
        pool.enqueueRelease {}
        try await pool.shutdown()
        #expect(pool.statistics[.background].cancelled == 1)
    }

    @Test("a type that passes jobs on passes them on, and they take no place of its pool's capacity")
    func forwarded() async throws {
        _ = isOnMainQueue()
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: .each(1))
        let (gate, ranOnMain) = (Gate(), Recorder<Bool>())
        try pool.async(qos: .background) { gate.pass() }
        await gate.waitForArrivals()
        let group = JobGroup(on: Forwarding(to: pool))
        let forwarding: any JobSubmitting = Forwarding(to: group)
        for _ in 0..<20 { forwarding.enqueueRelease { ranOnMain.append(isOnMainQueue()) } }
        #expect(group.isEmpty, "they are no jobs of the program's")
        try await group.waitForAll()
        #expect(ranOnMain.elements.isEmpty)
        gate.open()
        try await pool.shutdown()
        #expect(ranOnMain.elements == Array(repeating: false, count: 20))
        #expect(pool.statistics[.background].refused == 0)
    }

    @Test("run on another thread if a type that passes jobs on refuses them, or passes them nowhere")
    func refusedByForwarding() async throws {
        _ = isOnMainQueue()
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let ranOnMain = Recorder<Bool>()
        let refusing: any JobSubmitting = Forwarding(to: pool) { _ throws(PoolError) in
            throw PoolError(.full, by: .pool(label: "refusing"))
        }
        let losing: any JobSubmitting = Forwarding(to: pool) { _ throws(PoolError) in }
        for (count, forwarding) in [refusing, losing].enumerated() {
            forwarding.enqueueRelease { ranOnMain.append(isOnMainQueue()) }
            await waitWhile(ranOnMain.elements.count <= count)
        }
        #expect(ranOnMain.elements == [false, false])
        #expect(pool.statistics[.background].submitted == 0)
        try await pool.shutdown()
    }
}
