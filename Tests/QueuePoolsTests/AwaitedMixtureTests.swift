import Foundation
import QueuePoolsLocks
import TestSupport
import Testing

@testable import QueuePools

/// All forms of submission at once, with everything that can happen to a job that waits.
@Suite("Awaited jobs of all forms at once", .timeLimit(.minutes(15)))
struct AwaitedMixtureTests {
    private enum Fate: Hashable { case value, thrown, cancellation, error(PoolError.Code) }

    /// What became of the jobs, by the form and number of each.
    private final class Journal: Sendable {
        private struct State {
            var runs: [Int: Int] = [:]
            var fates: [Int: [Fate]] = [:]
            var begunOfKey: [Int: [Int]] = [:]
        }

        private let state = Lock(State())
        let released = Counter()
        /// The tasks that await jobs.
        let tasks = Recorder<Task<Void, Never>>()

        func ran(_ job: Int, key: Int?) {
            state.withLock { state in
                state.runs[job, default: 0] += 1
                if let key { state.begunOfKey[key, default: []].append(job) }
            }
        }

        func ended(_ job: Int, _ fate: Fate) { state.withLock { $0.fates[job, default: []].append(fate) } }

        /// Each job has one fate; it ran once if that is a value or its own error, and not otherwise.
        func check(count: Int, seed: UInt64) {
            let (runs, fates, orders) = state.withLock { ($0.runs, $0.fates, $0.begunOfKey) }
            for job in 0..<count {
                let mine = fates[job] ?? []
                #expect(mine.count == 1, "seed \(seed): job \(job) has the fates \(mine)")
                let hasRun = mine == [.value] || mine == [.thrown]
                #expect(runs[job, default: 0] == (hasRun ? 1 : 0), "seed \(seed): job \(job), \(mine)")
            }
            for (key, order) in orders {
                #expect(order == order.sorted(), "seed \(seed): key \(key) ran in the order \(order)")
            }
        }
    }

    private struct Thrown: Error {}

    @Test(
        "each job has exactly one outcome, keys keep their order, and the statistics add up",
        arguments: PoolKind.allCases, 0..<UInt64(6 * StressPlan.scale))
    func mixture(kind: PoolKind, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let capacity: TierCapacities = Bool.random(using: &random) ? [:] : [.utility: 3, .userInitiated: 2]
        let pool = try kind.pool("p", .exactly(Int.random(in: 1...3, using: &random)), capacity: capacity)
        let (journal, count) = (Journal(), 240)
        let shutsDownAt = Int.random(in: 0..<2 * count, using: &random)
        let cancelsWaiting = Bool.random(using: &random)
        // Jobs of a key are submitted by one task, in the order of their numbers.
        await withTaskGroup(of: Void.self) { group in
            for submitter in 0..<4 {
                let seed = random.next()
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    for number in stride(from: submitter, to: count, by: 4) {
                        if number >= shutsDownAt, number < shutsDownAt + 4 {
                            Task { try? await pool.shutdown(waitingJobs: cancelsWaiting ? .cancel : .run) }
                        }
                        await submit(number, by: submitter, to: pool, journal, using: &random)
                    }
                }
            }
        }
        try await pool.shutdown()
        for task in journal.tasks.elements { await task.value }
        await waitWhile(journal.released.value < count)
        journal.check(count: count, seed: seed)
        // A call that was just being resumed as its job ended is counted by the thread that resumes it.
        await waitWhile(!pool.statistics.tiers.values.allSatisfy(Self.addsUp))
        for (tier, statistics) in pool.statistics.tiers {
            #expect(
                Self.addsUp(statistics)
                    && statistics.delayed + statistics.waiting + statistics.waitingForRoom
                        + statistics.running
                        == 0,
                "seed \(seed), \(tier): \(statistics)")
        }
    }

    private static func addsUp(_ statistics: TierStatistics) -> Bool {
        let ended = statistics.finished + statistics.cancelled + statistics.expired + statistics.movedOut
        return statistics.submitted + statistics.movedIn == ended
    }

    private func submit(
        _ number: Int, by submitter: Int, to pool: any AnyPool, _ journal: Journal,
        using random: inout SeededGenerator
    ) async {
        let key = Bool.random(using: &random) ? submitter : nil
        // A key's jobs stay on one tier, as its order holds there.
        let tier: QoSTier =
            key == nil ? [.background, .utility, .userInitiated].randomElement(using: &random)! : .utility
        let policy: FullTierPolicy =
            [.throw, .wait, .wait, .wait(atMost: 2)].randomElement(using: &random)!
        let deadline: ContinuousClock.Instant? =
            Int.random(in: 0..<4, using: &random) > 0
            ? nil : .now + .microseconds(Int.random(in: -10...2_000, using: &random))
        let (throwsError, spin) = (
            Int.random(in: 0..<8, using: &random) == 0, Int.random(in: 0..<30, using: &random)
        )
        let probe = LifetimeProbe { journal.released.increment() }
        let body: @Sendable () throws -> Int = { [probe] in
            probe.touch()
            journal.ran(number, key: key)
            for _ in 0..<spin * 100 where !JobScope.isCancelled {}
            if throwsError { throw Thrown() }
            return number
        }
        @Sendable func note(_ body: () async throws -> Int) async {
            do {
                #expect(try await body() == number)
                journal.ended(number, .value)
            } catch is Thrown {
                journal.ended(number, .thrown)
            } catch is CancellationError {
                journal.ended(number, .cancellation)
            } catch {
                journal.ended(number, .error((error as! PoolError).code))
            }
        }
        let change = Int.random(in: 0..<6, using: &random)
        let turns = Int.random(in: 0..<6, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let handle: PoolTask<Int>
            do {
                handle = try pool.start(qos: tier, key: key, whenFull: policy, startBy: deadline, body)
            } catch {
                return journal.ended(number, .error(error.code))
            }
            let task = Task(priority: .background) { await note { try await handle.value } }
            await disturb(task, in: journal, change, turns) { handle.cancel() }
        case 1:
            let handle: PoolTask<Int>
            do {
                handle = try await pool.startWhenAccepted(
                    qos: tier, key: key, whenFull: policy, startBy: deadline, body)
            } catch {
                return journal.ended(number, (error as? PoolError).map { .error($0.code) } ?? .cancellation)
            }
            let task = Task(priority: .background) { await note { try await handle.value } }
            await disturb(task, in: journal, change, turns) { handle.cancel() }
        default:
            // In the calling task, so that the order of a key is that of the calls.
            if key != nil {
                await note {
                    try await pool.run(qos: tier, key: key, whenFull: policy, startBy: deadline, body)
                }
            } else {
                let task = Task(priority: .background) {
                    await note { try await pool.run(qos: tier, whenFull: policy, startBy: deadline, body) }
                }
                await disturb(task, in: journal, change, turns) {}
            }
        }
    }

    private func disturb(
        _ task: Task<Void, Never>, in journal: Journal, _ change: Int, _ turns: Int, _ cancel: () -> Void
    ) async {
        journal.tasks.append(task)
        for _ in 0..<turns { await Task.yield() }
        switch change {
        case 0: task.cancel()
        case 1: cancel()
        case 2, 3: task.escalatePriority(to: change == 2 ? .medium : .high)
        default: break
        }
    }
}
