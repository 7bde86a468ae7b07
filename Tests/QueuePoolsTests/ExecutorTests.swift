import Dispatch
import TestSupport
import Testing

@testable import QueuePools

@Suite("Executors", .timeLimit(.minutes(15)))
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
        try await pool.shutdown()
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
                await waitWhile(pool.queue(for: .userInitiated).group !== WorkerThread.current?.group)
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
    func wrongQueue() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let pool = try DispatchQueuePool(label: "actors", queuesPerTier: .exactly(2))
            let counter = Counter(executor: pool.serialExecutor(for: .default))
            counter.incrementAssumingIsolation()
        }
        #expect(result.message.contains("Incorrect actor executor assumption"))
    }

    private actor Forgetful<Queue: SerialQueue> {
        let pool: QueuePool<Queue>
        private(set) var value = 0

        init(_ pool: QueuePool<Queue>) { self.pool = pool }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            pool.serialExecutor(for: .default).asUnownedSerialExecutor()
        }

        func increment() { value += 1 }
    }

    @Test("an actor that makes an executor at each call traps at its first step, and says why")
    func executorForEachCall() async throws {
        #if os(Linux)
            let ofWorkers = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let pool = try WorkerQueuePool(label: "actors", queuesPerTier: .exactly(2))
                // Others that are right, on the same queues.
                let retained = (0..<4).map { _ in pool.serialExecutor(for: .default) }
                await Forgetful(pool).increment()
                withExtendedLifetime(retained) {}
            }
            #expect(ofWorkers.message.contains("unownedExecutor must return the one that the actor retains"))
        #endif
        let ofDispatch = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            await Forgetful(try DispatchQueuePool(label: "actors", queuesPerTier: .exactly(2))).increment()
        }
        #expect(ofDispatch.message.contains("unownedExecutor must return the one that the actor retains"))
    }

    #if os(Linux)
        /// Makes a queue at each call of `unownedExecutor`.
        private actor ForgetfulOfQueues {
            let make: @Sendable () -> any SerialExecutor
            private(set) var value = 0

            init(_ make: @escaping @Sendable () -> any SerialExecutor) { self.make = make }

            nonisolated var unownedExecutor: UnownedSerialExecutor { make().asUnownedSerialExecutor() }

            func increment() { value += 1 }
        }

        @Test("an actor that makes a queue at each call traps at its first step, and says why")
        func queueForEachCall() async throws {
            let ofPool = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                let pool = try WorkerQueuePool(label: "actors", queuesPerTier: .exactly(2))
                // Actors that are right, and queues that others have ended.
                let account = Account(on: try pool.makeQueue(label: "account", qos: .default))
                for number in 0..<1_000 {
                    _ = await account.add()
                    _ = try pool.makeQueue(label: "short \(number)", qos: .default)
                }
                await ForgetfulOfQueues { try! pool.makeQueue(label: "x", qos: .default) }.increment()
            }
            #expect(ofPool.message.contains("unownedExecutor must return that of the queue that the actor"))
            let bound = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                await ForgetfulOfQueues { try! ThreadBoundQueue(label: "x") }.increment()
            }
            #expect(bound.message.contains("unownedExecutor must return that of the queue that the actor"))
        }

        /// Protected by its queue.
        private actor Account {
            private let queue: WorkerQueue
            private var (value, isInside) = (0, false)

            init(on queue: WorkerQueue) { self.queue = queue }

            nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

            func add() -> Bool {
                guard !isInside, queue.isCurrent else { return false }
                isInside = true
                value += 1
                isInside = false
                return true
            }

            func total() -> Int { value }
        }

        @Test("a hundred actors with a queue each keep their state through 100,000 calls of several tasks")
        func actorsWithQueues() async throws {
            let pool = try WorkerQueuePool(label: "actors", queuesPerTier: .exactly(2))
            let accounts = try (0..<100).map {
                Account(on: try pool.makeQueue(label: "account \($0)", qos: .default))
            }
            let wrong = await withTaskGroup(of: Int.self) { group in
                for task in 0..<4 {
                    group.addTask(executorPreference: task < 2 ? pool.taskExecutor(for: .default) : nil) {
                        var wrong = 0
                        for call in 0..<25_000 where !(await accounts[(call + 7 * task) % 100].add()) {
                            wrong += 1
                        }
                        return wrong
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
            var total = 0
            for account in accounts { total += await account.total() }
            #expect(total == 100_000)
            #expect(pool.statistics[.default].threads <= 2)
        }

        @Test("an actor whose last step drops the last reference to its queue, and to the pool, ends well")
        func actorDropsQueue() async throws {
            for _ in 0..<200 {
                let pool = try WorkerQueuePool(label: "short", queuesPerTier: .exactly(1))
                let account = Account(on: try pool.makeQueue(label: "account", qos: .default))
                #expect(await account.add())
            }
        }
    #endif

    /// In a debug build closures live longer: only an optimized one can fail.
    @Test("a queue that the program has made is there until it has taken a step, though that ends all else")
    func queueOutlivesItsEnqueue() async throws {
        let (isGone, goneWithin) = (Recorder<Bool>(), Recorder<Bool>())
        let continuation = Recorder<UnsafeContinuation<Void, Never>>()
        func begin() throws -> Task<Void, Never> {
            let layout = QueuePoolOptions(label: "own", queuesPerTier: .exactly(1))
            let pool = try QueuePool<ImmediateQueue>(layout) { _, _, _ in
                ImmediateQueue(isGone, goneWithin)
            }
            return Task(executorPreference: pool.taskExecutor(for: .default)) {
                await withUnsafeContinuation { continuation.append($0) }
            }
        }
        let task = try begin()
        continuation.elements[0].resume()
        await task.value
        #expect(!goneWithin.elements.isEmpty && !goneWithin.elements.contains(true))
        await waitWhile(isGone.elements.isEmpty)
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
        try await pool.shutdown()
        continuation.yield(2)
        continuation.finish()
        #expect(await task.value == 3)
    }
}

/// Runs each job within `enqueue`, and then records whether the queue itself is gone.
private final class ImmediateQueue: SerialQueue {
    private let isGone: Recorder<Bool>
    private let goneWithin: Recorder<Bool>

    init(_ isGone: Recorder<Bool>, _ goneWithin: Recorder<Bool>) {
        (self.isGone, self.goneWithin) = (isGone, goneWithin)
    }

    deinit { isGone.append(true) }

    var isCurrent: Bool { false }

    func enqueue(_ job: consuming @escaping @Sendable () -> Void) {
        let (isGone, goneWithin) = (isGone, goneWithin)
        Self.run(consume job)
        goneWithin.append(!isGone.elements.isEmpty)
    }

    private static func run(_ job: consuming @escaping @Sendable () -> Void) { job() }
}
