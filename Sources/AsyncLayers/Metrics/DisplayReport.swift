public import QueuePools

/// What one display pass was, told once, when it has ended.
///
/// A pass goes through at most three stages, one after the other, and each has its time here; those that it
/// did not go through have none. ``DisplayMetrics`` adds reports up, ``DisplayMetricsHandler`` forwards them.
public struct DisplayReport: Hashable, Sendable {
    /// The pass's number: 1 for the first that its ``DisplayMetrics`` saw begin, never used twice there.
    public var pass: UInt64

    /// How the pass ended.
    public var outcome: Outcome

    /// Where the picture came from, or was to come from had the pass not ended before.
    public var source: DisplaySource

    /// The pool tier that the pass waited on when it ended or began to draw.
    public var tier: QoSTier

    /// True for a picture that was already stale when it was committed, so that a layer that is invalidated
    /// all the time shows something new now and then.
    public var isInterim: Bool

    /// True when the pass was drawn on the main actor while its caller waited.
    public var isSynchronous: Bool

    /// How long the pass waited for its draw to start, or for another layer's draw to finish, or until it
    /// ended before either. Nil for a pass that waits for nothing: drawn synchronously, cached, unchanged or
    /// empty.
    public var waitingTime: Duration?

    /// How long the pass drew, from making the context to the finished picture or to where it stopped. Nil if
    /// it did not draw. A draw that several layers share is in the report of one of them, so that sums are
    /// right.
    public var drawingTime: Duration?

    /// How long the picture that the pass drew took to the screen, or to being dropped. Nil without a picture.
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

    /// True for a draw in vain: the pass drew, and its layer never showed the picture. (If the task had a
    /// content key, a later pass may have found it in the cache.)
    public var isWasted: Bool { drawingTime != nil && outcome != .committed }

    /// A ``DisplayOutcome`` without its error, so that outcomes can be compared, counted and used as keys.
    public enum Outcome: Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The layer shows the pass's picture, or nothing for a layer without size or task.
        case committed
        /// A newer request made the pass stale; it stopped at this stage.
        case superseded(DisplayStage)
        /// The layer was told to stop displaying, or is gone; the pass stopped at this stage.
        case cancelled(DisplayStage)
        /// Something was wrong.
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
