import Foundation
import QueuePools

/// An OperationQueue for each tier, with as many operations at a time as a pool has workers.
struct FoundationOperationQueue: Contender {
    private let queues: [OperationQueue]

    init(workers: Int) {
        queues = QoSTier.allCases.map { tier in
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = workers
            queue.qualityOfService = tier.qualityOfService
            return queue
        }
    }

    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            queues[jobs.tier(of: number).rawValue].addOperation { [tally = jobs.tally] in tally.count(number)
            }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        queues[tier.rawValue].addOperation(body)
    }

    func shutDown() {}
}

extension QoSTier {
    fileprivate var qualityOfService: QualityOfService {
        switch self {
        case .background: .background
        case .utility: .utility
        case .default: .default
        case .userInitiated: .userInitiated
        case .userInteractive: .userInteractive
        }
    }
}
