import Dispatch
import Foundation
import Locks
import TestSupport
import Testing
import Topology

@testable import QueuePools

@Suite("Jobs that are started, and awaited later", .timeLimit(.minutes(15)))
struct StartTests {
    private struct Refusal: Error, Equatable { let number: Int }

    /// Holds all threads of the utility tier until the gate opens.
    private func block(_ pool: some AnyPool) async throws -> Gate {
        let gate = Gate()
        for _ in 0..<pool.queuesPerTier { try pool.async(qos: .utility) { gate.pass() } }
        await gate.waitForArrivals(pool.queuesPerTier)
        return gate
    }

    private func code(_ body: () async throws -> Void) async -> PoolError.Code? {
        do { try await body() } catch { return (error as? PoolError)?.code }
        return nil
    }

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
            try await pool.startWhenAdmitted(qos: .utility, body(of: block())).value
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
        let gate = try await block(pool)
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
        let gate = try await block(pool)
        let released = Counter()
        var probe: LifetimeProbe? = LifetimeProbe { released.increment() }
        let task = try pool.start(qos: .utility) { [probe] in probe?.touch() }
        probe = nil
        #expect(task.cancel())
        #expect(released.value == 1)
        #expect(!task.cancel())
        #expect(await code { try await task.value } == .cancelled)
        gate.open()
        try await pool.shutdown()
        #expect(pool.statistics[.utility].cancelled == 1 && pool.statistics[.utility].finished == 1)
    }

    @Test(
        "of two tasks that await a job the cancelled one gets a CancellationError, the other why the job ended"
    )
    func twoAwait() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        let gate = try await block(pool)
        defer { gate.open() }
        let job = try pool.start(qos: .utility) {}
        let (first, second) = (Task { try await job.value }, Task { try await job.value })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await code { try await first.value } == .cancelled)
    }

    @Test(
        "the scope says that the awaiting task was cancelled, or the job through its handle",
        arguments: PoolKind.allCases)
    func scope(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let gate = Gate()
        let task = Task {
            try await pool.run(qos: .utility) { scope in
                #expect(!scope.isCancelled)
                gate.pass()
                try scope.checkCancellation()
            }
        }
        await gate.waitForArrivals()
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        let second = Gate()
        let job = try pool.start(qos: .utility) { scope in
            second.pass()
            return scope.isCancelled
        }
        await second.waitForArrivals()
        #expect(!job.cancel())
        second.open()
        #expect(try await job.value)
    }

    @Test("a full tier refuses, suspends, or suspends some, as the call says", arguments: PoolKind.allCases)
    func admission(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 2])
        let gate = try await block(pool)
        let order = Recorder<Int>()
        let accepted = try (0..<2).map { n in try pool.start(qos: .utility) { order.append(n) } }
        #expect(await code { _ = try pool.start(qos: .utility, whenFull: .throw) {} } == .full)
        #expect(await code { try await pool.run(qos: .utility, whenFull: .throw) {} } == .full)
        let some = try (2..<4).map { number in
            try pool.start(qos: .utility, whenFull: .suspend(atMost: 2)) { order.append(number) }
        }
        #expect(await code { _ = try pool.start(qos: .utility, whenFull: .suspend(atMost: 2)) {} } == .full)
        #expect(await code { _ = try pool.start(qos: .utility, whenFull: .suspend(atMost: 0)) {} } == .full)
        #expect(
            await code { _ = try pool.start(qos: .utility, whenFull: .suspend(atMost: -1)) {} }
                == .invalidCapacity)
        let all = try (4..<9).map { number in try pool.start(qos: .utility) { order.append(number) } }
        var statistics = pool.statistics[.utility]
        #expect(statistics.suspended == 7 && statistics.waiting == 2 && statistics.refused == 5)
        #expect(statistics.submitted == 10)
        #expect(all[4].cancel())
        gate.open()
        for task in accepted + some + all.dropLast() { try await task.value }
        #expect(order.elements == Array(0..<8))
        try await pool.shutdown()
        statistics = pool.statistics[.utility]
        #expect(statistics.submitted == 10 && statistics.finished == 9 && statistics.cancelled == 1)
    }

    @Test(
        "a producer that waits until its jobs are accepted is slowed down, and a pipeline is ordered and bounded",
        arguments: PoolKind.allCases)
    func admitted(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2), capacity: [.utility: 2])
        let gate = try await block(pool)
        let started = Counter()
        let producer = Task {
            var tasks: [PoolTask<Int>] = []
            for number in 0..<6 {
                tasks.append(try await pool.startWhenAdmitted(qos: .utility, key: 1) { number })
                started.increment()
            }
            return tasks
        }
        while pool.statistics[.utility].suspended == 0 { await Task.yield() }
        #expect(started.value == 2)
        gate.open()
        var values: [Int] = []
        for task in try await producer.value { values.append(try await task.value) }
        #expect(values == Array(0..<6))

        let second = try await block(pool)
        let cancelled = Task {
            for _ in 0..<3 { try await pool.startWhenAdmitted(qos: .utility) {} }
        }
        while pool.statistics[.utility].suspended == 0 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        second.open()
    }

    @Test(
        "a pipeline of keyed stages with a capacity loses no file and ends each with its newest picture",
        arguments: PoolKind.allCases)
    func pipeline(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2), capacity: [.default: 4, .utility: 4])
        let pictures = Lock<[Int: Int]>([:])
        for file in 0..<200 {
            for version in 1...3 {
                let read = try await pool.startWhenAdmitted(qos: .default, key: file) { version }
                try await pool.startWhenAdmitted(qos: .utility, key: file) {
                    pictures.withLock { $0[file] = version }
                }
                _ = read
            }
        }
        try await pool.shutdown()
        #expect(pictures.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, 3) }))
    }

    @Test(
        "suspended jobs of a key stay in order when several threads return places",
        arguments: PoolKind.allCases)
    func suspendedInOrder(kind: PoolKind) async throws {
        for _ in 0..<100 {
            let pool = try kind.pool("p", .exactly(2), capacity: [.utility: 2])
            let gate = try await block(pool)
            let waiting = try (0..<2).map { try pool.async(qos: .utility, key: $0) {} }
            let order = Recorder<Int>()
            let tasks = try (0..<40).map { number in
                try pool.start(qos: .utility, key: "k") { order.append(number) }
            }
            DispatchQueue.concurrentPerform(iterations: 2) { waiting[$0].cancel() }
            gate.open()
            for task in tasks { try await task.value }
            #expect(order.elements == Array(0..<40))
        }
    }

    @Test(
        "a job that has not begun by its time expires, waiting or suspended, and its closure is released",
        arguments: PoolKind.allCases)
    func expiry(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
        let gate = try await block(pool)
        let released = Counter()
        let jobs = try (0..<3).map { _ in
            let probe = LifetimeProbe { released.increment() }
            return try pool.start(qos: .utility, startBy: .now + .milliseconds(5)) { [probe] in probe.touch()
            }
        }
        for job in jobs { #expect(await code { try await job.value } == .expired) }
        // The last may be released by another thread.
        while released.value < 3 { await Task.yield() }
        #expect(await code { try await pool.run(qos: .utility, startBy: .now) {} } == .expired)
        #expect(await code { _ = try pool.start(qos: .utility, startBy: .now - .seconds(1)) {} } == .expired)
        let late = try pool.start(qos: .utility, startBy: .now + .seconds(3_600)) { 7 }
        let endless = try pool.start(
            qos: .utility, startBy: .now + .seconds(Int64.max) + .seconds(Int64.max)
        ) { 8 }
        gate.open()
        #expect(try await late.value == 7)
        #expect(try await endless.value == 8)
        try await pool.shutdown()
        let statistics = pool.statistics[.utility]
        #expect(statistics.expired == 3 && statistics.refused == 2 && statistics.cancelled == 0)
        #expect(statistics.submitted == 6 && statistics.finished == 3)
    }

    @Test("a job that nobody awaits expires, too, and is released", arguments: PoolKind.allCases)
    func unawaitedExpiry(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = try await block(pool)
        let released = Counter()
        do {
            let probe = LifetimeProbe { released.increment() }
            try pool.start(qos: .utility, startBy: .now + .milliseconds(2)) { [probe] in probe.touch() }
        }
        while released.value == 0 { await Task.yield() }
        gate.open()
    }

    @Test(
        "a shutdown ends suspended calls at once, and waiting ones if it cancels",
        arguments: PoolKind.allCases)
    func shutdown(kind: PoolKind) async throws {
        for cancels in [false, true] {
            let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
            let gate = try await block(pool)
            let waiting = try pool.start(qos: .utility) { 1 }
            let suspended = try pool.start(qos: .utility, key: 1) { 2 }
            let admitting = Task { try await pool.startWhenAdmitted(qos: .utility) { 3 } }
            while pool.statistics[.utility].suspended < 2 { await Task.yield() }
            let end = Task { try await pool.shutdown(waitingJobs: cancels ? .cancel : .run) }
            #expect(await code { _ = try await suspended.value } == .shutDown)
            #expect(await code { _ = try await admitting.value } == .shutDown)
            if cancels { #expect(await code { _ = try await waiting.value } == .shutDown) }
            gate.open()
            if !cancels { #expect(try await waiting.value == 1) }
            try await end.value
            #expect(await code { _ = try pool.start(qos: .utility) {} } == .shutDown)
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
        let gate = try await block(pool)
        let task = Task { try await pool.shutdown() }
        while (try? pool.async(qos: .background) {}) != nil { await Task.yield() }
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

    /// Passes on what is started, in its own way.
    private final class Forwarding: JobSubmitting {
        private let pool: any JobSubmitting
        private let pass: @Sendable (JobRequest) throws(PoolError) -> Void

        init(pool: any JobSubmitting, _ pass: @escaping @Sendable (JobRequest) throws(PoolError) -> Void) {
            self.pool = pool
            self.pass = pass
        }

        func async(
            qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob { try pool.async(qos: qos, body) }

        func async(
            qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
        ) throws(PoolError) -> PoolJob { try pool.async(qos: qos, key: key, body) }

        func start(_ request: JobRequest) throws(PoolError) { try pass(request) }
    }

    @Test("a request that is started twice traps, and says why")
    func startedTwice() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
            let twice = Forwarding(pool: pool) { request throws(PoolError) in
                try pool.start(request)
                try pool.start(request)
            }
            try twice.start(qos: .utility) {}
        }
        let message = try #require(result).message
        #expect(message.contains("a JobRequest was started twice"))
    }

    @Test("a request that one pool refuses another can take, and even drop")
    func refusedAndTaken() async throws {
        let refusing = try DefaultQueuePool(label: "refusing", queuesPerTier: .exactly(1))
        try await refusing.shutdown()
        let queue = HandQueue(runsAtOnce: false)
        let pool = try QueuePool<HandQueue>(
            QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(1))
        ) { _, _, _ in queue }
        let either = Forwarding(pool: pool) { request throws(PoolError) in
            do { try refusing.start(request) } catch { try pool.start(request) }
        }
        let task = try either.start(qos: .utility) {}
        queue.dropAll()
        #expect(await code { try await task.value } == .cancelled)
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
            #expect(try queue.sync { QoSTier.current } == nil)
            let workers = try WorkerQueuePool(label: "w", queuesPerTier: .exactly(1))
            #expect(try workers.queue(for: .utility).sync { QoSTier.current } == .utility)
        #endif
    }

    @Test("waiting times begin with the call, also while it is suspended", arguments: PoolKind.allCases)
    func waitingTimes(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
        let gate = try await block(pool)
        let tasks = try (0..<31).map { _ in try pool.start(qos: .utility, key: 1) {} }
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(20) {}
        gate.open()
        for task in tasks { try await task.value }
        try await pool.shutdown()
        let statistics = pool.statistics[.utility]
        // The first job of a queue is measured, and each sixteenth after it.
        #expect((2...3).contains(statistics.waitTimes.sampleCount))
        #expect(statistics.waitTimes.maximum >= .milliseconds(20))
        #expect(statistics.waitTimes.sum >= .milliseconds(20))
        #expect(statistics.runTimes.sampleCount == statistics.waitTimes.sampleCount)
        #expect(statistics.runTimes.maximum >= .milliseconds(20))
    }

    @Test("statistics survive being encoded, and say in words what was counted")
    func encoding() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: 8)
        for _ in 0..<20 { try await pool.run(qos: .utility) {} }
        try await pool.shutdown()
        let statistics = pool.statistics
        let decoded = try JSONDecoder().decode(PoolStatistics.self, from: JSONEncoder().encode(statistics))
        #expect(decoded == statistics)
        #expect(statistics.description.hasPrefix("utility: submitted 20, finished 20, "))
        #expect(TierStatistics().description == "not used")
        let times = statistics[.utility].waitTimes
        #expect(times.cumulativeCounts(upTo: [.zero, .seconds(1_000)]) == [0, times.sampleCount])
    }

    @Test("without room a capacity for each tier refuses")
    func capacityForEachTier() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: 1)
        let gate = try await block(pool)
        defer { gate.open() }
        try pool.async(qos: .utility) {}
        #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        #expect(throws: PoolError.self) { try DefaultQueuePool(label: "p", capacity: 0) }
    }

    #if os(Linux)
        @Test("a suspended job whose task rises moves before those that came first")
        func suspendedMoves() async throws {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: 1)
            let gate = try await block(pool)
            let first = try pool.start(qos: .utility) { 1 }
            let task = Task(priority: .utility) { try await pool.run(qos: .utility) { 2 } }
            while pool.statistics[.utility].suspended == 0 { await Task.yield() }
            task.escalatePriority(to: .high)
            #expect(try await task.value == 2)
            gate.open()
            #expect(try await first.value == 1)
            try await pool.shutdown()
            let (utility, high) = (pool.statistics[.utility], pool.statistics[.userInitiated])
            #expect(utility.submitted == 3 && utility.finished == 2 && utility.movedOut == 1)
            #expect(high.movedIn == 1 && high.finished == 1 && high.submitted == 0)
        }
    #endif

    /// Keeps its jobs, or runs each within the call.
    private final class HandQueue: SerialQueue {
        private let kept = Lock<[@Sendable () -> Void]>([])
        private let runsAtOnce: Bool
        var isCurrent: Bool { false }

        init(runsAtOnce: Bool) { self.runsAtOnce = runsAtOnce }

        func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
            let job = job
            if runsAtOnce { job() } else { kept.withLock { $0.append(job) } }
        }

        func runFirst() { kept.withLock { $0.removeFirst() }() }

        func runAll() { for job in take() { job() } }

        func dropAll() { _ = take() }

        private func take() -> [@Sendable () -> Void] {
            kept.withLock { kept in
                defer { kept = [] }
                return kept
            }
        }
    }

    @Test("suspended calls use the room that there is, while another job waits for long")
    func roomBesideAWaitingJob() async throws {
        let queues = [HandQueue(runsAtOnce: false), HandQueue(runsAtOnce: true)]
        let pool = try QueuePool<HandQueue>(
            QueuePoolConfiguration(
                label: "p", queuesPerTier: .exactly(2), topology: .singleNode(cpuCount: 1),
                capacity: [.utility: 2])
        ) { label, _, _ in queues[label.hasSuffix("0") ? 0 : 1] }
        func key(of queue: HandQueue) -> Int {
            (0...).first { pool.queue(for: .utility, key: $0) === queue }!
        }
        let (slow, fast) = (key(of: queues[0]), key(of: queues[1]))
        for _ in 0..<2 { try pool.async(qos: .utility, key: slow) {} }
        let tasks = try (0..<100).map { number in
            try pool.start(qos: .utility, key: fast) { number }
        }
        queues[0].runFirst()
        for (number, task) in tasks.enumerated() { #expect(try await task.value == number) }
        #expect(pool.statistics[.utility].waiting == 1)
        queues[0].runFirst()
    }

    @Test("a job that a queue of the program drops ends, and its closure is released")
    func droppedByItsQueue() async throws {
        let queue = HandQueue(runsAtOnce: false)
        let pool = try QueuePool<HandQueue>(
            QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(1), capacity: [.utility: 1])
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
        #expect(await code { try await task.value } == .cancelled)
        #expect(pool.statistics[.utility].cancelled == 1)
        try await pool.shutdown()
    }

    #if os(Linux)
        /// Does with a job as it is told.
        private final class ToldQueue: SerialQueue {
            typealias Body = @Sendable () -> Void
            private let told: @Sendable (consuming @escaping Body) -> Void
            var isCurrent: Bool { false }

            init(_ told: @escaping @Sendable (consuming @escaping Body) -> Void) { self.told = told }

            func enqueue(_ job: consuming @escaping Body) { told(job) }
        }

        @Test("a suspended job that misses its room while a higher tier drops it is counted once")
        func missedRoom() async throws {
            let low = HandQueue(runsAtOnce: false)
            let first = Lock<PoolTask<Int>?>(nil)
            let pool = try QueuePool<ToldQueue>(
                QueuePoolConfiguration(
                    label: "p", queuesPerTier: .exactly(1), topology: .singleNode(cpuCount: 1),
                    capacity: [.background: 1])
            ) { _, tier, _ in
                ToldQueue { job in
                    if tier == .background { return low.enqueue(job) }
                    // There is room now, and then the job is released.
                    first.withLock { $0.take() }?.cancel()
                }
            }
            let job = try pool.start(qos: .background) { 1 }
            first.withLock { $0 = job }
            let suspended = try pool.start(qos: .background) { 2 }
            let task = Task(priority: .background) { try await suspended.value }
            task.escalatePriority(to: .high)
            while first.withLock({ $0 != nil }) { await Task.yield() }
            while pool.statistics[.background].suspended > 0 { await Task.yield() }
            low.runAll()
            #expect(try await task.value == 2)
            let (background, high) = (pool.statistics[.background], pool.statistics[.userInitiated])
            #expect(background.submitted == 2 && background.finished == 1 && background.cancelled == 1)
            #expect(high.submitted == 0 && high.movedIn == high.movedOut)
            try await pool.shutdown()
        }
    #endif

    @Test("jobs whose turn comes while a shutdown cancels end as shut down", arguments: PoolKind.allCases)
    func cancelledAtTheirTurn(kind: PoolKind) async throws {
        for _ in 0..<50 {
            let pool = try kind.pool("p", .exactly(2))
            let tasks = try (0..<2_000).map { _ in try pool.start(qos: .utility) {} }
            try await pool.shutdown(waitingJobs: .cancel)
            for task in tasks {
                let code = await code { try await task.value }
                #expect(code == nil || code == .shutDown)
            }
        }
    }

    /// Refuses each job, while a shutdown takes it out of the list of its jobs.
    private final class ShuttingDown: AwaitedJobTarget {
        private let tier = TierAccounting(.utility)

        var hasTiers: Bool { false }
        var awaited: AwaitedJobs? { tier.awaited }
        var refusalCode: PoolError.Code { .shutDown }
        var subject: PoolError.Subject { .pool(label: "shutting down") }

        func accounting(on _: QoSTier) -> TierAccounting? { tier }

        func place(
            _: @escaping @Sendable () -> Void, on _: QoSTier, keyHash _: Int?, because _: AwaitedSubmission
        ) -> PoolJob? {
            tier.awaited.endAll()
            return nil
        }
    }

    @Test("a job that a pool refuses as it cancels its jobs can be passed on", arguments: PoolKind.allCases)
    func passedOnInAShutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let options = JobOptions(
            qos: .utility, keyHash: nil, label: nil, whenFull: .suspend, deadline: nil, isAwaited: false)
        let task = PoolTask(options) { _ in 7 }
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
            let gate = try await block(pool)
            let executor = Waiting()
            let task = Task(executorPreference: executor) {
                await code {
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
            let gate = try await block(pool)
            let executor = Waiting()
            let task = Task(executorPreference: executor) {
                await code { try await pool.shutdown(timeLimit: .milliseconds(20)) }
            }
            #expect(await task.value == .timeLimit)
            #expect(executor.madeThread.withLock { $0 } == true)
            gate.open()
        }
    #endif
}

private func blockingPass(_ gate: Gate) { gate.pass() }
