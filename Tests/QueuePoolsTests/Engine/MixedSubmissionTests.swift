#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import Locks
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("All kinds of submission together", .timeLimit(.minutes(5)))
    struct MixedSubmissionTests {
        /// Four threads, each with a queue of its own, two of them on a tier that has a capacity. In every
        /// second round the pool is shut down meanwhile, in every fourth with what waits.
        @Test(
            "however many threads are refused, a job of any kind has one fate, and queues keep their order",
            arguments: [50, 95])
        func refusedThreads(percent: Int) async throws {
            for round in 0..<(10 * StressPlan.scale) {
                let seed = StressPlan.seed &+ UInt64(round)
                let generator = Lock(SeededGenerator(seed: seed))
                let pool = try WorkerQueuePool(
                    QueuePoolConfiguration(
                        label: "p", queuesPerTier: .exactly(2), capacity: [.utility: 20]),
                    adjust: { settings in
                        var settings = settings
                        settings.firstRetry = 50_000
                        settings.threads.idleLifetime = .microseconds(50)
                        settings.start = { thread in
                            let chance = generator.withLock { Int.random(in: 0..<100, using: &$0) }
                            return chance < percent ? EAGAIN : thread.start()
                        }
                        return settings
                    })
                let submitters = (0..<4).map { Submitter(pool, $0 % 2 == 0 ? .utility : .default) }
                let unended = DispatchGroup()
                for (number, submitter) in submitters.enumerated() {
                    unended.enter()
                    Thread {
                        var generator = SeededGenerator(seed: seed &* 4 &+ UInt64(number))
                        for id in 0..<150 { submitter.submit(id, using: &generator) }
                        unended.leave()
                    }.start()
                }
                let (isShutDownEarly, cancelsWaiting) = (round % 2 == 1, round % 4 == 3)
                if isShutDownEarly {
                    while submitters.contains(where: { $0.submitted.value < round % 150 }) {
                        await Task.yield()
                    }
                    await pool.shutdown(cancellingWaiting: cancelsWaiting)
                }
                await unended.end()
                for submitter in submitters { await submitter.unended.end() }
                await pool.shutdown()
                for submitter in submitters {
                    let ids = cancelsWaiting ? submitter.jobs : submitter.delayed
                    submitter.expectOneFateEach(
                        of: 150, orCancelled: isShutDownEarly ? ids.elements : [], seed)
                }
                // Of delayed jobs that came during the shutdown, some are cancelled a moment later.
                while pool.statistics.tiers.values.contains(where: {
                    $0.submitted != $0.finished + $0.cancelled
                }) { await Task.yield() }
            }
        }
    }

    /// Submits jobs to a pool, and to a queue that nobody else uses, and remembers what became of each.
    private final class Submitter: Sendable {
        private let pool: WorkerQueuePool
        private let tier: QoSTier
        private let queue: WorkerQueue
        private let actor: HopTarget
        let submitted = Counter()
        private let ran = Recorder<Int>()
        /// Those that were submitted to the queue to run in turn, as they ran.
        private let inOrder = Recorder<Int>()
        /// Refused, or cancelled by the submitter.
        private let withdrawn = Recorder<Int>()
        /// Those that a shutdown cancels if their time has not come, and those that it may be told to cancel.
        let delayed = Recorder<Int>(), jobs = Recorder<Int>()
        private let overlaps = Counter()
        private let isRunning = Atomic<Bool>(false)
        /// What is captured by a job.
        let unended = DispatchGroup()

        init(_ pool: WorkerQueuePool, _ tier: QoSTier) {
            (self.pool, self.tier, queue) = (pool, tier, pool.queue(for: tier))
            actor = HopTarget(pool.serialExecutor(for: tier))
        }

        func submit(_ id: Int, using generator: inout SeededGenerator) {
            defer { submitted.increment() }
            let isCancelled = Int.random(in: 0..<4, using: &generator) == 0
            let delay = Duration.microseconds(Int.random(in: 0..<300, using: &generator))
            let (pool, tier, queue) = (pool, tier, queue)
            unended.enter()
            let probe = LifetimeProbe { [unended] in unended.leave() }
            let run: @Sendable () -> Void = { self.run(id, probe) }
            let runOnQueue: @Sendable () -> Void = { self.runOnQueue(id, probe) }
            let runInOrder: @Sendable () -> Void = { self.runInOrder(id, probe) }
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: submit(id, isCancelled) { try queue.async(runInOrder) }
            case 1: queue.enqueue(runInOrder)
            case 2: submit(id) { try queue.sync(runInOrder) }
            case 3: submit(id) { try queue.notifyWhenEmpty(runOnQueue) }
            case 4: submit(id, isCancelled) { try pool.async(qos: tier, run) }
            case 5: submit(id, isCancelled) { try pool.async(qos: tier, key: id % 3, run) }
            case 6: submitDelayed(id, isCancelled) { try queue.async(after: delay, runOnQueue) }
            case 7: submitDelayed(id, isCancelled) { try pool.async(qos: tier, after: delay, run) }
            case 8: submitTask(id, isCancelled) { try await queue.run(runOnQueue) }
            case 9: submitTask(id, isCancelled) { try await pool.run(qos: tier, run) }
            case 10: submitTask(id, isCancelled) { try await pool.run(qos: tier, key: id, run) }
            default:
                Task(executorPreference: pool.taskExecutor(for: tier)) {
                    await self.actor.hop()
                    await Task.yield()
                    run()
                }
            }
        }

        private func submit(_ id: Int, _ body: () throws -> Void) {
            do { try body() } catch { withdrawn.append(id) }
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
            let task = Task { do { try await body() } catch { self.withdrawn.append(id) } }
            if isCancelled { task.cancel() }
        }

        private func run(_ id: Int, _ probe: LifetimeProbe) {
            probe.touch()
            ran.append(id)
        }

        private func runOnQueue(_ id: Int, _ probe: LifetimeProbe) {
            if isRunning.exchange(true, ordering: .relaxed) || !queue.isCurrent { overlaps.increment() }
            run(id, probe)
            isRunning.store(false, ordering: .relaxed)
        }

        private func runInOrder(_ id: Int, _ probe: LifetimeProbe) {
            inOrder.append(id)
            runOnQueue(id, probe)
        }

        /// All has ended.
        func expectOneFateEach(of count: Int, orCancelled cancelled: [Int], _ seed: UInt64) {
            #expect(overlaps.value == 0, "seed \(seed)")
            #expect(inOrder.elements == inOrder.elements.sorted(), "seed \(seed)")
            let fates = ran.elements + withdrawn.elements
            #expect(Set(fates).count == fates.count, "run twice, or run and withdrawn; seed \(seed)")
            let lost = Set(0..<count).subtracting(fates).subtracting(cancelled)
            #expect(lost.isEmpty, "seed \(seed)")
        }
    }

    extension DispatchGroup {
        fileprivate func end() async {
            await withCheckedContinuation { ended in notify(queue: .global()) { ended.resume() } }
        }
    }

    extension PoolJob {
        fileprivate func cancel(ifTrue isCancelled: Bool) -> Bool { isCancelled && cancel() }
    }

    /// Runs on a queue of the pool.
    private actor HopTarget {
        private let executor: PoolSerialExecutor<WorkerQueue>

        init(_ executor: PoolSerialExecutor<WorkerQueue>) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func hop() {}
    }
#endif
