public import QueuePools

/// What one display pass was, reported once, when it has ended.
///
/// A pass goes through at most three stages, whose times are nil if it did not. ``DisplayMetrics`` adds
/// reports up, ``DisplayMetricsHandler`` forwards them.
public struct DisplayReport: Sendable, CustomStringConvertible {
    /// The pass's number: 1 for the first that its ``DisplayMetrics`` saw begin, never used twice there.
    public var pass: UInt64
    /// How the pass ended.
    public var outcome: DisplayOutcome
    /// Where the picture came from, or would have come from.
    public var source: DisplaySource
    /// The pool tier that the pass waited on when it ended or began to draw.
    public var qos: QoSTier
    /// True when the pass was drawn on the main actor, in the call that began it.
    public var isSynchronous: Bool
    /// How long the pass waited for its draw to start, for another layer's draw to finish, or until it ended
    /// before either. Nil for a pass that is drawn synchronously, cached, unchanged or empty.
    public var waitTime: Duration?
    /// How long the pass drew, from making the context to the finished picture or to where it stopped. Nil if
    /// it did not draw. A draw that several layers share is in the report of one of them, so that sums are
    /// right.
    public var drawTime: Duration?
    /// How long after its drawing the picture was shown or dropped. Nil without a picture.
    public var commitTime: Duration?

    /// Makes a report by hand, for tests of a ``DisplayMetricsHandler``.
    public init(
        pass: UInt64, outcome: DisplayOutcome, source: DisplaySource = .drawn, qos: QoSTier = .userInitiated,
        isSynchronous: Bool = false, waitTime: Duration? = nil,
        drawTime: Duration? = nil, commitTime: Duration? = nil
    ) {
        self.pass = pass
        self.outcome = outcome
        self.source = source
        self.qos = qos
        self.isSynchronous = isSynchronous
        self.waitTime = waitTime
        self.drawTime = drawTime
        self.commitTime = commitTime
    }

    /// True for a picture that a newer one will replace: it was stale when it was committed, or is a draft.
    public var isInterim: Bool { if case .committed(isInterim: true) = outcome { true } else { false } }

    /// True for a wasted drawing: the pass drew, and its layer never showed the picture. (If the task had a
    /// content key, a later pass may have found it in the cache.)
    public var isWasted: Bool { drawTime != nil && !outcome.isCommitted }

    /// Such as "pass 7: committed, drawn on utility, waited 2 ms, drew for 10 ms".
    public var description: String {
        var parts = ["pass \(pass): \(outcome)"]
        parts.append("\(source)\(isSynchronous ? " synchronously" : " on \(qos)")")
        if let waitTime { parts.append("waited \(waitTime.text)") }
        if let drawTime { parts.append("drew for \(drawTime.text)") }
        if let commitTime { parts.append("shown or dropped after \(commitTime.text)") }
        return parts.joined(separator: ", ")
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
        pass: UInt64, outcome: DisplayOutcome, source: DisplaySource, qos: QoSTier, isSynchronous: Bool,
        began: Duration, drawing: DrawTimes?, ended: Duration
    ) {
        self.init(
            pass: pass, outcome: outcome, source: source, qos: qos, isSynchronous: isSynchronous)
        if !isSynchronous, source == .drawn || source == .shared {
            waitTime = Self.time(from: began, to: drawing?.start ?? ended)
        }
        if let drawing {
            drawTime = Self.time(from: drawing.start, to: drawing.end)
            if outcome.isCommitted || outcome.stage == .committing {
                commitTime = Self.time(from: drawing.end, to: ended)
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
