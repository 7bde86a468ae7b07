import BenchmarkHarness
import Dispatch
import Foundation
import QueuePools

/// What does it cost to cancel a job that has not begun?
struct CancelWaiting: Benchmark {
    let metrics = [
        Metric(
            "cancel-waiting", unit: "ns/job",
            summary:
                "Cancelling jobs that wait on their queues behind others: the call that cancels, for each job."
        )
    ]

    let trials =
        Roster.pools.map { pool in
            trial(pool.name, threads: pool.threads) { try pool.cancelWaiting($0) }
        } + [
            trial("DispatchWorkItem", threads: .dispatchSerial) { workers in
                let tier = DispatchQueuesByHand.Tier(.default, count: workers)
                return { count in
                    try time(
                        count: count, blockers: workers,
                        block: { tier.next.async(execute: $0) },
                        submit: { body in
                            let item = DispatchWorkItem(block: body)
                            tier.next.async(execute: item)
                            return item
                        },
                        cancel: { $0.cancel() })
                }
            },
            trial("Operation", threads: .dispatchConcurrent) { workers in
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = workers
                return { count in
                    try time(
                        count: count, blockers: workers,
                        block: { queue.addOperation($0) },
                        submit: { body in
                            let operation = BlockOperation(block: body)
                            queue.addOperation(operation)
                            return operation
                        },
                        cancel: { $0.cancel() })
                }
            },
            trial("Task.detached", threads: .dispatchConcurrent) { workers in
                { count in
                    try time(
                        count: count, blockers: workers,
                        block: { body in Task.detached { body() } },
                        submit: { body in Task.detached { body() } },
                        cancel: { $0.cancel() })
                }
            },
        ]

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int) throws -> @Sendable (_ count: Int) throws -> Double
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let measure = try make(scale.workers)
            return Session(measure: { [Reading(try measure(scale.pick(quick: 2_000, full: 10_000)))] })
        }
    }

    /// Blocks all workers, submits jobs behind that, and returns how long each took to cancel, in
    /// nanoseconds.
    static func time<Job>(
        count: Int, blockers: Int, block: (@escaping @Sendable () -> Void) -> Void,
        submit: (@escaping @Sendable () -> Void) throws -> Job, cancel: (Job) -> Void
    ) throws -> Double {
        let (gate, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<blockers {
            block {
                gate.wait()
                left.signal()
            }
        }
        // Never freed: a cancelled task runs all the same, after this.
        let tally = Tally()
        let jobs = try (0..<count).map { number in try submit { tally.count(number) } }
        let start = Clock.now
        for job in jobs { cancel(job) }
        let time = Double(Clock.now - start)
        let ran = tally.finished
        for _ in 0..<blockers { gate.signal() }
        for _ in 0..<blockers { left.wait() }
        guard ran == 0 else { throw MeasuringError("\(ran) of \(count) jobs did not wait to be cancelled") }
        return time / Double(count)
    }
}
