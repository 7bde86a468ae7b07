import BenchmarkHarness
import CMeasuring
import QueuePools
import Synchronization

/// Keeps tiers of a contender busy: every job submits its successor.
final class Saturation: Sendable {
    /// What a job computes, about 0.2 ms: short, so that contenders whose tiers have no threads of their own
    /// can at least change over between jobs.
    private static let rounds: UInt64 = 150_000

    /// Jobs in a tier for each of its workers: so many that hardly ever a queue runs empty while others are
    /// full, as happens with two.
    private static let jobsPerWorker = 16

    private let contender: any Contender
    private let whenFinished: @Sendable (QoSTier) -> Void
    private let isOver = Atomic(false)
    private let waiting = Atomic(0)
    private let finished = QoSTier.allCases.map { _ in Count() }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// Fills the tiers.
    ///
    /// - Parameter whenFinished: called at the end of each job.
    init(
        _ contender: any Contender, tiers: [QoSTier], workers: Int,
        whenFinished: @escaping @Sendable (QoSTier) -> Void = { _ in }
    ) {
        self.contender = contender
        self.whenFinished = whenFinished
        for tier in tiers {
            for _ in 0..<workers * Self.jobsPerWorker {
                waiting.wrappingAdd(1, ordering: .relaxed)
                submit(to: tier)
            }
        }
    }

    /// How many jobs of a tier have run so far.
    func finishedJobs(of tier: QoSTier) -> Int {
        finished[tier.rawValue].value.load(ordering: .relaxed)
    }

    /// Ends it, and returns when no job is left.
    func end() {
        isOver.store(true, ordering: .releasing)
        while waiting.load(ordering: .acquiring) > 0 { Clock.sleep(microseconds: 500) }
    }

    private func submit(to tier: QoSTier) {
        contender.submit(to: tier) { [self] in
            measuring_burn(Self.rounds)
            finished[tier.rawValue].value.wrappingAdd(1, ordering: .relaxed)
            whenFinished(tier)
            if isOver.load(ordering: .acquiring) {
                waiting.wrappingSubtract(1, ordering: .releasing)
            } else {
                submit(to: tier)
            }
        }
    }
}
