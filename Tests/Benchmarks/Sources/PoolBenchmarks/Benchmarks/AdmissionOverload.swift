import BenchmarkHarness
import CMeasuring
import Foundation
import QueuePools
import Synchronization

/// What does a server get done to which requests come twice as fast as it can answer them?
struct AdmissionOverload: Benchmark {
    let metrics = [
        Metric(
            "admission-overload", unit: "answers/s", better: .higher,
            summary:
                "Requests for a job of 2 ms come at random, twice as fast as the jobs can run: how many are answered within a "
                + "second, from the third second on."),
        Metric(
            "admission-overload-memory", unit: "MiB",
            summary: "By how much resident memory grows meanwhile, after the first second."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        trial("WorkerQueuePool", capacity: .each(capacity)) { pool in
            { job in
                try await pool.run(
                    qos: .default, whenFull: .wait(atMost: waiting), startBy: .now + .seconds(1), job)
            }
        },
        trial("WorkerQueuePool, throwing", capacity: .each(capacity)) { pool in
            { job in
                try await pool.run(qos: .default, whenFull: .throw, startBy: .now + .seconds(1), job)
            }
        },
        // Jobs begin at the last moment, and so end too late.
        trial("a deadline alone", capacity: .each(capacity)) { pool in
            { job in try await pool.run(qos: .default, startBy: .now + .seconds(1), job) }
        },
        trial("neither", capacity: .each(capacity)) { pool in
            { job in try await pool.run(qos: .default, job) }
        },
        trial("a counter by hand", capacity: .unlimited) { pool in
            let inFlight = Counter()
            return { job in
                defer { inFlight.value.wrappingSubtract(1, ordering: .relaxed) }
                let count = inFlight.value.wrappingAdd(1, ordering: .relaxed).newValue
                guard count <= capacity + waiting else { throw Refusal() }
                try await pool.run(qos: .default, job)
            }
        },
    ]

    private static let capacity = 8
    private static let waiting = 56

    private struct Refusal: Error {}

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    /// Has a job run. Throws if it is refused.
    private typealias Answer = @Sendable (_ job: @escaping @Sendable () -> Void) async throws -> Void

    private static func trial(
        _ contender: String, capacity: TierCapacities, _ make: @escaping @Sendable (WorkerQueuePool) -> Answer
    ) -> Trial {
        Trial(contender, threads: .own, isQuick: contender == Roster.ours) { scale in
            let pool = try WorkerQueuePool(
                label: "admission", queuesPerTier: .exactly(scale.workers), capacity: capacity)
            let answer = make(pool)
            return Session(measure: { try measure(answer, scale) }, end: { pool.shutdownBlocking() })
        }
    }

    private static func measure(_ answer: @escaping Answer, _ scale: Scale) throws -> [Reading] {
        let (ignored, counted) = (2, scale.pick(quick: 1, full: 4))
        let start = Clock.now
        let server = Server(answer, counting: start + UInt64(ignored) * second)
        let end = start + UInt64(ignored + counted) * second
        var generator = SeededGenerator(seed: 2)
        let meanGap = Double(jobTime) / Double(2 * scale.workers)
        var arrival = start
        var afterFirstSecond: Double?
        while true {
            arrival += UInt64(-log(Double.random(in: .ulpOfOne..<1, using: &generator)) * meanGap)
            guard arrival < end else { break }
            if arrival > start + second, afterFirstSecond == nil {
                afterFirstSecond = ResidentMemory.mebibytes
            }
            // A request that comes late because this thread did counts from when it should have come.
            let now = Clock.now
            if now < arrival { Clock.sleep(microseconds: Int(arrival - now) / 1_000 + 1) }
            server.receive(at: arrival)
        }
        let growth = ResidentMemory.mebibytes - (afterFirstSecond ?? .nan)
        let answers = try server.close()
        return [Reading(Double(answers) / Double(counted)), Reading(growth < 0 ? 0 : growth)]
    }

    private static let second: UInt64 = 1_000_000_000
    /// Processor time.
    private static let jobTime: UInt64 = 2_000_000

    private final class Server: Sendable {
        private let answer: Answer
        private let firstCounted: UInt64
        private let isOver = Atomic(false)
        private let present = Atomic(0)
        private let inTime = Atomic(0)

        init(_ answer: @escaping Answer, counting firstCounted: UInt64) {
            self.answer = answer
            self.firstCounted = firstCounted
        }

        /// Answers a request in a task of its own.
        func receive(at arrival: UInt64) {
            present.wrappingAdd(1, ordering: .relaxed)
            Task.detached { [self] in
                defer { present.wrappingSubtract(1, ordering: .releasing) }
                do { try await answer { [self] in compute() } } catch { return }
                let now = Clock.now
                guard now >= firstCounted, now <= arrival + second, !isOver.load(ordering: .relaxed) else {
                    return
                }
                inTime.wrappingAdd(1, ordering: .relaxed)
            }
        }

        private func compute() {
            let end = Clock.threadTime + jobTime
            while !isOver.load(ordering: .relaxed), Clock.threadTime < end { measuring_burn(15_000) }
        }

        /// Returns how many requests were answered in time, when no request is left.
        func close() throws -> Int {
            isOver.store(true, ordering: .relaxed)
            let deadline = Clock.now + 60 * second
            while present.load(ordering: .acquiring) > 0 {
                guard Clock.now < deadline else { throw MeasuringError("not all requests ended") }
                Clock.sleep(microseconds: 500)
            }
            return inTime.load(ordering: .relaxed)
        }
    }
}
