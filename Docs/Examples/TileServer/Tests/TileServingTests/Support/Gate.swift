import Dispatch
import QueuePools

/// A door at which draws wait until the test opens it; it stays open. *Thread-safe.*
///
/// A test that fails may never open it; after two minutes it opens by itself, so that the others can
/// continue.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
        _ = opened.wait(timeout: .now() + .seconds(120))
        opened.signal()
    }

    func open() { opened.signal() }
}

extension DefaultQueuePool {
    /// Holds all threads of a tier, so that nothing begins there until the gate is opened. Call it while the
    /// tier is idle.
    func hold(_ tier: QoSTier) async throws -> Gate {
        let gate = Gate()
        for _ in 0..<queueCount(of: tier) { try async(qos: tier) { gate.pass() } }
        try await eventually { statistics[tier].running == queueCount(of: tier) }
        return gate
    }

    /// A figure, of all tiers together.
    func total(_ figure: (TierStatistics) -> Int) -> Int { statistics.tiers.values.map(figure).reduce(0, +) }

    /// How many tiles wait to be drawn.
    var waiting: Int { total(\.waiting) }
}
