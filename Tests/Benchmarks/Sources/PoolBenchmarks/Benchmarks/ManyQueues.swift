import BenchmarkHarness
import Dispatch
import QueuePools

/// What does a job cost if a program makes a serial queue for each of its objects?
struct ManyQueues: Benchmark {
    let metrics = [
        Metric(
            "many-queues", unit: "ns/job",
            summary: "One thread makes 2,000 queues, and submits 50 empty jobs to each, queue by queue."),
        Metric(
            "many-queues-in-turn", unit: "ns/job",
            summary: "One thread submits as many jobs to these queues, one to each in turn."),
        Metric(
            "many-queues-one", unit: "ns/job", summary: "One thread submits as many jobs to one such queue."),
        Metric(
            "many-queues-threads", unit: "threads",
            summary: "The most threads that the contender had while these jobs ran."),
    ]

    let plan = Plan(rounds: (2, 9))

    let trials = [
        trial("WorkerQueuePool", threads: .own) { workers in
            let pool = try WorkerQueuePool(label: "many", queuesPerTier: .exactly(workers))
            return { number in
                let queue = try pool.makeQueue(label: "queue \(number)", qos: .default)
                return { queue.enqueue($0) }
            }
        },
        // As many queues as threads: what the others are to come near to.
        trial("WorkerQueuePool queues", threads: .own) { workers in
            let pool = try WorkerQueuePool(label: "tier", queuesPerTier: .exactly(workers))
            return { _ in
                let queue = pool.queue(for: .default)
                return { queue.enqueue($0) }
            }
        },
        trial("DispatchQueues by hand", threads: .dispatchSerial) { _ in
            { number in
                let queue = DispatchQueue(label: "queue \(number)")
                return { queue.async(execute: $0) }
            }
        },
    ]

    private typealias Submit = (@escaping @Sendable () -> Void) -> Void

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int) throws -> (_ number: Int) throws -> Submit
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let makeQueue = try make(scale.workers)
            let queueCount = scale.pick(quick: 200, full: 2_000)
            return Session(measure: { try measure(makeQueue, queueCount: queueCount) })
        }
    }

    private static func measure(
        _ makeQueue: (_ number: Int) throws -> Submit, queueCount: Int
    ) throws -> [Reading] {
        let jobCount = 50 * queueCount
        let tally = Tally()
        defer { tally.deallocate() }
        func time(_ submit: () throws -> Void) throws -> Reading {
            tally.reset()
            let start = Clock.now
            try submit()
            return Reading(Double(try tally.wait(for: jobCount) - start) / Double(jobCount))
        }
        let inARow = try time {
            for number in 0..<queueCount {
                let submit = try makeQueue(number)
                for job in 0..<50 { submit { tally.count(50 * number + job) } }
            }
        }
        let queues = try (0..<queueCount).map(makeQueue)
        let inTurn = try time {
            for job in 0..<jobCount { queues[job % queueCount]({ tally.count(job) }) }
        }
        let ofOne = try time { for job in 0..<jobCount { queues[0]({ tally.count(job) }) } }
        let census = ThreadCensus()
        let threads = try census.peak {
            tally.reset()
            for job in 0..<jobCount {
                queues[job % queueCount]({
                    if job < queueCount { census.noteWorker() }
                    tally.count(job)
                })
            }
            _ = try tally.wait(for: jobCount)
        }
        return [inARow, inTurn, ofOne, Reading(Double(threads))]
    }
}
