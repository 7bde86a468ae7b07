import Dispatch
import QueuePools
import Synchronization

/// What a pool replaces: serial DispatchQueues in an array for each tier, and an atomic counter that takes
/// turns.
final class DispatchQueuesByHand: KeyedContender {
    final class Tier: Sendable {
        private let queues: [DispatchQueue]
        private let turns = Atomic<Int>(0)

        init(_ tier: QoSTier, count: Int) {
            queues = (0..<count).map { DispatchQueue(label: "by hand \(tier).\($0)", qos: tier.dispatchQoS) }
        }

        @inline(__always)
        var next: DispatchQueue {
            queues[turns.wrappingAdd(1, ordering: .relaxed).oldValue % queues.count]
        }

        /// Keys are hashed as a pool must hash them, which does not know that these happen to be integers.
        @inline(__always)
        func queue(for key: Int) -> DispatchQueue {
            queues[Int(UInt(bitPattern: key.hashValue) % UInt(queues.count))]
        }
    }

    private let tiers: [Tier]

    init(workers: Int) {
        tiers = QoSTier.allCases.map { Tier($0, count: workers) }
    }

    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            tiers[jobs.tier(of: number).rawValue].next.async { [tally = jobs.tally] in tally.count(number) }
        }
    }

    func submitByKey(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            let queue = tiers[jobs.tier(of: number).rawValue].queue(for: jobs.key(of: number))
            queue.async { [tally = jobs.tally] in tally.count(number) }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        tiers[tier.rawValue].next.async(execute: body)
    }

    func shutDown() {}
}
