import Dispatch
import QueuePools

/// `DispatchQueue.global(qos:)`, one for each tier. Dispatch alone decides how many threads it has.
struct GlobalQueue: Contender {
    private let queues = QoSTier.allCases.map { DispatchQueue.global(qos: $0.dispatchQoS.qosClass) }

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
