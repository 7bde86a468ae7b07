import BenchmarkHarness
import CMeasuring
import COneTBB
import Dispatch
import Foundation
import QueuePools

/// What does a loop take whose iterations may run on several threads, time after time?
struct ParallelLoop: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (3, 15))

    static let all = [
        ParallelLoop("16x250ns", "16 iterations of 0.25 µs", Shape(count: 16, nanoseconds: 250)),
        ParallelLoop("1000x10us", "1,000 iterations of 10 µs", Shape(count: 1_000, nanoseconds: 10_000)),
        ParallelLoop("16x1ms", "16 iterations of 1 ms", Shape(count: 16, nanoseconds: 1_000_000)),
        ParallelLoop(
            "1000000x20ns", "a million iterations of 20 ns",
            Shape(count: 1_000_000, nanoseconds: 20, chunk: 1_000)),
        ParallelLoop(
            "nested-8x8", "8 iterations, each a loop of 8 iterations of 10 µs",
            Shape(count: 8, nestedCount: 8, nanoseconds: 10_000)),
    ]

    /// What all contenders run.
    struct Shape: Sendable {
        var count: Int
        /// If it is not 0, each iteration is a loop of so many.
        var nestedCount = 0
        /// What an iteration of the inner loop takes.
        var nanoseconds: Double
        /// How many iterations `concurrentPerform` and a task group are given at a time, as their users would
        /// do it. In the pools and in oneTBB the library decides.
        var chunk = 1

        var serialTime: Double { Double(count * max(nestedCount, 1)) * nanoseconds }
        var rounds: UInt64 { ParallelLoop.rounds[nanoseconds] ?? 0 }
    }

    private init(_ name: String, _ summary: String, _ shape: Shape) {
        metrics = [
            Metric(
                "parallel-loop-\(name)", unit: "µs/loop",
                summary: "A thread runs a loop on all cores, and waits for its end: \(summary).")
        ]
        trials =
            [
                Self.trial("WorkerQueuePool", threads: .own, shape) { workers in
                    let pool = try WorkerQueuePool(label: "loop", queuesPerTier: .exactly(workers))
                    return Self.loop(of: shape, on: pool)
                },
                Self.trial("DispatchQueuePool", threads: .dispatchSerial, shape) { workers in
                    let pool = try DispatchQueuePool(label: "loop", queuesPerTier: .exactly(workers))
                    return Self.loop(of: shape, on: pool)
                },
                Self.trial("concurrentPerform", threads: .dispatchConcurrent, shape) { _ in
                    Self.concurrentLoop(of: shape)
                },
                Self.trial("task group", threads: .dispatchConcurrent, shape) { _ in Self.tasks(of: shape) },
                Self.trial("serially", threads: .own, shape) { _ in
                    let (count, rounds) = (shape.count * max(shape.nestedCount, 1), shape.rounds)
                    return Self.repeated { for _ in 0..<count { measuring_burn(rounds) } }
                },
            ]
            + (OneTBB.version == nil
                ? []
                : [
                    Self.trial("oneTBB", threads: .own, shape) { _ in
                        let (count, nested) = (Int64(shape.count), Int64(shape.nestedCount))
                        let rounds = shape.rounds
                        return Self.repeated { onetbb_parallel_for(count, nested, rounds) }
                    }
                ])
    }

    /// Runs the loop so many times.
    private typealias Loops = @Sendable (_ times: Int) -> Void

    private static func repeated(_ loop: @escaping @Sendable () -> Void) -> Loops {
        { times in for _ in 0..<times { loop() } }
    }

    private static func loop<Queue>(of shape: Shape, on pool: QueuePool<Queue>) -> Loops {
        let (count, nestedCount, rounds) = (shape.count, shape.nestedCount, shape.rounds)
        guard nestedCount > 0 else {
            return Self.repeated { pool.forEach(0..<count, qos: .default) { _ in measuring_burn(rounds) } }
        }
        return Self.repeated {
            pool.forEach(0..<count, qos: .default) { _ in
                pool.forEach(0..<nestedCount, qos: .default) { _ in measuring_burn(rounds) }
            }
        }
    }

    private static func concurrentLoop(of shape: Shape) -> Loops {
        let (chunk, nestedCount, rounds) = (shape.chunk, shape.nestedCount, shape.rounds)
        let chunkCount = shape.count / chunk
        guard nestedCount > 0 else {
            return Self.repeated {
                DispatchQueue.concurrentPerform(iterations: chunkCount) { _ in
                    for _ in 0..<chunk { measuring_burn(rounds) }
                }
            }
        }
        return Self.repeated {
            DispatchQueue.concurrentPerform(iterations: chunkCount) { _ in
                DispatchQueue.concurrentPerform(iterations: nestedCount) { _ in measuring_burn(rounds) }
            }
        }
    }

    private static func tasks(of shape: Shape) -> Loops {
        let (chunk, nestedCount, rounds) = (shape.chunk, shape.nestedCount, shape.rounds)
        let chunkCount = shape.count / chunk
        return { times in
            let hasEnded = DispatchSemaphore(value: 0)
            Task.detached {
                for _ in 0..<times {
                    await withDiscardingTaskGroup { group in
                        for _ in 0..<chunkCount {
                            group.addTask {
                                guard nestedCount > 0 else {
                                    for _ in 0..<chunk { measuring_burn(rounds) }
                                    return
                                }
                                await withDiscardingTaskGroup { group in
                                    for _ in 0..<nestedCount { group.addTask { measuring_burn(rounds) } }
                                }
                            }
                        }
                    }
                }
                hasEnded.signal()
            }
            hasEnded.wait()
        }
    }

    private static func trial(
        _ contender: String, threads: ThreadSource, _ shape: Shape,
        _ make: @escaping @Sendable (_ workers: Int) throws -> Loops
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let loops = try make(scale.workers)
            let milliseconds = scale.pick(quick: 10, full: 100)
            let times = max(2, Int(Double(milliseconds) * 1e6 / shape.serialTime))
            return Session(measure: {
                let start = Clock.now
                loops(times)
                let time = Double(Clock.now - start) / Double(times)
                // Half of it, because the machine may be faster than it was when the work was measured.
                guard time > 0.5 * shape.serialTime / Double(ProcessInfo.processInfo.activeProcessorCount)
                else { throw MeasuringError("not all iterations have run") }
                return [Reading(time / 1_000)]
            })
        }
    }

    /// How many rounds an iteration takes, by its time in nanoseconds. Measured on first use, on an idle
    /// machine, as a part of loops, because a processor computes several short iterations at once: the
    /// fastest of several tries.
    private static let rounds = Dictionary(
        uniqueKeysWithValues: [20.0, 250, 10_000, 1_000_000].map { nanoseconds in
            let count = max(1, Int(500_000 / nanoseconds))
            var rounds = nanoseconds
            for _ in 0..<4 {
                let tried = UInt64(rounds)
                let times = (0..<20).map { _ in
                    let start = Clock.threadTime
                    for _ in 0..<count { measuring_burn(tried) }
                    return Clock.threadTime - start
                }
                rounds *= nanoseconds * Double(count) / Double(times.min() ?? 1)
            }
            return (nanoseconds, UInt64(rounds))
        })
}
