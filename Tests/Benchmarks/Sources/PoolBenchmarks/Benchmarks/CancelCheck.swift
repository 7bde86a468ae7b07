import BenchmarkHarness
import CMeasuring
import Dispatch
import Foundation
import QueuePools
import QueuePoolsSentinels
import Synchronization

/// What does it cost a job to ask whether it has been cancelled?
struct CancelCheck: Benchmark {
    private static let ours = "Sentinel ticket"

    let metrics = [
        Metric(
            "cancel-check", unit: "ns/check", ours: ours,
            summary: "A job asks whether it has been cancelled, which it has not.")
    ]

    let trials = [
        trial(ours, threads: .own) { count in
            let ticket = Sentinel().ticket()
            return time(count) { ticket.isCancelled }
        },
        trial("JobScope in a job", threads: .own) { count in
            let outcome = TaskOutcome()
            let pool = try WorkerQueuePool(label: "check", queuesPerTier: .exactly(1))
            try pool.start(qos: .default) { outcome.end(with: time(count) { JobScope.isCancelled }) }
            return outcome.wait()
        },
        trial("DispatchWorkItem", threads: .own) { count in
            let item = DispatchWorkItem {}
            return time(count) { item.isCancelled }
        },
        trial("Operation", threads: .own) { count in
            let operation = BlockOperation {}
            return time(count) { operation.isCancelled }
        },
        trial("Task", threads: .dispatchConcurrent) { count in
            let outcome = TaskOutcome()
            Task.detached { outcome.end(with: time(count) { Task.isCancelled }) }
            return outcome.wait()
        },
    ]

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ measure: @escaping @Sendable (_ count: Int) throws -> Double
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            Session(measure: { [Reading(try measure(scale.pick(quick: 200_000, full: 2_000_000)))] })
        }
    }

    /// Nanoseconds for one check. Inlined, so that each loop asks its own question without a call in between.
    @inline(__always)
    private static func time(_ count: Int, _ isCancelled: () -> Bool) -> Double {
        let start = Clock.now
        for _ in 0..<count { measuring_keep(isCancelled() ? 1 : 0) }
        return Double(Clock.now - start) / Double(count)
    }
}

private final class TaskOutcome: Sendable {
    private let time = Mutex(0.0)
    private let finished = DispatchSemaphore(value: 0)

    func end(with time: Double) {
        self.time.withLock { $0 = time }
        finished.signal()
    }

    func wait() -> Double {
        finished.wait()
        return time.withLock { $0 }
    }
}
