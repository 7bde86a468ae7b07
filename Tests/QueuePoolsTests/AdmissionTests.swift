import Dispatch
import Foundation
import QueuePoolsLocks
import TestSupport
import Testing
import QueuePoolsTopology

@testable import QueuePools

@Suite("Jobs that find their tier full, or begin too late", .timeLimit(.minutes(15)))
struct AdmissionTests {
    @Test("a full tier refuses, suspends, or suspends some, as the call says", arguments: PoolKind.allCases)
    func admission(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 2])
        let gate = try await pool.blockUtility()
        let order = Recorder<Int>()
        let accepted = try (0..<2).map { n in try pool.start(qos: .utility) { order.append(n) } }
        #expect(await poolErrorCode { _ = try pool.start(qos: .utility, whenFull: .throw) {} } == .full)
        #expect(await poolErrorCode { try await pool.run(qos: .utility, whenFull: .throw) {} } == .full)
        let some = try (2..<4).map { number in
            try pool.start(qos: .utility, whenFull: .wait(atMost: 2)) { order.append(number) }
        }
        #expect(
            await poolErrorCode { _ = try pool.start(qos: .utility, whenFull: .wait(atMost: 2)) {} }
                == .full)
        #expect(
            await poolErrorCode { _ = try pool.start(qos: .utility, whenFull: .wait(atMost: 0)) {} }
                == .full)
        #expect(
            await poolErrorCode { _ = try pool.start(qos: .utility, whenFull: .wait(atMost: -1)) {} }
                == .invalidCapacity)
        let all = try (4..<9).map { number in try pool.start(qos: .utility) { order.append(number) } }
        var statistics = pool.statistics[.utility]
        #expect(statistics.waitingForRoom == 7 && statistics.waiting == 2 && statistics.refused == 5)
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
    func accepted(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2), capacity: [.utility: 2])
        let gate = try await pool.blockUtility()
        let started = Counter()
        let producer = Task {
            var tasks: [PoolTask<Int>] = []
            for number in 0..<6 {
                tasks.append(try await pool.startWhenAccepted(qos: .utility, key: 1) { number })
                started.increment()
            }
            return tasks
        }
        await waitWhile(pool.statistics[.utility].waitingForRoom == 0)
        #expect(started.value == 2)
        gate.open()
        var values: [Int] = []
        for task in try await producer.value { values.append(try await task.value) }
        #expect(values == Array(0..<6))

        let second = try await pool.blockUtility()
        let cancelled = Task {
            for _ in 0..<3 { try await pool.startWhenAccepted(qos: .utility) {} }
        }
        await waitWhile(pool.statistics[.utility].waitingForRoom == 0)
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
                let read = try await pool.startWhenAccepted(qos: .default, key: file) { version }
                try await pool.startWhenAccepted(qos: .utility, key: file) {
                    pictures.withLock { $0[file] = version }
                }
                _ = read
            }
        }
        try await pool.shutdown()
        #expect(pictures.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, 3) }))
    }

    @Test(
        "jobs of a key that wait for room stay in order when several threads return places",
        arguments: PoolKind.allCases)
    func suspendedInOrder(kind: PoolKind) async throws {
        for _ in 0..<100 {
            let pool = try kind.pool("p", .exactly(2), capacity: [.utility: 2])
            let gate = try await pool.blockUtility()
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
        "a job that has not begun by its time expires, waiting or before it has room, and its closure is released",
        arguments: PoolKind.allCases)
    func expiry(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
        let gate = try await pool.blockUtility()
        let released = Counter()
        let jobs = try (0..<3).map { _ in
            let probe = LifetimeProbe { released.increment() }
            return try pool.start(qos: .utility, startBy: .now + .milliseconds(5)) { [probe] in probe.touch()
            }
        }
        for job in jobs { #expect(await poolErrorCode { try await job.value } == .expired) }
        // The last may be released by another thread.
        await waitWhile(released.value < 3)
        #expect(await poolErrorCode { try await pool.run(qos: .utility, startBy: .now) {} } == .expired)
        #expect(
            await poolErrorCode { _ = try pool.start(qos: .utility, startBy: .now - .seconds(1)) {} }
                == .expired)
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

    @Test("a job that no task awaits expires, too, and is released", arguments: PoolKind.allCases)
    func unawaitedExpiry(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let gate = try await pool.blockUtility()
        let released = Counter()
        do {
            let probe = LifetimeProbe { released.increment() }
            try pool.start(qos: .utility, startBy: .now + .milliseconds(2)) { [probe] in probe.touch() }
        }
        await waitWhile(released.value == 0)
        gate.open()
    }

    @Test("waiting times begin with the call, also while it is suspended", arguments: PoolKind.allCases)
    func waitTimes(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1), capacity: [.utility: 1])
        let gate = try await pool.blockUtility()
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

    @Test("statistics survive being encoded, and describe their counts in words")
    func encoding() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: .each(8))
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
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: .each(1))
        let gate = try await pool.blockUtility()
        defer { gate.open() }
        try pool.async(qos: .utility) {}
        #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        #expect(throws: PoolError.self) { try DefaultQueuePool(label: "p", capacity: .each(0)) }
    }

    #if os(Linux)
        @Test(
            "a queue's job waits for admission, and one that waits at its finishBy expires",
            arguments: [false, true])
        func ofQueue(isMade: Bool) async throws {
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(1), capacity: [.utility: 1])
            let queue =
                isMade ? try pool.makeQueue(label: "made", qos: .utility) : pool.queue(for: .utility)
            let (gate, accepted, ends) = (try await pool.blockUtility(), Counter(), Counter())
            let first = try await queue.startWhenAccepted(onEnd: { _ in ends.increment() }) { 1 }
            let second = Task {
                let task = try await queue.startWhenAccepted { 2 }
                accepted.increment()
                return try await task.value
            }
            await waitWhile(pool.statistics[.utility].waitingForRoom == 0)
            #expect(await poolErrorCode { try await queue.startWhenAccepted(whenFull: .throw) {} } == .full)
            let suspended = try queue.start(finishBy: .now + .milliseconds(20)) {}
            #expect(await poolErrorCode { try await suspended.value } == .expired)
            #expect(accepted.value == 0)
            gate.open()
            #expect(try await first.value + second.value == 3)
            #expect(accepted.value == 1 && ends.value == 1)

            let other = try await pool.blockUtility()
            let waiting = try await queue.startWhenAccepted(finishBy: .now + .milliseconds(20)) {}
            #expect(await poolErrorCode { try await waiting.value } == .expired)
            other.open()
            try await pool.shutdown()
            #expect(pool.statistics[.utility].expired == 2)
        }

        @Test("a job that waits for room whose task rises moves before those that came first")
        func suspendedMoves() async throws {
            let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1), capacity: .each(1))
            let gate = try await pool.blockUtility()
            let first = try pool.start(qos: .utility) { 1 }
            let task = Task(priority: .utility) { try await pool.run(qos: .utility) { 2 } }
            await waitWhile(pool.statistics[.utility].waitingForRoom == 0)
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

    @Test("calls that wait use the room that there is, while another job waits for long")
    func roomBesideAWaitingJob() async throws {
        let queues = [HandQueue(runsAtOnce: false), HandQueue(runsAtOnce: true)]
        let pool = try QueuePool<HandQueue>(
            QueuePoolOptions(
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

    #if os(Linux)
        /// Handles each job by a closure.
        private final class HandlerQueue: SerialQueue {
            typealias Body = @Sendable () -> Void
            private let handler: @Sendable (consuming @escaping Body) -> Void
            var isCurrent: Bool { false }

            init(_ handler: @escaping @Sendable (consuming @escaping Body) -> Void) { self.handler = handler }

            func enqueue(_ job: consuming @escaping Body) { handler(job) }
        }

        @Test("a job that waits for room that misses its room while a higher tier drops it is counted once")
        func missedRoom() async throws {
            let low = HandQueue(runsAtOnce: false)
            let first = Lock<PoolTask<Int>?>(nil)
            let pool = try QueuePool<HandlerQueue>(
                QueuePoolOptions(
                    label: "p", queuesPerTier: .exactly(1), topology: .singleNode(cpuCount: 1),
                    capacity: [.background: 1])
            ) { _, tier, _ in
                HandlerQueue { job in
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
            await waitWhile(first.withLock({ $0 != nil }))
            // The cancelled one's turn, and the one that had waited for room.
            await waitWhile(low.count < 2)
            low.runAll()
            #expect(try await task.value == 2)
            let (background, high) = (pool.statistics[.background], pool.statistics[.userInitiated])
            #expect(background.submitted == 2 && background.finished == 1 && background.cancelled == 1)
            #expect(high.submitted == 0 && high.movedIn == high.movedOut)
            try await pool.shutdown()
        }
    #endif
}
