import BenchmarkHarness
import Dispatch
import NIOPosix
import QueuePools

/// How long do 500 jobs take of which each blocks its thread for 20 ms?
struct BlockingCalls: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan: Plan

    private static let count = 500
    private static let threadCount = 512

    private typealias Submission = @Sendable (@escaping @Sendable () -> Void) throws -> Void

    /// A set of threads, and how jobs are submitted to it.
    private struct Contender {
        let name: String
        let threads: ThreadSource
        let make: @Sendable () throws -> (submit: Submission, end: @Sendable () -> Void)
    }

    private static let contenders = [
        pool(Roster.ours, threads: threadCount),
        pool("WorkerQueuePool, 64 threads", threads: 64),
        Contender(name: "NIOThreadPool(512)", threads: .own) {
            let pool = NIOThreadPool(numberOfThreads: threadCount)
            pool.start()
            return ({ body in pool.submit { _ in body() } }, { try? pool.syncShutdownGracefully() })
        },
        Contender(name: "DispatchQueue.global", threads: .dispatchConcurrent) {
            ({ body in DispatchQueue.global(qos: .utility).async(execute: body) }, {})
        },
    ]

    private static func pool(_ name: String, threads: Int) -> Contender {
        Contender(name: name, threads: .own) {
            let pool = try WorkerQueuePool(
                label: "blocking", workers: WorkerOptions(threadsPerTier: [.default: threads]))
            return ({ body in try pool.async(qos: .default, body) }, { pool.shutdownBlocking() })
        }
    }

    /// All contenders have run such jobs before: their threads are there, and sleep.
    static let warm = BlockingCalls(
        metrics: [
            Metric(
                "blocking-500", unit: "ms",
                summary:
                    "500 jobs that each sleep 20 ms: the time until all have run, where the threads exist already."
            )
        ],
        trials: contenders.map { contender in
            Trial(contender.name, threads: contender.threads) { _ in
                let (submit, end) = try contender.make()
                return Session(measure: { [Reading(try time(submit))] }, end: end)
            }
        }, plan: Plan())

    /// A contender is made for each measurement. An NIOThreadPool makes its threads then, a pool of this
    /// package as jobs need them. Dispatch keeps its threads from one measurement to the next.
    static let cold = BlockingCalls(
        metrics: [
            Metric(
                "blocking-500-cold", unit: "ms",
                summary:
                    "The same, with the time in which the contender is made: there are no threads before.")
        ],
        trials: contenders.map { contender in
            Trial(contender.name, threads: contender.threads) { _ in
                Session(measure: {
                    let start = Clock.now
                    let (submit, end) = try contender.make()
                    defer { end() }
                    return [Reading(try time(submit, since: start))]
                })
            }
        }, plan: Plan(warmsUp: false))

    private static func time(_ submit: Submission, since start: UInt64? = nil) throws -> Double {
        let tally = Tally()
        defer { tally.deallocate() }
        let start = start ?? Clock.now
        for number in 0..<count {
            try submit {
                Clock.sleep(microseconds: 20_000)
                tally.count(number)
            }
        }
        return Double(try tally.wait(for: count) - start) / 1_000_000
    }
}
