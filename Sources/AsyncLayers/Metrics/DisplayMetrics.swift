import QueuePools
import Synchronization

/// Counts the outcomes of display passes, and how long they take. Always on: each layer reports the beginning
/// and end of its passes to the metrics of its host.
///
///     let statistics = DisplayMetrics.shared.snapshot()
///     print(statistics.committed, "pictures,", statistics.wastedDraws, "draws wasted")
///
/// Recording takes neither a lock nor memory, and some tens of nanoseconds a pass. An instance takes about 6
/// KiB; make one for each group of layers that needs its own figures.
///
/// *Thread-safe.* Only the main actor records.
public final class DisplayMetrics: Sendable {
    /// The default of all hosts; it has no handlers.
    public static let shared = DisplayMetrics()

    /// Receives the intervals of a pass as they begin and end; nil costs one comparison.
    public let signposts: (any DisplaySignposts)?

    private let handlers: [any DisplayMetricsHandler]

    private let begun = MainActorCounter()
    private let committed = SourceCounters()
    private let interims = MainActorCounter()
    private let superseded = MainActorCounter()
    private let cancelled = MainActorCounter()
    private let failed = MainActorCounter()
    private let waitTimes = TimeHistogram()
    private let drawTimes = TimeHistogram()
    private let commitTimes = TimeHistogram()
    private let drawingNanoseconds = MainActorCounter()
    private let wastedNanoseconds = MainActorCounter()
    private let wastedDraws = MainActorCounter()

    /// Makes metrics that have counted nothing.
    ///
    /// - Parameters:
    ///   - handlers: receive each pass, in this order. Default: none.
    ///   - signposts: receives each interval. Default: none.
    public init(handlers: [any DisplayMetricsHandler] = [], signposts: (any DisplaySignposts)? = nil) {
        self.handlers = handlers
        self.signposts = signposts
    }

    /// Counts a beginning, and returns the pass's number.
    @MainActor
    package func passBegan() -> UInt64 {
        let pass = begun.add()
        for handler in handlers { handler.passBegan(pass) }
        return pass
    }

    /// Counts an end. Called once for each pass that began, after its `onEnd`; handlers may begin
    /// passes.
    ///
    /// The general before the special, as ``MainActorCounter`` requires: times before wasted draws, and
    /// all before the outcome, so that a reader of a pass's end also reads its times.
    @MainActor
    package func passEnded(_ report: DisplayReport) {
        if let time = report.waitTime { waitTimes.record(nanoseconds: time.clampedNanoseconds) }
        if let time = report.commitTime { commitTimes.record(nanoseconds: time.clampedNanoseconds) }
        if let time = report.drawTime {
            let nanoseconds = time.clampedNanoseconds
            drawTimes.record(nanoseconds: nanoseconds)
            drawingNanoseconds.add(nanoseconds)
            if report.isWasted {
                wastedNanoseconds.add(nanoseconds)
                wastedDraws.add()
            }
        }
        switch report.outcome {
        case .committed:
            committed.add(report.source)
            if report.isInterim { interims.add() }
        case .superseded: superseded.add()
        case .cancelled: cancelled.add()
        case .failed: failed.add()
        }
        for handler in handlers { handler.passEnded(report) }
    }

    /// What was counted so far. Reads some 800 numbers: call it once a second, not once a pass.
    public func snapshot() -> DisplayStatistics {
        var statistics = DisplayStatistics()
        // The special before the general, and beginnings last.
        statistics.interims = interims.count
        statistics.sources = committed.counts
        statistics.committed = statistics.sources.values.reduce(0, +)
        statistics.superseded = superseded.count
        statistics.cancelled = cancelled.count
        statistics.failed = failed.count
        statistics.wastedDraws = wastedDraws.count
        statistics.wastedDrawTime = Duration(clampedNanoseconds: wastedNanoseconds.value)
        statistics.drawTime = Duration(clampedNanoseconds: drawingNanoseconds.value)
        statistics.drawTimes = drawTimes.snapshot()
        statistics.waitTimes = waitTimes.snapshot()
        statistics.commitTimes = commitTimes.snapshot()
        statistics.begun = begun.count
        return statistics
    }
}

