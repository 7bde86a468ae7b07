import BenchmarkHarness
import CMeasuring
import Dispatch
import QueuePools

/// What does `sync` cost on a queue that has nothing to do?
struct SyncIdle: Benchmark {
    let metrics = [
        Metric(
            "sync-idle", unit: "ns/call",
            summary:
                "One thread calls `sync` with an empty closure, on queues of a tier that have nothing to do.")
    ]

    let trials = [
        trial("WorkerQueuePool", threads: .own) { workers in
            let pool = try WorkerQueuePool(label: "sync", queuesPerTier: .exactly(workers))
            return { body in try? pool.queue(for: .default).sync(body) }
        },
        trial("WorkerQueue", threads: .own) { _ in
            let queue = try WorkerQueue(label: "sync")
            return { body in try? queue.sync(body) }
        },
        trial("DispatchQueuePool", threads: .dispatchSerial) { workers in
            let pool = try DispatchQueuePool(label: "sync", queuesPerTier: .exactly(workers))
            return { body in pool.queue(for: .default).sync(execute: body) }
        },
        trial("DispatchQueues by hand", threads: .dispatchSerial) { workers in
            let tier = DispatchQueuesByHand.Tier(.default, count: workers)
            return { body in tier.next.sync(execute: body) }
        },
    ]

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int) throws -> (() -> Void) -> Void
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let sync = try make(scale.workers)
            let count = scale.pick(quick: 20_000, full: 200_000)
            return Session(measure: {
                var calls: UInt64 = 0
                let start = Clock.now
                for _ in 0..<count { sync { calls &+= 1 } }
                let time = Clock.now - start
                guard calls == count else {
                    throw MeasuringError("\(calls) of \(count) closures were called")
                }
                return [Reading(Double(time) / Double(count))]
            })
        }
    }
}
