import Dispatch
import Foundation
import Locks
import Synchronization
import TestSupport
import Testing

@testable import QueuePools

@Suite("Executors", .timeLimit(.minutes(5)))
struct ExecutorTests {
    @Test("tasks on the pool's executor run on its queues and all of them are used")
    func taskExecutor() async throws {
        let pool = try DispatchQueuePool(label: "tasks", queuesPerTier: .exactly(3))
        let executor = pool.taskExecutor(for: .utility)
        let queues = (0..<3).map { _ in pool.queue(for: .utility) }
        let labels = await withTaskGroup(of: String.self) { group in
            for _ in 0..<30 {
                group.addTask(executorPreference: executor) {
                    queues.first { $0.isCurrent }?.label ?? "none"
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(labels == ["tasks.utility.0", "tasks.utility.1", "tasks.utility.2"])
        await pool.shutdown()
        #expect(pool.statistics[.utility].submitted >= 30)
    }

    #if os(Linux)
        @Test("without a tier, a task runs on the tier of its priority, and moves when that rises")
        func byPriority() async throws {
            let pool = try WorkerQueuePool(label: "tasks", queuesPerTier: .exactly(1))
            let executor = pool.taskExecutor()
            for (priority, tier) in [(TaskPriority.background, QoSTier.background), (.high, .userInitiated)] {
                await Task(executorPreference: executor, priority: priority) {
                    #expect(pool.queue(for: tier).group === WorkerThread.current?.group)
                }.value
            }
            let gate = Gate()
            try pool.async(qos: .utility) { gate.pass() }
            await gate.waitForArrivals()
            let task = Task(executorPreference: executor, priority: .utility) {
                pool.queue(for: .utility).group === WorkerThread.current?.group
            }
            // What waits stays where it is; what comes later, a step at a time, is on the new tier.
            let steps = Task(executorPreference: executor, priority: .background) {
                while pool.queue(for: .userInitiated).group !== WorkerThread.current?.group {
                    await Task.yield()
                }
            }
            steps.escalatePriority(to: .high)
            await steps.value
            gate.open()
            #expect(await task.value)
        }
    #endif

    actor Counter {
        let executor: PoolSerialExecutor<DispatchQueue>
        private(set) var value = 0

        init(executor: PoolSerialExecutor<DispatchQueue>) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func increment() { value += 1 }
        nonisolated func incrementAssumingIsolation() { assumeIsolated { $0.value += 1 } }
    }

    @Test("an actor on a serial executor runs on its queue, with jobs of that queue counting as isolated")
    func serialExecutor() async throws {
        let pool = try DispatchQueuePool(label: "actors", queuesPerTier: .exactly(2))
        let counter = Counter(executor: pool.serialExecutor(for: .default))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await counter.increment() } }
            for _ in 0..<200 {
                group.addTask {
                    await withCheckedContinuation { done in
                        counter.executor.queue.async {
                            counter.incrementAssumingIsolation()
                            done.resume()
                        }
                    }
                }
            }
        }
        #expect(await counter.value == 400)
    }

    @Test("assuming an actor's isolation on another queue traps")
    func wrongQueue() async {
        await #expect(processExitsWith: .failure) {
            let pool = try DispatchQueuePool(label: "actors", queuesPerTier: .exactly(2))
            let counter = Counter(executor: pool.serialExecutor(for: .default))
            counter.incrementAssumingIsolation()
        }
    }

    /// the thread that resumes the task     another thread
    /// enqueue: hands the step over
    ///                                      runs it, which ends the task and releases the pool
    /// enqueue: still uses the queue
    @Test("a queue that the program has made is there until it has taken a step, though that ends all else")
    func queueOutlivesItsEnqueue() async throws {
        let state = HandingQueue.State()
        let continuation = Recorder<UnsafeContinuation<Void, Never>>()
        func begin() throws -> Task<Void, Never> {
            let pool = try QueuePool(.init(label: "own", queuesPerTier: .exactly(1))) { _, _, _ in
                HandingQueue(state)
            }
            return Task(executorPreference: pool.taskExecutor(for: .default)) {
                await withUnsafeContinuation { continuation.append($0) }
            }
        }
        let task = try begin()
        while continuation.elements.isEmpty { await Task.yield() }
        state.waitsForEnd.value = true
        Thread.detachNewThread { continuation.elements[0].resume() }
        await task.value
        #expect(!state.wasGoneWithin.value)
        while !state.isGone.value { await Task.yield() }
    }

    @Test("a task that began before shutdown continues after it", arguments: PoolKind.allCases)
    func continuesAfterShutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("tasks", .exactly(1))
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task(executorPreference: pool.anyTaskExecutor(for: .default)) {
            var sum = 0
            for await value in stream { sum += value }
            return sum
        }
        continuation.yield(1)
        await pool.shutdown()
        continuation.yield(2)
        continuation.finish()
        #expect(await task.value == 3)
    }
}

/// Hands each job to a thread, and may look for a while whether it still exists when the job has ended.
private final class HandingQueue: SerialQueue {
    final class Flag: Sendable {
        private let storage = Atomic<Bool>(false)
        var value: Bool {
            get { storage.load(ordering: .acquiring) }
            set { storage.store(newValue, ordering: .releasing) }
        }
    }

    struct State: Sendable {
        let isGone = Flag()
        let wasGoneWithin = Flag()
        let waitsForEnd = Flag()
    }

    private final class Box: Sendable {
        let job: Lock<(@Sendable () -> Void)?>

        init(_ job: consuming @escaping @Sendable () -> Void) { self.job = Lock(consume job) }
    }

    private let state: State
    private let queue = DispatchQueue(label: "handing")

    init(_ state: State) { self.state = state }

    deinit { state.isGone.value = true }

    var isCurrent: Bool { false }

    func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
        let (state, box, ended) = (state, Box(consume job), DispatchSemaphore(value: 0))
        queue.async {
            box.job.withLock { $0.take() }?()
            ended.signal()
        }
        guard state.waitsForEnd.value else { return }
        ended.wait()
        for _ in 0..<1_000 where !state.isGone.value { Thread.sleep(forTimeInterval: 0) }
        if state.isGone.value { state.wasGoneWithin.value = true }
    }
}
