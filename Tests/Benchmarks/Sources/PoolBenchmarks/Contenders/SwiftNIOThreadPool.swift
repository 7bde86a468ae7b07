import NIOPosix
import QueuePools

/// swift-nio's NIOThreadPool. It knows no priorities, so each tier has a pool of its own.
final class SwiftNIOThreadPool: Contender {
    private let pools: [NIOThreadPool]

    init(workers: Int) {
        pools = QoSTier.allCases.map { _ in
            let pool = NIOThreadPool(numberOfThreads: workers)
            pool.start()
            return pool
        }
    }

    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            pools[jobs.tier(of: number).rawValue].submit { [tally = jobs.tally] _ in tally.count(number) }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        pools[tier.rawValue].submit { _ in body() }
    }

    func shutDown() {
        for pool in pools {
            do {
                try pool.syncShutdownGracefully()
            } catch {
                fatalError("NIOThreadPool did not shut down: \(error)")
            }
        }
    }
}
