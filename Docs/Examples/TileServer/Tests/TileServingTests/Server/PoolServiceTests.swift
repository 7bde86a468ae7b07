import QueuePools
import ServiceLifecycleTestKit
import Testing
import TileServing

@Suite("A pool as a service", .timeLimit(.minutes(5)))
struct PoolServiceTests {
    @Test("with the group ends the pool: running jobs are waited for, waiting ones are cancelled")
    func graceful() async throws {
        let pool = try DefaultQueuePool(label: "service", queuesPerTier: .exactly(1))
        let gate = try await pool.hold(.utility)
        let waiting = try pool.start(qos: .utility) {}
        try await testGracefulShutdown { shutdown in
            async let service: Void = PoolService(pool: pool).run()
            shutdown.triggerGracefulShutdown()
            let error = await #expect(throws: PoolError.self) { try await waiting.value }
            #expect(error?.code == .shutDown)
            #expect(pool.statistics[.utility].running == 1)
            gate.open()
            try await service
        }
        #expect(pool.statistics[.utility].finished == 1)
    }

    @Test("when the group is cancelled, the pool takes no more jobs, and running ones are not waited for")
    func cancelled() async throws {
        let pool = try DefaultQueuePool(label: "service", queuesPerTier: .exactly(1))
        let gate = try await pool.hold(.utility)
        let service = Task { try await PoolService(pool: pool).run() }
        service.cancel()
        await #expect(throws: CancellationError.self) { try await service.value }
        let error = #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        #expect(error?.code == .shutDown)
        gate.open()
    }
}
