import BenchmarkHarness
import CMeasuring
import Dispatch
import QueuePools
import Synchronization

/// What happens if jobs come faster than they can be run?
struct Overload: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan: Plan

    /// How many jobs may wait where that can be limited.
    private static let capacity = 1_000

    private typealias Submission = (@escaping @Sendable () -> Void) -> Bool

    private struct Kind {
        let name: String
        let threads: ThreadSource
        let make: @Sendable (QueuePoolOptions) throws -> Submission
    }

    private static let pools = [
        Kind(name: "WorkerQueuePool", threads: .own) {
            let pool = try WorkerQueuePool($0)
            return { body in (try? pool.async(qos: .utility, body)) != nil }
        },
        Kind(name: "DispatchQueuePool", threads: .dispatchSerial) {
            let pool = try DispatchQueuePool($0)
            return { body in (try? pool.async(qos: .utility, body)) != nil }
        },
    ]

    private static let unlimited = Kind(name: "DispatchQueues by hand", threads: .dispatchSerial) {
        let tier = DispatchQueuesByHand.Tier(.utility, count: try $0.count)
        return { body in
            tier.next.async(execute: body)
            return true
        }
    }

    static let refusal = Overload(
        Metric(
            "overload-refusal", unit: "ns/job",
            summary: "A tier is full, and refuses a job."),
        pools, plan: Plan()
    ) { submit, scale in
        let gates = (0..<scale.workers).map { _ in DispatchSemaphore(value: 0) }
        defer { for gate in gates { gate.signal() } }
        let running = DispatchSemaphore(value: 0)
        for gate in gates {
            guard
                submit({
                    running.signal(); gate.wait()
                })
            else { throw MeasuringError("a first job was refused") }
            running.wait()
        }
        while submit({}) {}
        let count = scale.pick(quick: 20_000, full: 200_000)
        var accepted = 0
        let start = Clock.now
        for _ in 0..<count where submit({}) { accepted += 1 }
        let time = Clock.now - start
        guard accepted == 0 else { throw MeasuringError("\(accepted) of \(count) jobs were accepted") }
        return Double(time) / Double(count)
    }

    static let memory = Overload(
        Metric(
            "overload-memory", unit: "MiB",
            summary:
                "Jobs of 20 µs come ten times as fast as they can run, for ten seconds: by how much resident "
                + "memory grows after the first second."),
        pools + [unlimited], plan: Plan(rounds: (1, 1), warmsUp: false)
    ) { submit, scale in
        let isOver = Flag()
        let tally = Tally()
        defer { tally.deallocate() }
        var accepted = 0
        var afterFirstSecond = 0.0
        let start = Clock.now
        for millisecond in 0..<scale.pick(quick: 1_400, full: 10_000) {
            if millisecond == 1_000 { afterFirstSecond = ResidentMemory.mebibytes }
            for _ in 0..<10 * 1_000 / 20 * scale.workers {
                let number = accepted
                let isAccepted = submit {
                    if !isOver.isSet { measuring_burn(15_000) }
                    tally.count(number)
                }
                if isAccepted { accepted += 1 }
            }
            while Clock.now < start + UInt64(millisecond + 1) * 1_000_000 { Clock.sleep(microseconds: 100) }
        }
        let growth = ResidentMemory.mebibytes - afterFirstSecond
        isOver.set()
        _ = try tally.wait(for: accepted)
        // Memory that is given back is no growth; what could not be read stays not a number.
        return growth < 0 ? 0 : growth
    }

    private init(
        _ metric: Metric, _ kinds: [Kind], plan: Plan,
        measure: @escaping @Sendable (Submission, Scale) throws -> Double
    ) {
        metrics = [metric]
        self.plan = plan
        trials = kinds.map { kind in
            Trial(kind.name, threads: kind.threads, isQuick: plan.warmsUp || kind.name == Roster.ours) {
                scale in
                let options = QueuePoolOptions(
                    label: "overload", queuesPerTier: .exactly(scale.workers),
                    capacity: [.utility: Self.capacity])
                return Session(measure: { [Reading(try measure(kind.make(options), scale))] })
            }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }
}

extension QueuePoolOptions {
    fileprivate var count: Int {
        get throws {
            guard let count = queuesPerTier[.utility] else {
                throw MeasuringError("no number of queues")
            }
            return count
        }
    }
}
