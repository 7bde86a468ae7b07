import Dispatch
import TestSupport
import Testing

@testable import QueuePools

@Suite("Ends of jobs, and groups", .timeLimit(.minutes(15)))
struct JobGroupTests {
    private struct Refusal: Error {}

    @Test("a group that is cancelled while it passes a job on ends that job")
    func cancelledBetween() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let cancel = Recorder<@Sendable () -> Void>()
        let group = JobGroup(
            on: Forwarding(to: pool) { request throws(PoolError) in
                for cancel in cancel.elements { cancel() }
                try pool.start(request)
            })
        cancel.append { [weak group] in group?.cancel() }
        let (gate, ran) = (Gate(), Counter())
        try pool.async(qos: .utility) { gate.pass() }
        await gate.waitForArrivals()
        let task = try group.start(qos: .utility) { ran.increment() }
        await #expect(throws: PoolError.self) { try await task.value }
        gate.open()
        try await pool.shutdown()
        #expect(ran.value == 0)
    }

    @Test("tasks that await a job continue when its end was told and its group is left")
    func order() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let group = JobGroup(on: pool)
        let (gate, told) = (Gate(), Counter())
        let task = try group.start(
            qos: .utility,
            onEnd: { _ in
                gate.pass()
                told.increment()
            }
        ) {}
        let waiting = Task {
            try await task.value
            return told.value == 1 && group.isEmpty
        }
        await gate.waitForArrivals()
        for _ in 0..<200 { await Task.yield() }
        gate.open()
        #expect(try await waiting.value)
        try await pool.shutdown()
    }

    @Test(
        "the end of a job is told once, with its value, its error, or why it did not run",
        arguments: PoolKind.allCases)
    func onEnd(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let ends = Recorder<String>()
        let note: @Sendable (Result<Int, any Error>) -> Void = { result in
            switch result {
            case .success(let value): ends.append("\(value)")
            case .failure(let error as PoolError): ends.append("\(error.code)")
            case .failure: ends.append("error")
            }
        }
        let gate = try await pool.blockUtility()
        let value = try pool.start(qos: .utility, onEnd: note) { 7 }
        let error = try pool.start(qos: .utility, onEnd: note) { throw Refusal() }
        try pool.start(qos: .utility, onEnd: note) { 8 }.cancel()
        let late = try pool.start(qos: .utility, startBy: .now + .milliseconds(5), onEnd: note) { 9 }
        #expect(await poolErrorCode { _ = try await late.value } == .expired)
        gate.open()
        _ = try await value.value
        _ = try? await error.value
        let second = try await pool.blockUtility()
        let dropped = try pool.start(qos: .utility, onEnd: note) { 10 }
        let shutdown = Task { try await pool.shutdown(waitingJobs: .cancel) }
        #expect(await poolErrorCode { _ = try await dropped.value } == .shutDown)
        second.open()
        try await shutdown.value
        #expect(throws: PoolError.self) { try pool.start(qos: .utility, onEnd: note) { 11 } }
        #expect(ends.elements.sorted() == ["7", "cancelled", "error", "expired", "shutDown"].sorted())
    }

    @Test(
        "an end is told once of a job whose submitter waited for its admission", arguments: PoolKind.allCases)
    func endOfAdmitted(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: .each(1))
        let ends = Recorder<String>()
        let onEnd: @Sendable (Result<Int, any Error>) -> Void = { result in
            ends.append((try? result.get()).map { "\($0)" } ?? "error")
        }
        let gate = try await pool.blockUtility()
        let task = try await pool.startWhenAccepted(qos: .utility, onEnd: onEnd) { 1 }
        let suspended = Task { try await pool.startWhenAccepted(qos: .utility, onEnd: onEnd) { 2 } }
        await waitWhile(pool.statistics[.utility].waitingForRoom == 0)
        suspended.cancel()
        await #expect(throws: CancellationError.self) { try await suspended.value }
        #expect(ends.elements == ["error"])
        gate.open()
        #expect(try await task.value == 1)
        #expect(ends.elements == ["error", "1"])
        try await pool.shutdown()
    }

    @Test("a closure of an end is released when it was called, though the handle is kept")
    func releasedEnds() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let released = Counter()
        let task = try { () -> PoolTask<Int> in
            let probe = LifetimeProbe { released.increment() }
            return try pool.start(qos: .utility, onEnd: { _ in probe.touch() }) { 1 }
        }()
        #expect(try await task.value == 1)
        await waitWhile(released.value == 0)
        try await pool.shutdown()
    }

    @Test(
        "a group counts the jobs of every form, and is empty when all have ended",
        arguments: PoolKind.allCases)
    func forms(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let group = JobGroup(on: pool)
        #expect(group.isEmpty)
        try await group.waitForAll()
        let gate = try await pool.blockUtility()
        let ran = Counter()
        try group.async(qos: .utility) { ran.increment() }
        try group.async(qos: .utility, key: 1) { ran.increment() }
        try group.async(qos: .utility, label: "later", after: .milliseconds(1)) { ran.increment() }
        try group.start(qos: .utility) { ran.increment() }
        let values = Task { try await group.map(0..<3, qos: .utility, limit: 3) { _ in ran.increment() } }
        let run = Task { try await group.run(qos: .utility) { ran.increment() } }
        await waitWhile(group.count < 8)
        let empty = Counter()
        group.whenEmpty { empty.increment() }
        #expect(empty.value == 0)
        // A job of the pool's that is not in the group does not count.
        let other = Gate()
        try pool.async(qos: .background) { other.pass() }
        gate.open()
        try await group.waitForAll()
        #expect(ran.value == 8 && group.isEmpty && empty.value == 1)
        group.whenEmpty { empty.increment() }
        #expect(empty.value == 2)
        _ = try await (values.value, run.value)
        other.open()
        try await pool.shutdown()
    }

    @Test(
        "cancelling a group ends the jobs that wait, tells those that run, and leaves the others alone",
        arguments: PoolKind.allCases)
    func cancel(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let group = JobGroup(on: pool)
        let (begun, released) = (Gate(), Counter())
        begun.open()
        let running = try group.start(qos: .utility) {
            begun.pass()
            while !JobScope.isCancelled {}
            return 1
        }
        await begun.waitForArrivals()
        let other = try pool.start(qos: .utility) { 2 }
        let jobs = try (0..<3).map { _ in
            let probe = LifetimeProbe { released.increment() }
            return try group.async(qos: .utility) { probe.touch() }
        }
        group.cancel()
        #expect(released.value == 3)
        for job in jobs { #expect(!job.cancel()) }
        try await group.waitForAll()
        #expect(try await running.value == 1)
        #expect(try await other.value == 2)
        try await group.run(qos: .utility) {}
        try await pool.shutdown()
    }

    @Test("a job that is refused is not in the group, and a cancelled wait leaves the jobs alone")
    func refused() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: .each(1))
        let group = JobGroup(on: JobGroup(on: pool))
        let gate = try await pool.blockUtility()
        try group.async(qos: .utility) {}
        #expect(throws: PoolError.self) { try group.async(qos: .utility) {} }
        #expect(throws: PoolError.self) { try group.start(qos: .utility, whenFull: .throw) {} }
        #expect(group.count == 1)
        let wait = Task { try await group.waitForAll() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        gate.open()
        try await group.waitForAll()
        try await pool.shutdown()
        #expect(pool.statistics[.utility].refused == 2)
    }

    @Test("jobs that add jobs keep a group from being empty until the last one")
    func growing() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        let group = JobGroup(on: pool)
        let ran = Counter()
        @Sendable func add(_ depth: Int) {
            ran.increment()
            guard depth > 0 else { return }
            for _ in 0..<2 { try! group.async(qos: .utility) { add(depth - 1) } }
        }
        try group.async(qos: .utility) { add(9) }
        try await group.waitForAll()
        #expect(ran.value == 1_023)
        try await pool.shutdown()
    }
}
