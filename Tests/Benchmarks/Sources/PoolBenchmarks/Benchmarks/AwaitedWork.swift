import BenchmarkHarness
import CMeasuring
import Dispatch
import Foundation
import NIOPosix
import QueuePools
import Synchronization

/// What does a task pay that has work done elsewhere and awaits it, time after time?
struct AwaitedWork: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]

    /// A task on an executor calls an actor on another, and returns.
    static let actorHop = AwaitedWork(
        Metric(
            "actor-hop", unit: "ns/call",
            summary: "A task on a tier calls an actor on the same tier, and returns: there and back."),
        [
            trial("WorkerQueuePool", threads: .own) { workers in
                let pool = try WorkerQueuePool(label: "hop", queuesPerTier: .exactly(workers))
                return hops(pool.taskExecutor(for: .default), pool.serialExecutor(for: .default))
            },
            trial("WorkerQueuePool queues", threads: .own) { workers in
                let pool = try WorkerQueuePool(label: "hop", queuesPerTier: .exactly(workers))
                return hops(pool.queue(for: .default), pool.queue(for: .default))
            },
            trial("DispatchQueuePool", threads: .dispatchSerial) { workers in
                let pool = try DispatchQueuePool(label: "hop", queuesPerTier: .exactly(workers))
                return hops(pool.taskExecutor(for: .default), pool.serialExecutor(for: .default))
            },
            trial("executors on DispatchQueues", threads: .dispatchSerial) { _ in
                hops(QueueTaskExecutor(), QueueSerialExecutor())
            },
            // What Swift's runtime takes at least.
            trial("an array on one thread", threads: .own) { _ in
                let executor = ArrayExecutor()
                return hops(executor, executor)
            },
        ])

    /// A task has a closure run elsewhere, and awaits its value.
    static let runValue = AwaitedWork(
        Metric(
            "run-value", unit: "ns/call",
            summary:
                "A task has a closure run on the contender's threads, where it runs itself if it can, and awaits the value."
        ),
        [
            trial("WorkerQueuePool", threads: .own) { workers in
                let pool = try WorkerQueuePool(label: "run", queuesPerTier: .exactly(workers))
                return { count in
                    try await Task(executorPreference: pool.taskExecutor(for: .default)) {
                        try await sum(count) { try await pool.run(qos: .default) { 1 } }
                    }.value
                }
            },
            trial("DispatchQueuePool", threads: .dispatchSerial) { workers in
                let pool = try DispatchQueuePool(label: "run", queuesPerTier: .exactly(workers))
                return { count in
                    try await Task(executorPreference: pool.taskExecutor(for: .default)) {
                        try await sum(count) { try await pool.run(qos: .default) { 1 } }
                    }.value
                }
            },
            trial("Task.detached", threads: .dispatchConcurrent) { _ in
                { count in try await sum(count) { await Task.detached { 1 }.value } }
            },
            trial("NIOThreadPool", threads: .own) { workers in
                let pool = NIOThreadPool(numberOfThreads: workers)
                pool.start()
                return { count in try await sum(count) { try await pool.runIfActive { 1 } } }
            },
            // What cancellation, escalation and suspension take in Swift's runtime.
            trial("handlers alone", threads: .own) { _ in
                let executor = ArrayExecutor()
                return { count in
                    try await Task(executorPreference: executor) {
                        try await sum(count) { await suspendWithHandlers() }
                    }.value
                }
            },
        ])

    private init(_ metric: Metric, _ trials: [Trial]) {
        metrics = [metric]
        self.trials = trials
    }

    private typealias Calls = @Sendable (_ count: Int) async throws -> Int

    /// Makes so many calls from one task, and returns how many arrived.
    private static func hops(_ executor: any TaskExecutor, _ actorExecutor: any SerialExecutor) -> Calls {
        let counter = Counter(actorExecutor)
        return { count in
            await Task(executorPreference: executor) {
                let before = await counter.value
                for number in 0..<count {
                    // Without this the compiler would leave out the way back: nothing would happen there.
                    measuring_keep(UInt64(number))
                    await counter.increment()
                }
                return await counter.value - before
            }.value
        }
    }

    private static func sum(_ count: Int, _ call: () async throws -> Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await call() }
        return sum
    }

    private actor Counter {
        private let executor: any SerialExecutor
        private(set) var value = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: any SerialExecutor) { self.executor = executor }

        func increment() { value += 1 }
    }

    private static func trial(
        _ contender: String, threads: ThreadSource,
        _ make: @escaping @Sendable (_ workers: Int) throws -> Calls
    ) -> Trial {
        Trial(contender, threads: threads) { scale in
            let calls = try make(scale.workers)
            let count = scale.pick(quick: 2_000, full: 20_000)
            return Session(measure: {
                let outcome = Outcome()
                Task.detached {
                    let start = Clock.now
                    let arrived = (try? await calls(count)) ?? 0
                    outcome.time = arrived == count ? Clock.now - start : nil
                    outcome.isThere.signal()
                }
                guard outcome.isThere.wait(timeout: .now() + .seconds(60)) == .success,
                    let time = outcome.time
                else { throw MeasuringError("not all of \(count) calls arrived within a minute") }
                return [Reading(Double(time) / Double(count))]
            })
        }
    }

    /// Written before the signal, read after.
    private final class Outcome: @unchecked Sendable {
        let isThere = DispatchSemaphore(value: 0)
        var time: UInt64?
    }
}

/// What one writes to run tasks and actors on DispatchQueues.
private final class QueueTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "tasks")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private final class QueueSerialExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "actor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Runs what its own thread sends from an array, without a lock.
private final class ArrayExecutor: TaskExecutor, SerialExecutor, @unchecked Sendable {
    /// The thread's.
    private var steps: [UnownedJob] = []
    private let inbox = Mutex<[UnownedJob]>([])
    private let isFilled = DispatchSemaphore(value: 0)
    private let thread = Atomic<UInt>(0)

    init() {
        Thread { [self] in
            thread.store(UInt(pthread_self()), ordering: .relaxed)
            while true {
                isFilled.wait()
                steps += inbox.withLock { inbox in
                    defer { inbox = [] }
                    return inbox
                }
                while let step = steps.popLast() {
                    step.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                }
            }
        }.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if thread.load(ordering: .relaxed) == UInt(pthread_self()) {
            steps.append(job)
        } else {
            inbox.withLock { $0.append(job) }
            isFilled.signal()
        }
    }
}

/// Suspends a task that is resumed at once, with the handlers that a call which can be cancelled and raised
/// needs.
private func suspendWithHandlers() async -> Int {
    await withTaskPriorityEscalationHandler {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { $0.resume(returning: 1) }
        } onCancel: {
        }
    } onPriorityEscalated: { _, _ in
    }
}
