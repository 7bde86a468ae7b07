import BenchmarkHarness
import CoreFoundation
import Dispatch
import Foundation
import NIOPosix
import QueuePools

/// What does the main actor pay that has work done elsewhere and awaits it, time after time?
struct RunFromMainActor: Benchmark {
    let metrics = [
        Metric(
            "run-from-main-actor", unit: "ns/call",
            summary:
                "A function of the main actor has a closure run elsewhere and awaits the value, one after another; the main thread "
                + "sleeps in its run loop meanwhile.")
    ]

    let trials = [
        trial("WorkerQueuePool", threads: .own) { workers in
            runs(try WorkerQueuePool(label: "main", queuesPerTier: .exactly(workers)))
        },
        trial("DispatchQueuePool", threads: .dispatchSerial) { workers in
            runs(try DispatchQueuePool(label: "main", queuesPerTier: .exactly(workers)))
        },
        trial("Task.detached", threads: .dispatchConcurrent) { _ in
            { count in
                var sum = 0
                for _ in 0..<count { sum += await Task.detached { 1 }.value }
                return sum
            }
        },
        trial("NIOThreadPool", threads: .own) { workers in
            let pool = NIOThreadPool(numberOfThreads: workers)
            pool.start()
            return { count in
                var sum = 0
                for _ in 0..<count { sum += try await pool.runIfActive { 1 } }
                return sum
            }
        },
        // What one writes without a pool. It cannot be cancelled.
        trial("DispatchQueue by hand", threads: .dispatchSerial) { _ in
            let queue = DispatchQueue(label: "main")
            return { count in
                var sum = 0
                for _ in 0..<count {
                    sum += await withUnsafeContinuation { continuation in
                        queue.async { continuation.resume(returning: 1) }
                    }
                }
                return sum
            }
        },
    ]

    /// Makes so many calls, and returns how many arrived.
    private typealias Calls = @MainActor @Sendable (_ count: Int) async throws -> Int

    private static func runs<Queue>(_ pool: QueuePool<Queue>) -> Calls {
        { count in
            var sum = 0
            for _ in 0..<count { sum += try await pool.run(qos: .default) { 1 } }
            return sum
        }
    }

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int) throws -> Calls
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let calls = try make(scale.workers)
            let count = scale.pick(quick: 2_000, full: 20_000)
            return Session(measure: { [Reading(try time(count, calls) / Double(count))] })
        }
    }

    /// Runs the main loop until the calls have been made. Called on the main thread.
    private static func time(_ count: Int, _ calls: @escaping Calls) throws -> Double {
        try MainActor.assumeIsolated {
            var time: UInt64?
            Task { @MainActor in
                let start = Clock.now
                let arrived = (try? await calls(count)) ?? 0
                if arrived == count { time = Clock.now - start }
                CFRunLoopStop(CFRunLoopGetMain())
            }
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false)
            guard let time else {
                throw MeasuringError("not all of \(count) calls arrived within a minute")
            }
            return Double(time)
        }
    }
}
