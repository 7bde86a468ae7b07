import Dispatch
import QueuePools

/// A door at which draws wait until the test opens it; it stays open. *Thread-safe.*
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
        opened.wait()
        opened.signal()
    }

    func open() { opened.signal() }
}

extension DefaultQueuePool {
    /// Holds all threads of a tier, so that nothing begins there until the gate is opened.
    func hold(_ tier: QoSTier) throws -> Gate {
        let gate = Gate()
        for _ in 0..<queuesPerTier { try async(qos: tier) { gate.pass() } }
        return gate
    }
}
