import ManualPools
import TestSupport
import Testing

@testable import QueuePools

@Suite("Task-local values that a pool carries", .timeLimit(.minutes(15)))
struct CarriedContextTests {
    private enum Request {
        @TaskLocal static var id: Int?
        @TaskLocal static var name = "none"
    }

    /// Submits a job by every form with values, and records what each sees.
    private func values(_ pool: any AnyPool) async throws -> [String] {
        let seen = Recorder<String>()
        let note = { @Sendable in seen.append("\(Request.id ?? 0) \(Request.name)") }
        let group = JobGroup(on: pool)
        let pipeline = try JobPipeline(limit: 2, on: pool, qos: .utility) { (_: Int) in note() }
            .then(on: pool, qos: .background) { note() }
        try await Request.$id.withValue(7) {
            try await Request.$name.withValue("tiles") {
                try pool.async(qos: .utility, note)
                try pool.async(qos: .utility, key: 1, note)
                try pool.async(qos: .utility, label: "l", note)
                try pool.async(qos: .utility, after: .milliseconds(1), note)
                try group.async(qos: .utility, note)
                try await pool.start(qos: .utility, onEnd: { _ in note() }, note).value
                try await pool.run(qos: .utility, note)
                try await pool.startWhenAdmitted(qos: .utility, after: .milliseconds(1), note).value
                _ = try await pool.map([1], qos: .utility) { _ in note() }
                try await pipeline.start(1, onEnd: { _ in note() }).value
            }
        }
        try await group.waitForAll()
        try await pool.shutdown(waitingJobs: .run)
        return seen.elements
    }

    @Test("every form has the submitter's values if the pool is told to", arguments: [false, true])
    func everyForm(isDispatch: Bool) async throws {
        let pool: any AnyPool =
            if isDispatch {
                try DispatchQueuePool(label: "p", carrying: Request.$id, Request.$name)
            } else {
                try DefaultQueuePool(label: "p", carrying: Request.$id, Request.$name)
            }
        let seen = try await values(pool)
        #expect(seen.count >= 10 && seen.allSatisfy { $0 == "7 tiles" }, "\(seen)")
    }

    @Test("only those that were named are carried, and without any none is there")
    func named() async throws {
        let one = try await values(try DefaultQueuePool(label: "p", carrying: Request.$id))
        #expect(one.allSatisfy { $0 == "7 none" }, "\(one)")
        let none = try await values(try DefaultQueuePool(label: "p"))
        #expect(none.allSatisfy { $0 == "0 none" }, "\(none)")
    }

    @Test(
        "all calls of a loop have the values that are carried, on the caller and on helpers, and no others",
        arguments: [false, true])
    func loops(carries: Bool) async throws {
        let pool =
            carries
            ? try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2), carrying: Request.$id)
            : try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        let seen = Recorder<String>()
        let note = { @Sendable in seen.append("\(Request.id ?? 0) \(Request.name)") }
        try await Request.$id.withValue(7) {
            try await Request.$name.withValue("tiles") {
                // So that one of the calls is a helper's.
                let meeting = LoopTests.Meeting(of: 2)
                pool.forEach(0..<2, qos: .utility, chunk: 1) { _ in
                    meeting.join()
                    note()
                }
                pool.forEachChunk(of: 0..<2, qos: .utility) { _ in note() }
                try await pool.run(forEach: 0..<2, qos: .utility) { _ in note() }
            }
        }
        try await pool.shutdown()
        #expect(seen.elements.count >= 5)
        #expect(Set(seen.elements) == [carries ? "7 none" : "0 none"])
    }

    @Test("a job has the values of its submission, not those of the thread that runs it")
    func submission() throws {
        let pool = try ManualPool(carrying: Request.$id)
        let seen = Recorder<Int?>()
        try Request.$id.withValue(1) { try pool.async(qos: .utility) { seen.append(Request.id) } }
        try pool.async(qos: .utility) { seen.append(Request.id) }
        Request.$id.withValue(2) { _ = pool.runAll() }
        #expect(seen.elements == [1, nil])
    }

    /// Counts how often it is captured.
    private final class CountedLocal: CarriedTaskLocal {
        let captures = Counter()

        func captured() -> @Sendable (() -> Void) -> Void {
            captures.increment()
            return { body in body() }
        }
    }

    @Test("a job that is refused captures nothing")
    func refused() throws {
        let local = CountedLocal()
        let pool = try ManualPool(queuesPerTier: 1, capacity: .each(1), carrying: local)
        try pool.async(qos: .utility) {}
        #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        #expect(throws: PoolError.self) { try pool.async(qos: .utility, key: 1) {} }
        #expect(local.captures.value == 1)
        pool.runAll()
    }

    #if os(Linux)
        @Test("jobs of a pool's queue carry values, too", arguments: [false, true])
        func ofQueue(isMade: Bool) async throws {
            let pool = try WorkerQueuePool(label: "p", carrying: Request.$id)
            let queue =
                isMade ? try pool.makeQueue(qos: .utility, label: "made") : pool.queue(for: .utility)
            let seen = Recorder<Int?>()
            let note = { @Sendable in seen.append(Request.id) }
            try await Request.$id.withValue(7) {
                try queue.async(note)
                queue.enqueue(note)
                try queue.async(label: "l", note)
                try queue.async(after: .milliseconds(1), note)
                try queue.async(after: .zero, note)
                try await queue.start(note).value
                try await queue.run(note)
            }
            try await pool.shutdown(waitingJobs: .run)
            #expect(seen.elements.count >= 6 && seen.elements.allSatisfy { $0 == 7 }, "\(seen.elements)")
        }
    #endif
}
