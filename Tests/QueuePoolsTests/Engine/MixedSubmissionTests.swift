#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import QueuePoolsLocks
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("All kinds of submission together", .timeLimit(.minutes(15)))
    struct MixedSubmissionTests {
        /// Four threads, two for each of two tiers, one of which has a capacity. In every second round the
        /// pool is shut down meanwhile, and every fourth cancels the jobs that wait.
        @Test(
            "however many threads are refused, a job of any kind has one fate, and queues keep their order",
            arguments: [50, 95])
        func refusedThreads(percent: Int) async throws {
            for round in 0..<(10 * StressPlan.scale) {
                let seed = StressPlan.seed &+ UInt64(round)
                let pool = try Self.makePool(refusing: percent, seed)
                let shutdown = round % 2 == 0 ? nil : Shutdown(cancelsWaiting: round % 4 == 3)
                let queues = [QoSTier.utility, .default].map { tier in
                    (0..<2).map { _ in WatchedQueue(pool.queue(for: tier), tier) }
                }
                let submitters = (0..<4).map { Submitter(pool, queues[$0 % 2], number: $0 / 2) }
                let threads = DispatchGroup()
                for (number, submitter) in submitters.enumerated() {
                    threads.enter()
                    Thread {
                        var generator = SeededGenerator(seed: seed &* 4 &+ UInt64(number))
                        for id in 0..<150 { submitter.submit(id, using: &generator) }
                        threads.leave()
                    }.start()
                }
                if let shutdown {
                    await waitWhile(submitters.contains(where: { $0.submitted.value < round * 37 % 150 }))
                    try await pool.shutdown(waitingJobs: shutdown.cancelsWaiting ? .cancel : .run)
                }
                await threads.end()
                for submitter in submitters { await submitter.unreleased.end() }
                try await pool.shutdown()
                for submitter in submitters { submitter.expectOneFateEach(of: 150, shutdown, seed) }
                for queue in queues.joined() { #expect(queue.overlaps.value == 0, "seed \(seed)") }
                // Of delayed jobs that came during the shutdown, some are cancelled a moment later.
                while pool.statistics.tiers.values.contains(where: {
                    $0.submitted + $0.movedIn != $0.finished + $0.cancelled + $0.movedOut
                }) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }

        private static func makePool(refusing percent: Int, _ seed: UInt64) throws -> WorkerQueuePool {
            let generator = Lock(SeededGenerator(seed: seed))
            return try WorkerQueuePool(
                QueuePoolOptions(label: "p", queuesPerTier: .exactly(2), capacity: [.utility: 20]),
                adjust: { settings in
                    var settings = settings
                    settings.firstRetry = 50_000
                    settings.threads.idleLimit = .microseconds(50)
                    settings.start = { thread in
                        let chance = generator.withLock { Int.random(in: 0..<100, using: &$0) }
                        return chance < percent ? EAGAIN : thread.start()
                    }
                    return settings
                })
        }
    }

    /// A shutdown that ends a round.
    private struct Shutdown { let cancelsWaiting: Bool }

    /// A queue of the pool, and whether two jobs ever ran on it at once.
    private final class WatchedQueue: Sendable {
        let queue: WorkerQueue
        let tier: QoSTier
        let overlaps = Counter()
        private let isRunning = Atomic<Bool>(false)

        init(_ queue: WorkerQueue, _ tier: QoSTier) { (self.queue, self.tier) = (queue, tier) }

        /// Called on the queue.
        func watch(_ body: () -> Void) {
            if isRunning.exchange(true, ordering: .relaxed) || !queue.isCurrent { overlaps.increment() }
            body()
            sched_yield()  // so that another job has time to come
            isRunning.store(false, ordering: .relaxed)
        }
    }

    /// Submits jobs to a pool, to one of its queues and to an actor on one, and records how each ends.
    private final class Submitter: Sendable {
        private let pool: WorkerQueuePool
        private let queues: [WatchedQueue]
        private let own: WatchedQueue
        private let actor: HopTarget
        let submitted = Counter()
        private let ran = Recorder<Int>()
        /// Those that were sent to run in turn on one queue, as they ran.
        private let inOrder = Recorder<Int>()
        /// Those whose submission threw, or that the submitter cancelled.
        private let withdrawn = Recorder<Int>()
        /// Those that were refused by a shutdown, or cancelled by it.
        private let stopped = Recorder<Int>()
        /// Those that a shutdown cancels silently: if their time has not come; or if it is to cancel waiting
        /// jobs.
        private let delayed = Recorder<Int>(), jobs = Recorder<Int>()
        /// One for each job whose closure has not been released.
        let unreleased = DispatchGroup()

        init(_ pool: WorkerQueuePool, _ queues: [WatchedQueue], number: Int) {
            (self.pool, self.queues, own) = (pool, queues, queues[number])
            actor = HopTarget(pool.serialExecutor(for: queues[0].tier), queues)
        }

        func submit(_ id: Int, using generator: inout SeededGenerator) {
            defer { submitted.increment() }
            let isCancelled = Int.random(in: 0..<4, using: &generator) == 0
            let delay = Duration.microseconds(Int.random(in: 0..<300, using: &generator))
            let (pool, tier, queue) = (pool, own.tier, own.queue)
            let keyed = queues.first { $0.queue === pool.queue(for: tier, key: id) }!
            unreleased.enter()
            let probe = LifetimeProbe { [unreleased] in unreleased.leave() }
            let run: @Sendable () -> Void = { self.run(id, probe) }
            let runOnKeyed: @Sendable () -> Void = { keyed.watch { self.run(id, probe) } }
            let runOnOwn: @Sendable () -> Void = { self.own.watch { self.run(id, probe) } }
            let runInOrder: @Sendable () -> Void = {
                self.inOrder.append(id)
                self.own.watch { self.run(id, probe) }
            }
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: submit(id, isCancelled) { try queue.async(runInOrder) }
            case 1: queue.enqueue(runInOrder)
            case 2: submit(id) { try queue.sync(runInOrder) }
            case 3: submit(id, isCancelled) { try queue.async(label: "labelled", runOnOwn) }
            case 4: submit(id, isCancelled) { try pool.async(qos: tier, run) }
            case 5: submit(id, isCancelled) { try pool.async(qos: tier, key: id, runOnKeyed) }
            case 6: submitDelayed(id, isCancelled) { try queue.async(after: delay, runOnOwn) }
            case 7: submitDelayed(id, isCancelled) { try pool.async(qos: tier, after: delay, run) }
            case 8: submitTask(id, isCancelled) { try await queue.run(runOnOwn) }
            case 9: submitTask(id, isCancelled) { try await pool.run(qos: tier, run) }
            case 10: submitTask(id, isCancelled) { try await pool.run(qos: tier, key: id, runOnKeyed) }
            default:
                Task(executorPreference: pool.taskExecutor(for: tier)) {
                    await self.actor.hop()
                    await Task.yield()
                    run()
                }
            }
        }

        private func run(_ id: Int, _ probe: LifetimeProbe) {
            probe.touch()
            ran.append(id)
        }

        private func submit(_ id: Int, _ body: () throws -> Void) {
            do { try body() } catch { withdraw(id, error, isCancelled: false) }
        }

        private func submit(_ id: Int, _ isCancelled: Bool, _ body: () throws -> PoolJob) {
            jobs.append(id)
            submit(id) {
                let job = try body()
                if isCancelled, job.cancel() { withdrawn.append(id) }
            }
        }

        private func submitDelayed(_ id: Int, _ isCancelled: Bool, _ body: () throws -> PoolJob) {
            delayed.append(id)
            submit(id, isCancelled, body)
        }

        private func submitTask(
            _ id: Int, _ isCancelled: Bool, _ body: @escaping @Sendable () async throws -> Void
        ) {
            let task = Task {
                do { try await body() } catch { self.withdraw(id, error, isCancelled: isCancelled) }
            }
            if isCancelled { task.cancel() }
        }

        private func withdraw(_ id: Int, _ error: any Error, isCancelled: Bool) {
            withdrawn.append(id)
            switch (error as? PoolError)?.code {
            case .full?, .noThread?: break
            case nil where error is CancellationError && isCancelled: break
            default: stopped.append(id)
            }
        }

        /// All has ended.
        func expectOneFateEach(of count: Int, _ shutdown: Shutdown?, _ seed: UInt64) {
            #expect(!ran.elements.isEmpty, "seed \(seed)")
            #expect(inOrder.elements == inOrder.elements.sorted(), "seed \(seed)")
            let fates = ran.elements + withdrawn.elements
            #expect(Set(fates).count == fates.count, "run twice, or run and withdrawn; seed \(seed)")
            let silent = shutdown.map { $0.cancelsWaiting ? jobs.elements : delayed.elements } ?? []
            #expect(Set(0..<count).subtracting(fates).subtracting(silent).isEmpty, "seed \(seed)")
            if shutdown == nil { #expect(stopped.elements.isEmpty, "seed \(seed)") }
        }
    }

    extension DispatchGroup {
        fileprivate func end() async {
            await withCheckedContinuation { ended in notify(queue: .global()) { ended.resume() } }
        }
    }

    /// Runs on a queue of the pool.
    private actor HopTarget {
        private let executor: PoolSerialExecutor<WorkerQueue>
        private let queue: WatchedQueue

        init(_ executor: PoolSerialExecutor<WorkerQueue>, _ queues: [WatchedQueue]) {
            self.executor = executor
            queue = queues.first { $0.queue === executor.queue }!
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func hop() { queue.watch {} }
    }
#endif
