import ManualPools
import QueuePoolsTopology
import TestSupport
import Testing

@testable import QueuePools

@Suite("Pipelines of stages", .timeLimit(.minutes(15)))
struct JobPipelineTests {
    private struct Refusal: Error {}

    @Test(
        "each input goes through all stages, whichever tiers and pools they are on",
        arguments: PoolKind.allCases)
    func stages(kind: PoolKind) async throws {
        let (first, second) = (try kind.pool("first", .exactly(2)), try kind.pool("second", .exactly(1)))
        let tiers = Recorder<QoSTier?>()
        let pipeline = try JobPipeline(limit: 4, on: first, qos: .utility) { (number: Int) in number * 2 }
            .then(on: second, qos: .background, key: "serial", label: "text") { "\($0)" }
            .then(on: JobGroup(on: first), qos: .userInitiated) { text in
                tiers.append(.current)
                return text + "!"
            }
        var values: [String] = []
        for try await value in pipeline.results(of: 0..<100) { values.append(value) }
        #expect(values == (0..<100).map { "\($0 * 2)!" })
        #if os(Linux)
            #expect(tiers.elements.allSatisfy { $0 == .userInitiated })
        #endif
        try await first.shutdown()
        try await second.shutdown()
        #expect(first.statistics[.utility].finished == 100 && second.statistics[.background].finished == 100)
        #expect(first.statistics[.userInitiated].finished == 100)
    }

