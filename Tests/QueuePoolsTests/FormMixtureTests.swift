#if os(Linux)
    import Foundation
    import QueuePoolsLocks
    import TestSupport
    import Testing

    @testable import QueuePools

    /// What programs do around a job, at random: times, ends, groups, pipelines, made queues, carried values,
    /// loops, `sync`, scopes, also within jobs, and a shutdown at any time that cancels what runs.
    @Suite("Forms around a job, all at once", .timeLimit(.minutes(15)))
    struct FormMixtureTests {
        enum Request { @TaskLocal static var number: Int? }

        /// What became of each job, by its number.
        final class Journal: Sendable {
            private struct State {
                var runs: [Int: Int] = [:]
                var ends: [Int: Int] = [:]
                var accepted: Set<Int> = []
                var mayBeTold: Set<Int> = []
                var mustRun: Set<Int> = []
                var completed: Set<Int> = []
                var lastOfQueue: [String: Int] = [:]
                var faults: [String] = []
            }

            private let state = Lock(State())
            let released = Counter()
            /// The tasks that await jobs.
            let tasks = Recorder<Task<Void, Never>>()

            /// - Parameter queue: a queue whose jobs of this kind are submitted in order.
            func ran(_ number: Int, on queue: String? = nil) {
                state.withLock { state in
                    state.runs[number, default: 0] += 1
                    if let queue {
                        if let last = state.lastOfQueue[queue], last > number {
                            state.faults.append("\(queue): \(number) after \(last)")
                        }
                        state.lastOfQueue[queue] = number
                    }
                    if Request.number != number {
                        state.faults.append("\(number) saw the context \(String(describing: Request.number))")
                    }
                }
            }

            /// The closure returns the job's value next.
            func completed(_ number: Int) { state.withLock { _ = $0.completed.insert(number) } }

            /// A job with a value; nil is an error.
            func told(_ number: Int, _ value: Int?) {
                state.withLock { state in
                    if value == nil, state.completed.contains(number) {
                        state.faults.append("\(number) has completed, and was told an error")
                    }
                    state.ends[number, default: 0] += 1
                    let hasRun = state.runs[number, default: 0] > 0
                    if let value, value != number { state.faults.append("\(number) has the value \(value)") }
                    if value != nil, !hasRun { state.faults.append("\(number) has a value, but did not run") }
                    if Request.number != number {
                        state.faults.append("the end of \(number) had \(String(describing: Request.number))")
                    }
                }
            }

            /// The job has an end to tell.
            func accept(_ number: Int) { state.withLock { _ = $0.accepted.insert(number) } }

            /// The job was not accepted: its end was told if it was started before that.
            func mayTell(_ number: Int) { state.withLock { _ = $0.mayBeTold.insert(number) } }

            /// Nothing can end the job before it runs.
            func mustRun(_ number: Int) { state.withLock { _ = $0.mustRun.insert(number) } }

            func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

            /// The calling thread runs something for a job: it has the job's context, and is told of its end.
            func asks(for number: Int, of job: JobScope?, _ place: String) {
                let wasCancelled = job?.isCancelled ?? false
                let isCancelled = JobScope.isCancelled
                if Request.number != number { fault("\(number) saw the context of another, in \(place)") }
                guard let job else { return fault("\(number) had no scope, in \(place)") }
                if wasCancelled && !isCancelled || isCancelled && !job.isCancelled {
                    fault("\(number) asked for another job, in \(place)")
                }
            }

            func check(seed: UInt64) {
                let state = state.withLock { $0 }
                #expect(state.faults == [], "seed \(seed)")
                #expect(state.runs.values.allSatisfy { $0 == 1 }, "seed \(seed): a job ran twice")
                #expect(state.ends.values.allSatisfy { $0 == 1 }, "seed \(seed): an end was told twice")
                #expect(
                    Set(state.ends.keys).subtracting(state.mayBeTold) == state.accepted,
                    "seed \(seed): ends that were told")
                #expect(state.mustRun.subtracting(state.runs.keys) == [], "seed \(seed): jobs that were lost")
            }
        }

        struct Thrown: Error {}

        struct Stage {
            let pool: WorkerQueuePool
            let made: [WorkerQueue]
            let pipeline: JobPipeline<Int, Int>
            let journal: Journal
            /// Whether the pool is shut down in the middle, and cancels the jobs that run then.
            let (isToBeShutDown, isToBeCancelled): (Bool, Bool)
        }

        /// The calls of `sync`, and of a loop, in a job. No job of a made queue does: two that wait for each
        /// other trap, as they should.
        private struct Nesting: Sendable {
            let queue: WorkerQueue?
            let loop: Range<Int>?
            let pool: WorkerQueuePool
            let journal: Journal

            init?(
                random: inout SeededGenerator, made: [WorkerQueue], pool: WorkerQueuePool, journal: Journal
            ) {
                (self.pool, self.journal) = (pool, journal)
                queue = Bool.random(using: &random) ? made.randomElement(using: &random) : nil
                loop = Int.random(in: 0..<3, using: &random) == 0 ? 0..<8 : nil
                if queue == nil, loop == nil { return nil }
            }

            func run(in number: Int) {
                let scope = JobScope.current
                if let queue, !queue.isCurrent {
                    try? queue.sync {
                        journal.asks(for: number, of: scope, "sync")
                        // Of a made queue, in the loop of a job that has it.
                        if !queue.isCurrent { journal.fault("\(number) is not on \(queue)") }
                    }
                    journal.asks(for: number, of: scope, "a job after sync")
                }
                if let loop {
                    pool.forEach(loop, qos: .utility, chunk: 1) { _ in
                        journal.asks(for: number, of: scope, "a loop")
                    }
                    journal.asks(for: number, of: scope, "a job after a loop")
                }
            }
        }

        @Test(
            "each job ends once, with its context, in its order, and the statistics add up",
            arguments: 0..<UInt64(8 * StressPlan.scale))
        func mixture(seed: UInt64) async throws {
            var random = SeededGenerator(seed: seed)
            let capacity: TierCapacities = Bool.random(using: &random) ? [:] : [.utility: 4, .default: 2]
            let threads = Int.random(in: 1...5, using: &random)
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(Int.random(in: 1...3, using: &random)),
                capacity: capacity, workers: WorkerOptions(threadsPerTier: .exactly(threads)),
                carrying: Request.$number)
            let journal = Journal()
            let pipeline = try JobPipeline(
                limit: Int.random(in: 1...4, using: &random), on: pool, qos: .utility
            ) { (number: Int) in
                journal.ran(number)
                if number % 11 == 0 { throw Thrown() }
                return number
            }
            .then(on: pool, qos: .default, key: 7) { $0 }
            .then(on: pool) { $0 }
            let count = 240
            let shutsDownAt = Int.random(in: 0..<2 * count, using: &random)
            let (waiting, running) = (
                Bool.random(using: &random) ? Shutdown.WaitingJobs.cancel : .run,
                Bool.random(using: &random) ? Shutdown.RunningJobs.cancel : .leave
            )
            let stage = Stage(
                pool: pool, made: try (0..<3).map { try pool.makeQueue(label: "made \($0)", qos: .utility) },
                pipeline: pipeline, journal: journal, isToBeShutDown: shutsDownAt < count,
                isToBeCancelled: shutsDownAt < count && running == .cancel)
            await withTaskGroup(of: Int.self) { tasks in
                for submitter in 0..<3 {
                    let seed = random.next()
                    tasks.addTask {
                        var random = SeededGenerator(seed: seed)
                        var probes = 0
                        for number in stride(from: submitter, to: count, by: 3) {
                            if number >= shutsDownAt, number < shutsDownAt + 3 {
                                Task { try? await pool.shutdown(waitingJobs: waiting, runningJobs: running) }
                            }
                            probes += await Request.$number.withValue(number) {
                                await Self.submit(number, by: submitter, on: stage, using: &random)
                            }
                        }
                        return probes
                    }
                }
                let probes = await tasks.reduce(0, +)
                // Jobs that are to begin later, and the next stages of pipelines, end before the shutdown.
                if shutsDownAt >= count {
                    await waitWhile(
                        pool.statistics.tiers.values.contains {
                            $0.submitted + $0.movedIn > Self.ended($0)
                        })
                }
                try? await pool.shutdown(waitingJobs: waiting)
                for task in journal.tasks.elements { await task.value }
                await waitWhile(journal.released.value < probes)
            }
            journal.check(seed: seed)
            // A call that was just being resumed as its job ended is counted by the thread that resumes it.
            await waitWhile(
                !pool.statistics.tiers.values.allSatisfy { $0.submitted + $0.movedIn == Self.ended($0) })
            for (tier, statistics) in pool.statistics.tiers {
                #expect(
                    statistics.submitted + statistics.movedIn == Self.ended(statistics)
                        && statistics.delayed + statistics.waiting + statistics.waitingForRoom
                            + statistics.running
                            == 0,
                    "seed \(seed), \(tier): \(statistics)")
            }
        }

        private static func ended(_ statistics: TierStatistics) -> Int {
            statistics.finished + statistics.cancelled + statistics.expired + statistics.movedOut
        }

        /// Returns how many closures with a probe were made.
        private static func submit(
            _ number: Int, by submitter: Int, on stage: Stage, using random: inout SeededGenerator
        ) async -> Int {
            let (pool, journal) = (stage.pool, stage.journal)
            func chance(_ parts: Int) -> Bool { Int.random(in: 0..<parts, using: &random) == 0 }
            func moment() -> Duration { .microseconds(Int.random(in: -10...1_500, using: &random)) }
            let tier: QoSTier = [.background, .utility, .default].randomElement(using: &random)!
            let policy: FullTierPolicy = chance(3) ? .throw : .wait
            let (after, at, startBy, finishBy) = (
                chance(3) ? moment() : nil, chance(4) ? ContinuousClock.now + moment() : nil,
                chance(5) ? ContinuousClock.now + moment() : nil,
                chance(4) ? ContinuousClock.now + moment() : nil
            )
            let (throwsError, spin, cancels) = (chance(8), Int.random(in: 0..<30, using: &random), chance(3))
            let probe = LifetimeProbe { journal.released.increment() }
            let form = Int.random(in: 0..<12, using: &random)
            let nesting =
                [3, 8, 10].contains(form)
                ? nil : Nesting(random: &random, made: stage.made, pool: pool, journal: journal)
            let body: @Sendable () throws -> Int = { [probe] in
                probe.touch()
                journal.ran(number)
                for _ in 0..<spin * 100 where !JobScope.isCancelled {}
                nesting?.run(in: number)
                if throwsError { throw Thrown() }
                journal.completed(number)
                return number
            }
            /// Raises the priority of a task that awaits the job.
            func wait(for handle: PoolTask<Int>) {
                guard chance(3) else { return }
                let task = Task(priority: .background) { _ = try? await handle.value }
                journal.tasks.append(task)
                if chance(2) { task.escalatePriority(to: .high) }
            }
            let canEnd = cancels || stage.isToBeShutDown || startBy != nil || finishBy != nil
            let may = Endings(
                throwing: throwsError || number % 11 == 0 && [2, 11].contains(form), full: policy == .throw,
                cancelling: cancels,
                expiring: startBy != nil || finishBy != nil, on: stage)
            let onEnd: @Sendable (Result<Int, any Error>) -> Void = { result in
                journal.told(number, try? result.get())
                if case .failure(let error) = result, !may.end(with: error) {
                    journal.fault("\(number) ended with \(error)")
                }
            }
            switch form {
            case 0, 1:
                // On the pool, in a group, or in a group within one; with an end that is told.
                let group = JobGroup(on: chance(2) ? pool : JobGroup(on: pool))
                do {
                    let handle = try group.start(
                        qos: tier, key: chance(3) ? submitter : nil, whenFull: policy, after: after, at: at,
                        startBy: startBy, finishBy: finishBy, onEnd: onEnd, body)
                    journal.accept(number)
                    if !canEnd { journal.mustRun(number) }
                    wait(for: handle)
                    if cancels { if chance(2) { group.cancel() } else { handle.cancel() } }
                } catch {}
                if chance(4) { try? await group.waitForAll() }
            case 2:
                do {
                    let handle = try stage.pipeline.start(
                        number, whenFull: policy, finishBy: finishBy, onEnd: onEnd)
                    journal.accept(number)
                    if !cancels, !stage.isToBeShutDown, finishBy == nil { journal.mustRun(number) }
                    wait(for: handle)
                    if cancels { handle.cancel() }
                } catch {}
            case 3:
                let queue = stage.made.randomElement(using: &random)!
                do {
                    let handle = try queue.start(
                        whenFull: policy, after: after, startBy: startBy, finishBy: finishBy, onEnd: onEnd,
                        body)
                    journal.accept(number)
                    if !canEnd { journal.mustRun(number) }
                    if cancels { handle.cancel() }
                } catch {}
            case 4:
                // In order, as no other kind of these is submitted to the queue by this task.
                let queue = stage.made[submitter]
                let job = try? queue.async { [probe] in
                    probe.touch()
                    journal.ran(number, on: queue.label)
                }
                if job != nil, !cancels, !stage.isToBeShutDown { journal.mustRun(number) }
                if cancels, let job, job.cancel(), chance(2) {
                    queue.enqueue { if job.cancel() { journal.fault("\(number) was cancelled twice") } }
                }
            case 5:
                // Outside of jobs, behind those of the queue.
                let task = Task.detached { [probe] in
                    probe.touch()
                    Request.$number.withValue(number) {
                        try? stage.made.randomElement()!.sync {
                            journal.ran(number)
                            if JobScope.isCancelled {
                                journal.fault("\(number) is no job, and was cancelled")
                            }
                        }
                    }
                }
                if chance(2) { journal.tasks.append(task) } else { await task.value }
            case 6:
                let group = JobGroup(on: pool)
                let task = Task { [probe] in
                    probe.touch()
                    let values = try await group.map(0..<6, qos: tier, limit: 3) { index in
                        journal.asks(for: number, of: JobScope.current, "map")
                        nesting?.run(in: number)
                        return index
                    }
                    if values != Array(0..<6) { journal.fault("\(number) mapped to \(values)") }
                }
                let mayEnd = cancels || stage.isToBeShutDown
                if cancels { if chance(2) { group.cancel() } else { task.cancel() } }
                let end = Task {
                    do { try await task.value } catch {
                        if !mayEnd { journal.fault("\(number)'s map threw \(error)") }
                    }
                    try? await group.waitForAll()
                    if group.count != 0 { journal.fault("\(number)'s group has not ended") }
                }
                // Its last inputs are submitted before the shutdown, or may be refused.
                if mayEnd { journal.tasks.append(end) } else { await end.value }
            case 8...11:
                let times = Times(after: after, at: at, startBy: startBy, finishBy: finishBy)
                await submitAwaited(
                    number, form, stage, tier, key: chance(3) ? submitter : nil, policy, times, may,
                    cancels: cancels, onEnd, body)
            default:
                let calls = Counter()
                do {
                    try await pool.run(forEach: 0..<40, qos: tier) { [probe] _ in
                        probe.touch()
                        if Request.number != number { journal.fault("a call of \(number)'s loop") }
                        calls.increment()
                    }
                    if calls.value != 40 { journal.fault("\(number)'s loop made \(calls.value) calls") }
                } catch PoolError.shutDown {
                    if calls.value > 0 { journal.fault("\(number)'s loop was refused in the middle") }
                } catch {
                    if !stage.isToBeCancelled { journal.fault("\(number)'s loop threw \(error)") }
                }
            }
            return 1
        }
    }
#endif
