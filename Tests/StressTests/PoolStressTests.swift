import Dispatch
import QueuePools
import TestSupport
import Testing

@Suite("Pools under stress", .serialized, .timeLimit(.minutes(30)))
struct PoolStressTests {
    @Test(
        "of jobs submitted and cancelled from eight threads while the pool shuts down, each has one fate",
        arguments: PoolKind.allCases)
    func submitCancelShutdown(kind: PoolKind) async throws {
        for round in 0..<(10 * StressPlan.scale) {
            let pool = try kind.pool("stress", .exactly(1 + round % 5))
            let ran = Counter()
            let captured = Counter()
            let submitters = (0..<8).map { thread in
                Task.detached { () -> (cancelled: Int, refused: Int) in
                    var generator = SeededGenerator(seed: StressPlan.seed &+ UInt64(round * 8 + thread))
                    var (cancelled, refused) = (0, 0)
                    for _ in 0..<500 {
                        let tier = QoSTier.allCases.randomElement(using: &generator)!
                        let probe = LifetimeProbe { captured.increment() }
                        let body: @Sendable () -> Void = {
                            probe.touch()
                            ran.increment()
                        }
                        do {
                            let job =
                                generator.next() % 2 == 0
                                ? try pool.async(qos: tier, body)
                                : try pool.async(qos: tier, key: generator.next() % 7, body)
                            if generator.next() % 4 == 0, job.cancel() { cancelled += 1 }
                        } catch {
                            refused += 1
                        }
                    }
                    return (cancelled, refused)
                }
            }
            if round % 2 == 0 { try await pool.shutdown() }
            var (cancelled, refused) = (0, 0)
            for submitter in submitters {
                let fates = await submitter.value
                cancelled += fates.cancelled
                refused += fates.refused
            }
            try await pool.shutdown()
            #expect(ran.value + cancelled + refused == 4_000)
            #expect(captured.value == 4_000, "what a job captured is released by the end of the shutdown")
            let tiers = pool.statistics.tiers.values
            #expect(tiers.map(\.submitted).reduce(0, +) == 4_000 - refused)
            #expect(tiers.map(\.finished).reduce(0, +) == ran.value)
            #expect(tiers.map(\.cancelled).reduce(0, +) == cancelled)
        }
    }

    @Test("a job cancelled as it begins is run or released, exactly once", arguments: PoolKind.allCases)
    func cancelRace(kind: PoolKind) async throws {
        // 100,000 jobs a unit of scale, from two threads on two queues: 10⁷ at a scale of 100.
        let jobs = 50_000 * StressPlan.scale
        let pool = try kind.pool("race", .exactly(2))
        let (ran, released) = (Counter(), Counter())
        let cancelled = try await withThrowingTaskGroup(of: Int.self) { group in
            for thread in 0..<2 {
                group.addTask {
                    var generator = SeededGenerator(seed: StressPlan.seed &+ UInt64(thread))
                    var cancelled = 0
                    var held: [PoolJob] = []
                    for _ in 0..<jobs {
                        let probe = LifetimeProbe { released.increment() }
                        let job = try pool.async(qos: .default) {
                            probe.touch()
                            ran.increment()
                        }
                        // At once, and again when it has most likely run and its place is another job's.
                        if generator.next() % 2 == 0, job.cancel() { cancelled += 1 }
                        held.append(job)
                        if held.count == 300 {
                            for job in held where job.cancel() { cancelled += 1 }
                            held = []
                        }
                    }
                    return cancelled
                }
            }
            return try await group.reduce(0, +)
        }
        try await pool.shutdown()
        #expect(ran.value + cancelled == 2 * jobs)
        #expect(released.value == 2 * jobs)
        #expect(cancelled > 0)
    }

    @Test("shutting down races with four submitters and accounts for every job", arguments: PoolKind.allCases)
    func shutdownRace(kind: PoolKind) async throws {
        // 10,000 jobs a unit of scale: 10⁶ at a scale of 100.
        for round in 0..<(5 * StressPlan.scale) {
            let pool = try kind.pool("race", .exactly(1 + round % 3))
            let ran = Counter()
            let refused = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var refused = 0
                        for _ in 0..<500 {
                            do {
                                try pool.async(qos: .userInitiated) { ran.increment() }
                            } catch {
                                refused += 1
                            }
                        }
                        return refused
                    }
                }
                group.addTask {
                    while pool.statistics[.userInitiated].submitted < 40 * (round % 40) {}
                    try await pool.shutdown()
                    return 0
                }
                return try await group.reduce(0, +)
            }
            #expect(ran.value + refused == 2_000)
            #expect(pool.statistics[.userInitiated].finished == ran.value)
        }
    }
}
