public import QueuePools

/// What one display pass was, reported once, when it has ended.
///
/// A pass goes through at most three stages, whose times are nil if it did not. ``DisplayMetrics`` adds
/// reports up, ``DisplayMetricsHandler`` forwards them.
public struct DisplayReport: Hashable, Sendable, CustomStringConvertible {
    /// The pass's number: 1 for the first that its ``DisplayMetrics`` saw begin, never used twice there.
    public var pass: UInt64
    /// How the pass ended.
    public var outcome: Outcome
    /// Where the picture came from, or would have come from.
    public var source: DisplaySource
    /// The pool tier that the pass waited on when it ended or began to draw.
    public var tier: QoSTier
    /// True for a picture that a newer one will replace: it was stale when it was committed, or is a draft.
    public var isInterim: Bool
    /// True when the pass was drawn on the main actor, in the call that began it.
    public var isSynchronous: Bool
    /// How long the pass waited for its draw to start, for another layer's draw to finish, or until it ended
    /// before either. Nil for a pass that is drawn synchronously, cached, unchanged or empty.
    public var waitingTime: Duration?
    /// How long the pass drew, from making the context to the finished picture or to where it stopped. Nil if
    /// it did not draw. A draw that several layers share is in the report of one of them, so that sums are
    /// right.
    public var drawingTime: Duration?
    /// How long after its drawing the picture was shown or dropped. Nil without a picture.
    public var committingTime: Duration?

    /// Makes a report by hand, for tests of a ``DisplayMetricsHandler``.
    public init(
        pass: UInt64, outcome: Outcome, source: DisplaySource = .drawn, tier: QoSTier = .userInitiated,
        isInterim: Bool = false, isSynchronous: Bool = false, waitingTime: Duration? = nil,
        drawingTime: Duration? = nil, committingTime: Duration? = nil
    ) {
        self.pass = pass
        self.outcome = outcome
        self.source = source
        self.tier = tier
        self.isInterim = isInterim
        self.isSynchronous = isSynchronous
        self.waitingTime = waitingTime
        self.drawingTime = drawingTime
        self.committingTime = committingTime
    }

    /// True for a wasted drawing: the pass drew, and its layer never showed the picture. (If the task had a
    /// content key, a later pass may have found it in the cache.)
    public var isWasted: Bool { drawingTime != nil && outcome != .committed }

    /// Such as "pass 7: committed, drawn on utility, waited 2 ms, drew for 10 ms".
    public var description: String {
        var parts = ["pass \(pass): \(outcome)\(isInterim ? " in the interim" : "")"]
        parts.append("\(source)\(isSynchronous ? " synchronously" : " on \(tier)")")
        if let waitingTime { parts.append("waited \(waitingTime.text)") }
        if let drawingTime { parts.append("drew for \(drawingTime.text)") }
        if let committingTime { parts.append("shown or dropped after \(committingTime.text)") }
        return parts.joined(separator: ", ")
    }

    /// A ``DisplayOutcome`` without its error, so that outcomes can be compared, counted and used as keys.
    public enum Outcome: Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The layer shows the pass's picture, or nothing for a layer without size or task.
        case committed
        /// A newer request made the pass stale; it stopped at this stage.
        case superseded(DisplayStage)
        /// The layer was cancelled, suspended or deinitialized; the pass stopped at this stage.
        case cancelled(DisplayStage)
        /// The pass met an error.
        case failed

        /// The kind of an outcome.
        public init(_ outcome: DisplayOutcome) {
            switch outcome {
            case .committed: self = .committed
            case .superseded(let stage): self = .superseded(stage)
            case .cancelled(let stage): self = .cancelled(stage)
            case .failed: self = .failed
            }
        }

        /// The eight outcomes there are.
        public static let allCases: [Outcome] =
            [.committed] + DisplayStage.allCases.map { .superseded($0) }
            + DisplayStage.allCases.map { .cancelled($0) } + [.failed]

        /// The outcome's name without its stage: "committed", "superseded", "cancelled" or "failed".
        public var name: String {
            switch self {
            case .committed: "committed"
            case .superseded: "superseded"
            case .cancelled: "cancelled"
            case .failed: "failed"
            }
        }

        /// Where a stale pass stopped; nil for the others.
        public var stage: DisplayStage? {
            switch self {
            case .superseded(let stage), .cancelled(let stage): stage
            case .committed, .failed: nil
            }
        }

        /// The outcome in words, such as "superseded while drawing".
        public var description: String { stage.map { "\(name) while \($0)" } ?? name }
    }
}

/// Where a pass's picture came from.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DisplaySource: CaseIterable, Hashable, Sendable {
    /// Drawn by this pass.
    case drawn
    /// Drawn for another layer at the same time: both share the one picture.
    case shared
    /// Found in the cache of contents.
    case cached
    /// Equal to what the layer shows: nothing was drawn.
    case unchanged
    /// The layer has no size, no task or nothing to draw, and shows nothing.
    case empty
}

/// When a draw began and ended on its thread.
struct DrawTimes: Sendable {
    let start: Duration
    let end: Duration
}

extension DisplayReport {
    /// Makes a report from a pass's times on the host's clock. One that goes backwards makes times of zero.
    ///
    /// - Parameter drawing: from making the context to the finished picture, or to where the draw stopped or
    ///   failed; nil if the pass did not draw.
    init(
        pass: UInt64, outcome: DisplayOutcome, source: DisplaySource, tier: QoSTier, isSynchronous: Bool,
        began: Duration, drawing: DrawTimes?, ended: Duration
    ) {
        self.init(
            pass: pass, outcome: Outcome(outcome), source: source, tier: tier, isSynchronous: isSynchronous)
        if case .committed(isInterim: true) = outcome { isInterim = true }
        if !isSynchronous, source == .drawn || source == .shared {
            waitingTime = Self.time(from: began, to: drawing?.start ?? ended)
        }
        if let drawing {
            drawingTime = Self.time(from: drawing.start, to: drawing.end)
            if self.outcome == .committed || self.outcome.stage == .committing {
                committingTime = Self.time(from: drawing.end, to: ended)
            }
        }
    }

    /// Not `end - start`, which traps where the difference of a hostile clock's times overflows.
    private static func time(from start: Duration, to end: Duration) -> Duration {
        guard end.attoseconds > start.attoseconds else { return .zero }
        let (attoseconds, overflow) = end.attoseconds.subtractingReportingOverflow(start.attoseconds)
        return Duration(attoseconds: overflow ? .max : attoseconds)
    }
}
