import BenchmarkHarness
import Dispatch
import Foundation
import Synchronization

/// How long does it take until a job begins that finds all workers asleep, and what does its submitter pay?
struct WakeUp: Benchmark {
    /// What the submitter does until the job has begun.
    private enum Submitter {
        /// It sleeps, and leaves its processor to other threads.
        case waits
        /// It computes, as a main thread would that has more to do. Where the system puts the woken worker on
        /// the submitter's processor, the job has to wait for its turn there.
        case goesOn
    }

    let metrics: [Metric]
    let trials: [Trial]
    let plan: Plan

    /// The workers have slept for longer than any contender's spin before they park; oneTBB's do so for more
    /// than a millisecond.
    static let warm = WakeUp(
        latency: Metric(
            "wake-up-warm", unit: "µs",
            summary:
                "From the submission of a job until it begins, all workers asleep for three milliseconds."),
        caller: Metric(
            "wake-up-warm-caller", unit: "µs",
            summary: "What the call that submits such a job takes of its caller's time."),
        samples: (30, 200), submitter: .waits)

    /// The same with a submitter that is busy.
    static let busy = WakeUp(
        latency: Metric(
            "wake-up-while-busy", unit: "µs",
            summary: "The same as wake-up-warm, but the submitter computes meanwhile instead of waiting."),
        caller: nil, samples: (30, 200), submitter: .goesOn)

    /// Long enough for Dispatch to have ended its idle threads, which it does after five seconds.
    ///
    /// Contenders that share threads cannot be measured after the same six seconds, so a quick run has but
    /// two of each.
    static let afterIdle = WakeUp(
        latency: Metric(
            "wake-up-idle-6s", unit: "µs",
            summary: "From the submission of a job until it begins, the process idle for six seconds."),
        caller: Metric(
            "wake-up-idle-6s-caller", unit: "µs",
            summary: "What the call that submits such a job takes of its caller's time."),
        samples: nil, submitter: .waits, plan: Plan(rounds: (1, 5), idleSeconds: 6)
    ) { kind in
        kind.threads == .own
            || ["DispatchQueuePool", "DispatchQueues by hand", "DispatchQueue.global", "Task.detached"]
                .contains(kind.name)
    }

    private init(
        latency: Metric, caller: Metric?, samples: (quick: Int, full: Int)?, submitter: Submitter,
        plan: Plan = Plan(),
        isQuick: (ContenderKind) -> Bool = { _ in true }
    ) {
        metrics = [latency] + (caller.map { [$0] } ?? [])
        self.plan = plan
        @Sendable func readings(_ submit: Submission, _ scale: Scale) throws -> [Reading] {
            let count = samples.map { scale.pick(quick: $0.quick, full: $0.full) }
            let (latencies, calls) = try WakeUp.measure(submit, count: count ?? 1, submitter)
            // A 99th percentile of a handful of samples would be their maximum.
            let readings = [latencies, calls].map { count == nil ? Reading($0[0]) : Reading(samples: $0) }
            return caller == nil ? [readings[0]] : readings
        }
        let contenders = Roster.all.map { kind in
            Trial(kind, isQuick: isQuick(kind)) { contender, scale in
                try readings({ contender.submit(to: .userInitiated, $0) }, scale)
            }
        }
        let bare = Trial("thread on a semaphore", threads: .own, isQuick: samples != nil) { scale in
            let thread = ThreadOnSemaphore()
            return Session(measure: { try readings(thread.submit, scale) }, end: { thread.end() })
        }
        trials = contenders + [bare]
    }

    private typealias Submission = (@escaping @Sendable () -> Void) -> Void

    /// The times in microseconds until each job began, and those that submitting it took.
    private static func measure(
        _ submit: Submission, count: Int, _ submitter: Submitter
    ) throws -> (latencies: [Double], calls: [Double]) {
        let beginning = Beginning()
        var (latencies, calls): ([Double], [Double]) = ([], [])
        for _ in 0..<count {
            if count > 1 { Clock.sleep(microseconds: 3_000) }
            beginning.reset()
            let before = Clock.now
            submit { beginning.note() }
            let after = Clock.now
            let begun = submitter == .waits ? try beginning.wait() : try beginning.spin()
            latencies.append(Double(begun - before) / 1_000)
            calls.append(Double(after - before) / 1_000)
        }
        return (latencies, calls)
    }
}

/// The least that any way to wake a thread can cost: one thread, with the priority of the process, for one
/// job at a time.
private final class ThreadOnSemaphore: Sendable {
    private let sent = DispatchSemaphore(value: 0)
    // Written before `sent` is signalled, read after. Nil ends the thread.
    private nonisolated(unsafe) var job: (@Sendable () -> Void)?

    init() {
        Thread.detachNewThread { [self] in
            while true {
                sent.wait()
                guard let job else { return }
                job()
            }
        }
    }

    func submit(_ job: @escaping @Sendable () -> Void) {
        self.job = job
        sent.signal()
    }

    func end() {
        job = nil
        sent.signal()
    }
}

/// When a job began.
private final class Beginning: Sendable {
    private let time = Atomic<UInt64>(0)
    private let begun = DispatchSemaphore(value: 0)
    private static let limit = 10

    func reset() { time.store(0, ordering: .relaxed) }

    func note() {
        time.store(Clock.now, ordering: .releasing)
        begun.signal()
    }

    func wait() throws -> UInt64 {
        guard begun.wait(timeout: .now() + .seconds(Self.limit)) == .success else { throw late }
        return time.load(ordering: .acquiring)
    }

    func spin() throws -> UInt64 {
        let deadline = Clock.now + UInt64(Self.limit) * 1_000_000_000
        while time.load(ordering: .acquiring) == 0 {
            if Clock.now > deadline { throw late }
        }
        return try wait()
    }

    private var late: MeasuringError { MeasuringError("a job did not begin within \(Self.limit) s") }
}
