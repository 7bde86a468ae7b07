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
        case .superseded(let stage): "superseded while \(stage)"
        case .cancelled(let stage): "cancelled while \(stage)"
        case .failed(let error): "failed: \(error)"
        }
    }
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
