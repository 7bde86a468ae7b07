/// How a display pass ended. Each pass that began ends in exactly one outcome, reported on the main actor.
public enum DisplayOutcome: Sendable, CustomStringConvertible {
    /// The layer shows what the pass drew: the new picture, or nothing for a layer without size or task. An
    /// interim picture was stale when it was shown, or is a draft (``AsyncLayer/draft``): a newer one will
    /// follow.
    case committed(isInterim: Bool)

    /// A newer request made the pass stale; it stopped at this stage and the old contents stayed.
    case superseded(DisplayStage)

    /// The layer was cancelled, suspended or deinitialized; the pass stopped at this stage.
    case cancelled(DisplayStage)

    /// A ``DisplayError``, or what the renderer or the draw closure threw. The old contents stayed.
    case failed(any Error)

    /// Such as "committed", "committed in the interim", "superseded while drawing", "failed: " and the error.
    public var description: String {
        switch self {
        case .committed(let isInterim): isInterim ? "committed in the interim" : "committed"
        case .failed(let error): "failed: \(error)"
        case .superseded(let stage), .cancelled(let stage): "\(name) while \(stage)"
        }
    }

    /// The outcome's kind, for dimensions of metrics: "committed", "superseded", "cancelled" or "failed".
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

    var isCommitted: Bool { if case .committed = self { true } else { false } }
}

/// Where a stale pass stopped, and so what it has cost.
public enum DisplayStage: CaseIterable, Hashable, Sendable {
    /// Before it started: nothing was drawn.
    case waiting
    /// While drawing, or between drawing and making the picture: the drawing was wasted.
    case drawing
    /// Before the commit: the picture was finished and never shown.
    case committing
}

/// Why a layer did not draw. Nothing was allocated for such a pass.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum DisplayError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bounds are not finite or are negative.
    case invalidSize(Size)

    /// The scale is not finite or is not above zero.
    case invalidScale(Double)

    /// The picture would be wider or higher than ``ContextDescription/pixelExtentLimit``, in pixels.
    case tooManyPixels(width: Double, height: Double)

    /// Drawing would take more bytes than ``AsyncLayer/contextByteLimit`` or the host's ``MemoryBudget``
    /// allows.
    case tooManyBytes(needed: Int, limit: Int)

    /// Parts of a ``Composition`` lie within each other more than 512 levels deep.
    case treeTooDeep(limit: Int)

    /// The host's pool was shut down, and dropped the draw while it waited.
    case poolDroppedDraw

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .invalidSize(let size):
            "a layer's size must be finite and not negative; it is \(size) points"
        case .invalidScale(let scale):
            "a layer's scale must be finite and above zero; it is \(scale)"
        case .tooManyPixels(let width, let height):
            "a picture of \(width) × \(height) pixels is beyond the limit of "
                + "\(ContextDescription.pixelExtentLimit) pixels a side"
        case .tooManyBytes(let needed, let limit):
            "the drawing would take \(needed) bytes; the limit of its layer and its host is \(limit)"
        case .treeTooDeep(let limit):
            "the parts of a composition may lie \(limit) levels deep; these lie deeper"
        case .poolDroppedDraw:
            "the host's pool was shut down, and dropped the draw while it waited"
        }
    }
}