    @Test("no more inputs than the limit are in it, also between two stages", arguments: PoolKind.allCases)
    func bound(kind: PoolKind) async throws {
        let (first, second) = (
            try kind.pool("p", .exactly(2)), try kind.pool("q", .exactly(1), capacity: .each(1))
        )
        let (present, most) = (Counter(), Recorder<Int>())
        final class Picture: Sendable {
            let present: Counter
            init(_ present: Counter, _ most: Recorder<Int>) {
                self.present = present
                most.append(present.increment())
            }
            deinit { present.decrement() }
        }
        let pipeline = try JobPipeline(limit: 3, on: first, qos: .utility) { (_: Int) in
            Picture(present, most)
        }.then(on: second, qos: .utility) { picture in picture }
            .then(on: first, qos: .background) { _ in 1 }
        var tasks: [PoolTask<Int>] = []
        for number in 0..<500 { tasks.append(try await pipeline.startWhenAccepted(number)) }
        for task in tasks { #expect(try await task.value == 1) }
        #expect(most.elements.count == 500 && most.elements.max() ?? 0 <= 3)
        try await first.shutdown()
        try await second.shutdown()
    }

    @Test("a group that a stage is on has all inputs, also those that wait for room")
    func grouped() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let outer = JobGroup(on: pool)
        let inner = JobGroup(on: outer)
        let (gate, ends) = (Gate(), Counter())
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (_: Int) in gate.pass() }
            .then(on: inner, qos: .utility) {}.then(on: inner, qos: .background) {}
        for number in 0..<5 { try pipeline.start(number, onEnd: { _ in ends.increment() }) }
        #expect(inner.count == 5 && outer.count == 5)
        let error = #expect(throws: PoolError.self) { try pipeline.start(5, whenFull: .throw) }
        #expect(error?.code == .full && inner.count == 5 && outer.count == 5)
        #expect(error?.description == "the pipeline is full: as many inputs are in it as its limit allows")
        inner.cancel()
        #expect(inner.count <= 1 && ends.value >= 4)
        gate.open()
        try await outer.waitForAll()
        #expect(inner.isEmpty && ends.value == 5)
        for number in 0..<5 { try pipeline.start(number, onEnd: { _ in ends.increment() }) }
        try await outer.waitForAll()
        #expect(inner.isEmpty && ends.value == 10)
        try await pool.shutdown()
    }

    @Test("inputs that expire or are cancelled as they are accepted give their places back")
    func endsWhenAdmitted() async throws {
        let pool = try DefaultQueuePool(label: "p")
        let pipeline = try JobPipeline(limit: 2, on: pool, qos: .utility) { (number: Int) in number }
        for _ in 0..<20 {
            let time = ContinuousClock.now + .milliseconds(2)
            let tasks = (0..<500).compactMap { try? pipeline.start($0, finishBy: time) }
            for task in tasks { _ = try? await task.value }
        }
        for number in 0..<2_000 {
            let first = try pipeline.start(number)
            let tasks = try (0..<3).map { try pipeline.start($0) }
            async let cancelled: Void = { for task in tasks { task.cancel() } }()
            #expect(try await first.value == number)
            await cancelled
            for task in tasks { _ = try? await task.value }
        }
        for number in 0..<8 { #expect(try await pipeline.start(number).value == number) }
        try await pool.shutdown()
    }

    @Test("an input whose time passes while a stage runs ends as expired")
    func expiredBetweenStages() async throws {
        let pool = try ManualPool()
        let later = Counter()
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (_: Int) in
            pool.advance(by: .seconds(2))
            #expect(JobScope.isCancelled)
        }.then(on: pool, qos: .utility) { later.increment() }
        let task = try pipeline.start(1, finishBy: .now + .seconds(1))
        pool.runAll()
        let error = await #expect(throws: PoolError.self) { try await task.value }
        #expect(error?.code == .expired && later.value == 0)
    }

    @Test("an input is accepted though its first stage waits for room in its tier")
    func accepted() async throws {
        let pool = try ManualPool(capacity: [.utility: 1])
        let pipeline = try JobPipeline(limit: 2, on: pool, qos: .utility) { (number: Int) in number }
        try pool.async(qos: .utility) {}
        let task = try await pipeline.startWhenAccepted(1)
        #expect(pool.statistics[.utility].waitingForRoom == 1)
        while pool.runNext() {}
        #expect(try await task.value == 1)
    }

    @Test("the end of an input is told before the next one comes in")
    func endBeforeNext() throws {
        let pool = try ManualPool()
        let events = Recorder<String>()
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (number: Int) in
            events.append("stage \(number)")
        }
        for number in 1...2 {
            try pipeline.start(
                number, onEnd: { _ in events.append("end \(number), \(pool.waitingCount) wait") })
        }
        while pool.runNext() {}
        #expect(events.elements == ["stage 1", "end 1, 0 wait", "stage 2", "end 2, 0 wait"])
    }

    @Test("tasks that await an input continue when its place is free")
    func placeBeforeValue() async throws {
        let pool = try DefaultQueuePool(label: "p")
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (number: Int) in number }
        for number in 0..<2_000 {
            #expect(try await pipeline.start(number, whenFull: .throw).value == number)
        }
        try await pool.shutdown()
    }

    @Test("a stage that its queue drops in a shutdown ends as shut down")
    func dropped() async throws {
        let queue = HandQueue(runsAtOnce: false)
        let (pool, first) = (
            try QueuePool<HandQueue>(
                QueuePoolOptions(
                    label: "p", queuesPerTier: .exactly(1), topology: .singleNode(cpuCount: 1))
            ) { _, _, _ in queue },
            try DefaultQueuePool(label: "first")
        )
        let pipeline = try JobPipeline(limit: 1, on: first, qos: .utility) { (number: Int) in number }
            .then(on: pool, qos: .utility) { $0 }
        let task = try pipeline.start(1)
        await waitWhile(queue.count == 0)
        async let end: Void = pool.shutdown()
        await waitWhile((try? pool.async(qos: .background) {}) != nil)
        queue.dropAll()
        let error = await #expect(throws: PoolError.self) { try await task.value }
        #expect(error?.code == .shutDown)
        try await end
        try await first.shutdown()
    }

    #if os(Linux)
        @Test("a priority that rises while a stage runs, or before the first, moves later stages")
        func priority() async throws {
            let (first, second) = (
                try DefaultQueuePool(label: "first"),
                try DefaultQueuePool(label: "second", queuesPerTier: .exactly(1))
            )
            let (gate, busy, tiers) = (Gate(), Gate(), Recorder<QoSTier?>())
            let pipeline = try JobPipeline(limit: 1, on: first, qos: .utility, key: 1) { (_: Int) in
                gate.pass()
            }.then(on: second, qos: .background) { tiers.append(.current) }
            try second.async(qos: .background) { busy.pass() }
            let inputs = try (0..<2).map { try pipeline.start($0) }
            let tasks = inputs.map { input in Task(priority: .background) { try await input.value } }
            await gate.waitForArrivals()
            for task in tasks { task.escalatePriority(to: .high) }
            gate.open()
            for task in tasks { try await task.value }
            #expect(tiers.elements == [.userInitiated, .userInitiated])
            busy.open()
            try await first.shutdown()
            try await second.shutdown()
        }
    #endif

    @Test("a serial stage takes inputs in their order")
    func order() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(4), capacity: .each(2))
        let order = Recorder<Int>()
        let pipeline = try JobPipeline(limit: 8, on: pool, qos: .utility, key: 1) { (number: Int) in number }
            .then(on: pool, qos: .utility, key: 2) { number in order.append(number) }
        let tasks = try (0..<300).map { try pipeline.start($0) }
        for task in tasks { try await task.value }
        #expect(order.elements == Array(0..<300))
        try await pool.shutdown()
    }

    @Test("an error ends its input's way, and lets the next one in")
    func errors() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let later = Counter()
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (number: Int) in
            if number % 2 == 0 { throw Refusal() }
            return number
        }.then(on: pool, qos: .utility) { number in later.increment() }
        let ends = Counter()
        let tasks = try (0..<20).map { try pipeline.start($0, onEnd: { _ in ends.increment() }) }
        for (number, task) in tasks.enumerated() {
            if number % 2 == 0 {
                await #expect(throws: Refusal.self) { try await task.value }
            } else {
                #expect(try await task.value > 0)
            }
        }
        #expect(later.value == 10)
        try await pool.shutdown()
        #expect(ends.value == 20)
    }

    @Test(
        "cancelling ends an input that waits in any stage, and tells the stage that runs",
        arguments: PoolKind.allCases)
    func cancel(kind: PoolKind) async throws {
        let (first, second) = (try kind.pool("p", .exactly(1)), try kind.pool("q", .exactly(1)))
        let gate = try await second.blockUtility()
        let (begun, ran) = (Gate(), Counter())
        begun.open()
        let pipeline = try JobPipeline(limit: 2, on: first, qos: .utility) { (number: Int) in
            begun.pass()
            if number == 0 { while !JobScope.isCancelled {} }
            return number
        }.then(on: second, qos: .utility) { _ in ran.increment() }
        let running = try pipeline.start(0)
        await begun.waitForArrivals()
        #expect(!running.cancel())
        #expect(await poolErrorCode { _ = try await running.value } == .cancelled)
        let waiting = try pipeline.start(1)
        await waitWhile(second.statistics[.utility].waiting == 0)
        let (other, suspended) = (try pipeline.start(2), try pipeline.start(3))
        #expect(suspended.cancel())
        #expect(waiting.cancel())
        let last = try pipeline.start(4)
        gate.open()
        _ = try await (other.value, last.value)
        #expect(ran.value == 2)
        #expect(throws: PoolError.self) { try pipeline.start(5, finishBy: .now - .seconds(1)) }
        try await first.shutdown()
        try await second.shutdown()
    }

    @Test(
        "a stage that a shutdown has told ends its input, and its value reaches no other pool's stage",
        arguments: PoolKind.allCases)
    func toldStage(kind: PoolKind) async throws {
        let (first, second) = (try kind.pool("first", .exactly(1)), try kind.pool("second", .exactly(1)))
        let (begun, later) = (Gate(), Counter())
        begun.open()
        let telling = { @Sendable (number: Int) in
            begun.pass()
            while !JobScope.isCancelled {}
            return number
        }
        let pipeline = try JobPipeline(limit: 1, on: first, qos: .utility, telling)
            .then(on: second, qos: .utility) { _ in later.increment() }
        let input = try pipeline.start(1)
        await begun.waitForArrivals()
        try await first.shutdown(runningJobs: .cancel)
        let error = await #expect(throws: PoolError.self) { try await input.value }
        #expect(error?.code == .shutDown && error?.description.contains("first") == true)
        #expect(later.value == 0)
        // The last stage has no next one, and ends with its value.
        let last = try JobPipeline(limit: 1, on: second, qos: .utility, telling).start(7)
        await begun.waitForArrivals()
        try await second.shutdown(runningJobs: .cancel)
        #expect(try await last.value == 7)
    }

    @Test("a later stage that a program's pool passes nowhere traps, and says why")
    func passedNowhere() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
            let nowhere = Forwarding(to: pool) { _ in }
            try await JobPipeline(limit: 1, on: pool) { (number: Int) in number }
                .then(on: nowhere) { _ in }.start(1).value
        }
        #expect(try #require(result).message.contains("passed the job to no pool"))
    }

    @Test("a full pipeline refuses or suspends, as the call says, and an impossible limit throws")
    func full() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        for limit in [0, -1, 1 << 40] {
            #expect(throws: PoolError.self) {
                _ = try JobPipeline(limit: limit, on: pool) { (number: Int) in number }
            }
        }
        let gate = try await pool.blockUtility()
        let pipeline = try JobPipeline(limit: 1, on: pool, qos: .utility) { (number: Int) in number }
        let first = try pipeline.start(1)
        let error = #expect(throws: PoolError.self) { try pipeline.start(2, whenFull: .throw) }
        #expect(error?.code == .full && "\(error!)".contains("the pipeline is full"))
        let second = try pipeline.start(3, whenFull: .wait(atMost: 1))
        #expect(throws: PoolError.self) { try pipeline.start(4, whenFull: .wait(atMost: 1)) }
        gate.open()
        #expect(try await first.value + second.value == 4)
        try await pool.shutdown()
        #expect(await poolErrorCode { _ = try await pipeline.start(5).value } == .shutDown)
        #expect(await poolErrorCode { _ = try await pipeline.start(5).value } == .shutDown)
    }

    @Test("a shutdown of a later stage's pool ends the inputs there, and lets others in")
    func shutdown() async throws {
        let first = try DefaultQueuePool(label: "first", queuesPerTier: .exactly(1))
        let second = try DefaultQueuePool(label: "second", queuesPerTier: .exactly(1))
        let gate = try await second.blockUtility()
        let pipeline = try JobPipeline(limit: 4, on: first, qos: .utility) { (number: Int) in number }
            .then(on: second, qos: .utility) { $0 }
        let tasks = try (0..<8).map { try pipeline.start($0) }
        await waitWhile(second.statistics[.utility].waiting < 4)
        let shutdown = Task { try await second.shutdown(waitingJobs: .cancel) }
        for task in tasks {
            let error = await #expect(throws: PoolError.self) { try await task.value }
            #expect(error?.code == .shutDown && "\(error!)".contains("second"))
        }
        gate.open()
        try await shutdown.value
        try await first.shutdown()
    }
}
