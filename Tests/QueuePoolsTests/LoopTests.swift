import Dispatch
import Foundation
import ManualPools
import Synchronization
import QueuePoolsTopology
import TestSupport
import Testing

@testable import QueuePools

/// A pool whatever its queues, as these tests use it.
protocol LoopingPool: JobSubmitting {
    func forEach<Failure: Error>(
        _ range: Range<Int>, qos: QoSTier?, chunk: Int?, _ body: @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure)
    func shutdownBlocking()
    var statistics: PoolStatistics { get }
}

extension QueuePool: LoopingPool {}

@Suite("Loops in which the caller takes part", .timeLimit(.minutes(15)))
struct LoopTests {
    struct Stop: Error, Equatable { var number = 0 }

    /// How often each number was called.
    final class Calls: Sendable {
        private let counters: [Counter]

        init(_ count: Int) { counters = (0..<count).map { _ in Counter() } }

        func note(_ number: Int) { counters[number].increment() }

        var count: Int { counters.reduce(0) { $0 + $1.value } }
        var areOneEach: Bool { counters.allSatisfy { $0.value == 1 } }
    }

    /// So many threads meet here before any of them continues.
    final class Meeting: Sendable {
        private let arrived = Counter()
        private let count: Int

        init(of count: Int) { self.count = count }

        func join() {
            arrived.increment()
            while arrived.value < count { sched_yield() }
        }
    }

    func makePool(_ queues: Int) throws -> DefaultQueuePool {
        try DefaultQueuePool(label: "p", queuesPerTier: .exactly(queues))
    }

    func makePool(
        _ kind: PoolKind, _ queues: Int, capacity: TierCapacities = .unlimited
    ) throws
        -> any LoopingPool
    {
        try #require(try kind.pool("p", .exactly(queues), capacity: capacity) as? any LoopingPool)
    }

    /// Holds all threads of a tier until the gate opens.
    private func block(_ tier: QoSTier, of pool: some LoopingPool, threads: Int) throws -> Gate {
        let gate = Gate()
        for _ in 0..<threads {
            try pool.async(qos: tier) { gate.pass() }
            gate.waitForArrivals()
        }
        return gate
    }

    @Test("each number is called once, with chunks of any size", arguments: PoolKind.allCases)
    func eachOnce(kind: PoolKind) throws {
        let pool = try makePool(kind, 3)
        for chunk in [nil, Int.min, -1, 0, 1, 3, 999, 1_000, 1_001, Int.max] {
            let calls = Calls(1_000)
            pool.forEach(0..<1_000, qos: .default, chunk: chunk) { calls.note($0) }
            #expect(calls.areOneEach, "chunk \(chunk ?? -1)")
        }
    }

