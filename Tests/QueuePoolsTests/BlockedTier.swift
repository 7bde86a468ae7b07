import QueuePools
import TestSupport

extension AnyPool {
    /// Holds all threads of the utility tier until the gate opens.
    func blockUtility() async throws -> Gate {
        let gate = Gate()
        for _ in 0..<queueCount(of: .utility) { try async(qos: .utility) { gate.pass() } }
        await gate.waitForArrivals(queueCount(of: .utility))
        return gate
    }
}

/// The code of the pool's error that a closure throws; nil if it throws another, or none.
func poolErrorCode(_ body: () async throws -> Void) async -> PoolError.Code? {
    do { try await body() } catch { return (error as? PoolError)?.code }
    return nil
}
