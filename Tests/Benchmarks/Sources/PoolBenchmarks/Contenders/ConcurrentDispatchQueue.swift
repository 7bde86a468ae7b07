import Dispatch
import QueuePools

/// A concurrent DispatchQueue of its own for each tier. Dispatch alone decides how many threads it has.
struct ConcurrentDispatchQueue: Contender {
    private let queues = QoSTier.allCases.map {
        DispatchQueue(label: "concurrent \($0)", qos: $0.dispatchQoS, attributes: .concurrent)
    }

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