    @Test("chunks cover any range, also one that an Int cannot count, in ascending order")
    func ranges() throws {
        let pool = try makePool(2)
        for _ in 0..<20 {
            for range in [0..<0, 5..<6, -3..<4, Int.max - 3..<Int.max, Int.min..<Int.min + 3] {
                let seen = Recorder<Int>()
                pool.forEach(range, qos: .default) { seen.append($0) }
                #expect(seen.elements.sorted() == Array(range))
            }
            let parts = Recorder<Range<Int>>()
            pool.forEachChunk(of: Int.min..<Int.max, qos: .default) { parts.append($0) }
            let sorted = parts.elements.sorted { $0.lowerBound < $1.lowerBound }
            #expect(sorted.first?.lowerBound == Int.min)
            #expect(sorted.last?.upperBound == Int.max)
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
        pool.shutdownBlocking()
        let order = Recorder<Int>()
        pool.forEach(0..<1_000, qos: .default) { order.append($0) }
        #expect(order.elements == Array(0..<1_000))
    }

    @Test("the caller and each helper run calls at the same time", arguments: PoolKind.allCases)
    func atTheSameTime(kind: PoolKind) throws {
        let pool = try makePool(kind, 4)
        let meeting = Meeting(of: 4)
        pool.forEach(0..<4, qos: .default, chunk: 1) { _ in meeting.join() }
        #expect(pool.statistics[.default].submitted == 3)
    }

    #if os(Linux)
        @Test(
            "a tier of more threads than queues has a helper less than threads, or than the process has cores"
        )
        func moreThreadsThanQueues() throws {
            let topology = CPUTopology(
                nodes: [CPUTopology.Node(id: 0, cpus: [0, 1, 2, 3], distances: [:])], activeProcessorCount: 4)
            for (threads, helpers) in [(3, 2), (8, 3)] {
                let pool = try WorkerQueuePool(
                    QueuePoolOptions(label: "p", queuesPerTier: .exactly(1), topology: topology),
                    workers: WorkerOptions(threadsPerTier: .exactly(threads)))
                let meeting = Meeting(of: helpers + 1)
                pool.forEach(0..<helpers + 1, qos: .default, chunk: 1) { _ in meeting.join() }
                #expect(pool.statistics[.default].submitted == helpers)
            }
        }
    #endif

    @Test("a tier's loops have one helper less than it has queues, and one more while a caller sleeps")
    func helperLimit() throws {
        let helpers = LoopHelpers(threadCount: 3)
        let (first, second) = (helpers.taken(), helpers.taken())
        #expect(first != nil && second != nil && helpers.taken() == nil)
        helpers.whileIdle {
            var third = helpers.taken()
            #expect(third != nil && helpers.taken() == nil)
            third = nil
        }
        #expect(helpers.taken() == nil)
        first?.place.giveBack()
        #expect(helpers.taken() != nil, "given back when it is released")
        #expect(helpers.taken() != nil)
        #expect(LoopHelpers(threadCount: 1).taken() == nil)
        withExtendedLifetime((first, second)) {}
        let pool = try makePool(1)
        pool.forEach(0..<100, qos: .default, chunk: 1) { _ in }
        #expect(pool.statistics[.default].submitted == 0)
    }

    @Test("if all threads are busy, the caller runs every call, and cancels its helpers")
    func busy() throws {
        for kind in PoolKind.allCases {
            let pool = try makePool(kind, 2)
            let gate = try block(.default, of: pool, threads: 2)
            let calls = Calls(100)
            pool.forEach(0..<100, qos: .default, chunk: 1) { calls.note($0) }
            #expect(calls.areOneEach)
            #expect(pool.statistics[.default].waiting == 0)
            #expect(pool.statistics[.default].cancelled == 1)
            gate.open()
            pool.shutdownBlocking()
            #expect(pool.statistics[.default].finished == 2)
        }
    }

    @Test(
        "a loop needs no helper: not of a full pool, nor of one that is shut down",
        arguments: PoolKind.allCases)
    func refused(kind: PoolKind) throws {
        let pool = try makePool(kind, 2, capacity: [.default: 1])
        let gate = try block(.default, of: pool, threads: 2)
        let calls = Calls(200)
        try pool.async(qos: .default) {}
        pool.forEach(0..<100, qos: .default, chunk: 1) { calls.note($0) }
        #expect(pool.statistics[.default].submitted == 3)
        gate.open()
        pool.shutdownBlocking()
        pool.forEach(100..<200, qos: .default, chunk: 1) { calls.note($0) }
        #expect(calls.areOneEach)
        #expect(pool.statistics[.default].refused == 0)
    }

    @Test("in a pool of the program's queues, too, a helper that begins late calls nothing")
    func lateHelper() throws {
        let queue = ManualQueue()
        let pool = try QueuePool(QueuePoolOptions(label: "m", queuesPerTier: .exactly(2))) { _, _, _ in
            queue
        }
        let calls = Calls(100)
        pool.forEach(0..<100, qos: .default, chunk: 1) { calls.note($0) }
        queue.runAll()
        #expect(calls.areOneEach)
        #expect(pool.statistics[.default].cancelled == 1)
    }

    @Test("a helper counts against the tier only until its loop ends", arguments: PoolKind.allCases)
    func helpersComeBack(kind: PoolKind) throws {
        let pool = try makePool(kind, 3)
        for round in 0..<200 {
            // Some helpers begin, some are cancelled, and some come too late.
            pool.forEach(0..<(round % 7), qos: .default, chunk: 1) { _ in
                if round % 3 == 0 { sched_yield() }
            }
        }
        while pool.statistics[.default].running > 0 { sched_yield() }
        // Beyond the time of a short loop, so that helpers are called whatever came before.
        let meeting = Meeting(of: 3)
        pool.forEach(0..<4, qos: .default, chunk: 1) { number in
            guard number > 0 else { return take(.microseconds(100)) }
            meeting.join()
        }
    }

    @Test("a job runs loops with loops in them, of its own tier and of one whose threads are all busy")
    func nested() throws {
        for kind in PoolKind.allCases {
            let pool = try makePool(kind, 2)
            let gate = try block(.default, of: pool, threads: 2)
            let calls = Calls(1_000)
            try pool.async(qos: .utility) {
                pool.forEach(0..<10, qos: .utility, chunk: 1) { first in
                    pool.forEach(0..<10, qos: .default, chunk: nil) { second in
                        pool.forEach(0..<10, qos: .utility, chunk: 1) { third in
                            calls.note(100 * first + 10 * second + third)
                        }
                    }
                }
            }
            while !calls.areOneEach { sched_yield() }
            gate.open()
            pool.shutdownBlocking()
            #expect(calls.areOneEach)
        }
    }

    #if os(Linux)
        @Test("calls may wait for queues of the same tier by sync")
        func sync() throws {
            let pool = try makePool(2)
            let ran = Counter()
            try pool.forEach(0..<500, qos: .default, chunk: 1) { number in
                try pool.queue(for: .default, key: number % 3).sync { _ = ran.increment() }
            }
            #expect(ran.value == 500)
        }

        @Test("without a thread for the tier the caller runs every call")
        func noThread() throws {
            let none = ThreadSupply { _, _ in true }
            let pool = try none.pool(2)
            let calls = Calls(100)
            pool.forEach(0..<100, qos: .default, chunk: 1) { calls.note($0) }
            #expect(calls.areOneEach)
        }
    #endif

    @Test("an error stops the loop and is thrown with its type, also from a pool that cannot help")
    func error() throws {
        let pool = try makePool(2)
        let calls = Counter()
        do throws(Stop) {
            try pool.forEach(0..<1_000_000, qos: .default, chunk: 1) { (number) throws(Stop) in
                calls.increment()
                if number == 10 { throw Stop(number: number) }
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.number == 10)
        }
        #expect(calls.value < 1_000_000)
        pool.shutdownBlocking()
        let before = calls.value
        for _ in 0..<10 {
            #expect(throws: Stop(number: 10)) {
                try pool.forEach(0..<100, qos: .default) { number in
                    calls.increment()
                    if number == 10 { throw Stop(number: number) }
                }
            }
        }
        #expect(calls.value == before + 110, "after an error this thread made another call")
    }

