/// How a display pass of a cell ended, whatever drew it.
enum PassEnding: Hashable, Sendable {
    /// Its picture was given to the cell.
    case committed
    /// Stopped because a newer pass took over.
    case superseded(PassStage)
    /// Stopped because nobody wants a picture any more.
    case cancelled(PassStage)
    /// Met an error.
    case failed
}

/// How far a pass had come when it was stopped.
enum PassStage: String, CaseIterable, Sendable {
    /// Not started: nothing was drawn.
    case waiting
    /// Drawn, in part or in full, but not made into a picture.
    case drawing
    /// A finished picture that was not shown.
    case committing
}