private struct SourceCounters: ~Copyable, Sendable {
    private let drawn = MainActorCounter()
    private let shared = MainActorCounter()
    private let cached = MainActorCounter()
    private let unchanged = MainActorCounter()
    private let empty = MainActorCounter()

    @MainActor
    func add(_ source: DisplaySource) {
        switch source {
        case .drawn: drawn.add()
        case .shared: shared.add()
        case .cached: cached.add()
        case .unchanged: unchanged.add()
        case .empty: empty.add()
        }
    }

    /// Those that are not zero.
    var counts: [DisplaySource: Int] {
        let counts: [DisplaySource: Int] = [
            .drawn: drawn.count, .shared: shared.count, .cached: cached.count, .unchanged: unchanged.count,
            .empty: empty.count,
        ]
        return counts.filter { $0.value > 0 }
    }
}

extension Duration {
    private static let attosecondsPerNanosecond: UInt64 = 1_000_000_000

    /// Whole nanoseconds; 0 for negative times, and the largest number for those above 584 years.
    fileprivate var clampedNanoseconds: UInt64 {
        // Times below 18 seconds fit one word, which is divided by a multiplication.
        if let attoseconds = UInt64(exactly: attoseconds) {
            return attoseconds / Self.attosecondsPerNanosecond
        }
        return UInt64(clamping: attoseconds / Int128(Self.attosecondsPerNanosecond))
    }

    /// No overflow: 2⁶⁴ nanoseconds are far fewer attoseconds than an `Int128` holds.
    fileprivate init(clampedNanoseconds nanoseconds: UInt64) {
        self.init(attoseconds: Int128(nanoseconds) * Int128(Self.attosecondsPerNanosecond))
    }
}

/// Forwards display metrics to a metrics backend, a log, a test.
///
///     final class SlowDraws: DisplayMetricsHandler {
///         func passEnded(_ report: DisplayReport) {
///             if let time = report.drawTime, time > .milliseconds(16) { print(report) }
///         }
///     }
///     let metrics = DisplayMetrics(handlers: [SlowDraws()])
///
/// Called on the main actor, at the beginning and end of each pass: it must not block, wait or do input and
/// output, but raise counters, or pass the report to a queue. It may display layers.
/// `Docs/Examples/SwiftMetrics` forwards to swift-metrics.
public protocol DisplayMetricsHandler: Sendable {
    /// A pass begins. Does nothing by default.
    @MainActor
    func passBegan(_ pass: UInt64)

    /// A pass has ended, after its `onEnd`. Called exactly once for each pass that began.
    @MainActor
    func passEnded(_ report: DisplayReport)
}

extension DisplayMetricsHandler {
    /// Does nothing.
    @MainActor
    public func passBegan(_ pass: UInt64) {}
}

/// A counter that only the main actor raises, and that any thread may read.
///
/// With one writer, a load and a store suffice where others need a locked instruction, and the sum can stop
/// at the largest number instead of wrapping.
///
/// **Ordering.** A store releases and a load acquires: a thread that reads a value also sees every counter's
/// value at the time of that store. So when the general is raised before the special, and the special is read
/// before the general, no reader finds more of the special. On x86 these are plain moves.
struct MainActorCounter: ~Copyable, Sendable {
    private let storage = Atomic<UInt64>(0)

    /// Raises the number, and returns the new one.
    @MainActor @discardableResult
    func add(_ amount: UInt64 = 1) -> UInt64 {
        let (sum, overflow) = storage.load(ordering: .relaxed).addingReportingOverflow(amount)
        let value = overflow ? .max : sum
        storage.store(value, ordering: .releasing)
        return value
    }

    var value: UInt64 { storage.load(ordering: .acquiring) }

    /// The number as a count; no program reaches `Int.max`.
    var count: Int { Int(clamping: value) }
}