    @Test("of the errors that several threads throw, one is thrown, after all calls have returned")
    func errorsAtOnce() throws {
        for round in 0..<100 {
            // A new one, which does not expect short loops.
            let pool = try makePool(4)
            let (meeting, ended) = (Meeting(of: 4), Counter())
            #expect(throws: Stop.self) {
                try pool.forEach(0..<100, qos: .default, chunk: 1) { number in
                    meeting.join()
                    for _ in 0..<(number * round % 50) { sched_yield() }
                    ended.increment()
                    throw Stop(number: number)
                }
            }
            #expect(ended.value == 4)
        }
    }

    @Test("an error of a helper reaches the caller")
    func errorOfHelper() throws {
        let pool = try makePool(2)
        let (caller, meeting) = (pthread_self(), Meeting(of: 2))
        #expect(throws: Stop(number: 1)) {
            try pool.forEach(0..<2, qos: .default, chunk: 1) { _ in
                meeting.join()
                if pthread_self() != caller { throw Stop(number: 1) }
            }
        }
    }

    @Test("after short loops the next one calls no helper, and a long one calls helpers again")
    func shortLoops() throws {
        let pool = try makePool(2)
        var submitted = -1
        // Each loop may take longer than it needs, if the system suspends the thread.
        while pool.statistics[.default].submitted > submitted {
            submitted = pool.statistics[.default].submitted
            pool.forEach(0..<2, qos: .default) { _ in }
            while pool.statistics[.default].running > 0 { sched_yield() }
        }
        #expect(submitted >= 4)
        let meeting = Meeting(of: 2)
        pool.forEach(0..<3, qos: .default, chunk: 1) { number in
            guard number > 0 else { return take(.microseconds(100)) }
            meeting.join()
        }
        #expect(pool.statistics[.default].submitted == submitted + 1)
        let next = Meeting(of: 2)
        while pool.statistics[.default].running > 0 { sched_yield() }
        pool.forEach(0..<2, qos: .default, chunk: 1) { _ in next.join() }
    }

    @Test("after short loops, too, helpers are called when some calls take longer than those before")
    func longEndOfShortLoop() throws {
        let pool = try makePool(2)
        for _ in 0..<5 { pool.forEach(0..<2, qos: .default) { _ in } }
        while pool.statistics[.default].running > 0 { sched_yield() }
        // Chunks that only double would be of 1, 2, 4, 8 and 16 calls, the last of them all long ones.
        let submitted = pool.statistics[.default].submitted
        pool.forEach(0..<31, qos: .default) { number in if number >= 15 { take(.milliseconds(1)) } }
        #expect(pool.statistics[.default].submitted > submitted)
    }
}

/// Takes processor time, as a call that is worth a helper.
func take(_ time: Duration) {
    let end = ContinuousClock.now + time
    while .now < end {}
}
