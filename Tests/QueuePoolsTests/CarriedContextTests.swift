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
                try await pool.startWhenAccepted(qos: .utility, after: .milliseconds(1), note).value
                _ = try await pool.map([1], qos: .utility) { _ in note() }
                try await pipeline.start(1, onEnd: { _ in note() }).value
            }
        }
        try await group.waitForAll()
        await waitWhile(seen.elements.count < 13)
        try await pool.shutdown()
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
        #expect(seen.count == 13 && seen.allSatisfy { $0 == "7 tiles" }, "\(seen)")
    }

    @Test("only those that were named are carried, and without any none is there")
    func named() async throws {
        let one = try await values(try DefaultQueuePool(label: "p", carrying: Request.$id))
        #expect(one.count == 13 && one.allSatisfy { $0 == "7 none" }, "\(one)")
        let none = try await values(try DefaultQueuePool(label: "p"))
        #expect(none.count == 13 && none.allSatisfy { $0 == "0 none" }, "\(none)")
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

    @Test(
        "an end that a canceller, a group, a deadline or a shutdown brings about sees none of their values",
        arguments: [false, true])
    func ends(carries: Bool) async throws {
        let pool = carries ? try ManualPool(carrying: Request.$id) : try ManualPool()
        let group = JobGroup(on: pool)
        let seen = Recorder<String>()
        let onEnd: @Sendable (Result<Void, any Error>) -> Void = { _ in
            seen.append("\(Request.id ?? 0) \(Request.name) \(Task.isCancelled)")
        }
        let task = try Request.$id.withValue(7) {
            try group.start(qos: .utility, onEnd: onEnd) {}
            try pool.start(qos: .utility, startBy: .now + .seconds(3_600), onEnd: onEnd) {}
            try pool.start(qos: .utility, onEnd: onEnd) {}
            return try pool.start(qos: .utility, onEnd: onEnd) {}
        }
        let canceller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await Request.$id.withValue(1) {
                await Request.$name.withValue("canceller") {
                    task.cancel()
                    group.cancel()
                    pool.advance(by: .seconds(3_600))
                    // Ends at once, because the task is cancelled; the shutdown continues.
                    try? await pool.shutdown(waitingJobs: .cancel)
                }
            }
        }
        await canceller.value
        let expected = carries ? "7 none false" : "0 none false"
        #expect(seen.elements == Array(repeating: expected, count: 4))
    }

    @Test(
        "the closure for an empty group has its caller's values, if they are carried, and no others",
        arguments: [false, true])
    func emptyGroup(carries: Bool) throws {
        let pool = carries ? try ManualPool(carrying: Request.$id) : try ManualPool()
        let group = JobGroup(on: JobGroup(on: pool))
        let seen = Recorder<String>()
        func wait() {
            Request.$id.withValue(7) {
                Request.$name.withValue("caller") {
                    group.whenEmpty { seen.append("\(Request.id ?? 0) \(Request.name)") }
                }
            }
        }
        try Request.$id.withValue(1) {
            let task = try group.start(qos: .utility) {}
            wait()
            task.cancel()
            try group.async(qos: .utility) {}
        }
        wait()
        Request.$id.withValue(2) { _ = pool.runAll() }
        wait()
        #expect(seen.elements == Array(repeating: carries ? "7 none" : "0 none", count: 3))
    }

    @Test(
        "a job sees neither the task nor the values of a program's queue that runs it",
        arguments: [false, true])
    func programsQueue(carries: Bool) async throws {
        let queue = HandQueue(runsAtOnce: false)
        var options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
        options.carrying = carries ? [Request.$id] : []
        let pool = try QueuePool<HandQueue>(options) { _, _, _ in queue }
        let seen = Recorder<String>()
        let note = { @Sendable in seen.append("\(Request.id ?? 0) \(Request.name) \(Task.isCancelled)") }
        try Request.$id.withValue(7) {
            try pool.async(qos: .utility, note)
            try pool.async(qos: .utility, key: 1, label: "l", note)
            try pool.async(qos: .utility, after: .nanoseconds(1), note)
            try pool.start(qos: .utility, onEnd: { _ in note() }, note)
        }
        await waitWhile(queue.count < 4)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            Request.$id.withValue(1) { Request.$name.withValue("queue") { queue.runAll() } }
        }
        await task.value
        #expect(seen.elements == Array(repeating: carries ? "7 none false" : "0 none false", count: 5))
        try await pool.shutdown()
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
                isMade ? try pool.makeQueue(label: "made", qos: .utility) : pool.queue(for: .utility)
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
            // Not the shutdown, which may find jobs whose time has not come.
            await waitWhile(seen.elements.count < 7)
            try await pool.shutdown()
            #expect(seen.elements.count == 7 && seen.elements.allSatisfy { $0 == 7 }, "\(seen.elements)")
        }

        @Test(
            "a job that a worker of another pool runs while it waits sees its own pool's values alone",
            arguments: [false, true])
        func helped(isMade: Bool) async throws {
            let (pool, other) = (
                try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1), carrying: Request.$id),
                try WorkerQueuePool(label: "other", queuesPerTier: .exactly(1), carrying: Request.$name)
            )
            let queue =
                isMade ? try other.makeQueue(label: "made", qos: .utility) : other.queue(for: .utility)
            let seen = Recorder<String>()
            let note = { @Sendable in
                seen.append(
                    "\(Request.id ?? 0) \(Request.name) \(WorkerThread.current?.group.settings.label ?? "")")
            }
            // No thread of the other pool is free for its queue.
            let gate = try await other.blockUtility()
            try Request.$name.withValue("helped") { try queue.async(note) }
            let job = try Request.$id.withValue(7) {
                try pool.start(qos: .utility) {
                    try queue.sync(note)
                    note()
                }
            }
            try await job.value
            gate.open()
            #expect(seen.elements == ["0 helped p.utility", "7 none p.utility", "7 none p.utility"])
            try await pool.shutdown()
            try await other.shutdown()
        }
    #endif
}
