import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import QueuePoolsTransactions

@Suite("Transactions committed by eight threads at once", .timeLimit(.minutes(15)))
struct ConcurrentCommitTests {
    private static let threads = 8
    private static let commitsPerThread = 100_000 / threads

    /// For each key, a commit first counts `committed` up, and a run copies it to `seen`:
    ///
    ///     committing thread          main actor
    ///     committed += 1
    ///     commit, while like         takes the like out
    ///     is pending, or not         seen = committed
    ///
    /// Either the like was still pending, then its run sees the new count; or a new run follows. A commit
    /// that no later run follows leaves `seen` behind `committed` for good.
    @Test(
        "each are followed by a run, and each period is announced",
        arguments: (0..<UInt64(StressPlan.scale)).map { StressPlan.seed &+ $0 })
    @MainActor
    func nothingIsLost(seed: UInt64) {
        let (wakeUps, periods, runs, running) = (DispatchSemaphore(value: 0), Counter(), Counter(), Counter())
        let queue = TransactionQueue(
            driver: ManualTurnDriver {
                periods.increment()
                wakeUps.signal()
            })
        let targets = (0..<16).map { _ in Target() }
        for thread in 0..<Self.threads {
            running.increment()
            Thread.detachNewThread {
                var random = SeededGenerator(seed: seed << 8 | UInt64(thread))
                for _ in 0..<Self.commitsPerThread {
                    let target = targets[Int.random(in: targets.indices, using: &random)]
                    let action = Int.random(in: target.counts.indices, using: &random)
                    target.counts[action].committed.wrappingAdd(1, ordering: .relaxed)
                    Transaction(target, Transaction.Action("\(action)")) { target in
                        runs.increment()
                        target.counts[action].copy()
                    }.commit(to: queue)
                }
                running.decrement()
                wakeUps.signal()
            }
        }

        var periodsFlushed = 0
        func flush() {
            let before = runs.value
            queue.flush()
            if runs.value > before { periodsFlushed += 1 }
        }
        // Waits for nothing but the wake-ups: one too few, and it would hang.
        while running.value > 0 {
            wakeUps.wait()
            flush()
        }
        flush()

        let counts = targets.flatMap(\.counts)
        #expect(counts.allSatisfy { $0.isComplete })
        #expect(counts.map { $0.committed.load(ordering: .relaxed) }.reduce(0, +) == 100_000)
        #expect(periods.value >= periodsFlushed)
        #expect(runs.value <= 100_000)
    }
}

private final class Target: Sendable {
    let counts = (0..<4).map { _ in Count() }
}

/// How often one key was committed, and how many of these commits its last run saw.
private final class Count: Sendable {
    let committed = Atomic<Int>(0)
    private let seen = Atomic<Int>(0)

    func copy() { seen.store(committed.load(ordering: .relaxed), ordering: .relaxed) }

    var isComplete: Bool { seen.load(ordering: .relaxed) == committed.load(ordering: .relaxed) }
}
