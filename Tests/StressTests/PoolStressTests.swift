import Dispatch
import QueuePools
import TestSupport
import Testing

@Suite("Pools under stress", .serialized, .timeLimit(.minutes(30)))
struct PoolStressTests {
    @Test("of jobs submitted and cancelled from eight threads while the pool shuts down, each has one fate")
    func submitCancelShutdown() async throws {
        for round in 0..<(10 * StressPlan.scale) {
            let pool = try DispatchQueuePool(label: "stress", queuesPerTier: .exactly(1 + round % 5))
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
            if round % 2 == 0 { await pool.shutdown() }
            var (cancelled, refused) = (0, 0)
            for submitter in submitters {
                let fates = await submitter.value
                cancelled += fates.cancelled
                refused += fates.refused
            }
            await pool.shutdown()
            #expect(ran.value + cancelled + refused == 4_000)
            #expect(captured.value == 4_000, "what a job captured is released by the end of the shutdown")
            let tiers = pool.statistics.tiers.values
            #expect(tiers.map(\.submitted).reduce(0, +) == 4_000 - refused)
            #expect(tiers.map(\.finished).reduce(0, +) == ran.value)
            #expect(tiers.map(\.cancelled).reduce(0, +) == cancelled)
        }
    }
}
