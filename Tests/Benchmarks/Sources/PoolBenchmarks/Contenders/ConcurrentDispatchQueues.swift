import Dispatch
import QueuePools

/// A concurrent DispatchQueue for each tier. Dispatch alone decides how many threads they have.
struct ConcurrentDispatchQueues: Contender {
    /// `DispatchQueue.global(qos:)`.
    static var global: Self {
        Self(queues: QoSTier.allCases.map { .global(qos: $0.dispatchQoS.qosClass) })
    }

    /// Queues of the contender's own.
    static var own: Self {
        Self(
            queues: QoSTier.allCases.map {
                DispatchQueue(label: "concurrent \($0)", qos: $0.dispatchQoS, attributes: .concurrent)
            })
    }

    private let queues: [DispatchQueue]

    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            queues[jobs.tier(of: number).rawValue].async { [tally = jobs.tally] in tally.count(number) }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        queues[tier.rawValue].async(execute: body)
    }

    func shutDown() {}
}
