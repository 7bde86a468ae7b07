/// How the passes of the layers went. Every pass that began ends in exactly one of the others.
struct PassCounts: Codable, Equatable, Sendable {
    /// How far a pass had come when it was stopped.
    enum Stage: String, Codable, CaseIterable, Sendable {
        /// Not started: nothing was drawn.
        case waiting
        /// Drawn, in part or in full, but not made into a picture.
        case drawing
        /// A finished picture that was not shown.
        case committing
    }

    /// Passes by the stage at which they were stopped.
    struct ByStage: Codable, Equatable, Sendable {
        var waiting = 0
        var drawing = 0
        var committing = 0

        /// Passes stopped at any stage.
        var total: Int { waiting + drawing + committing }

        fileprivate mutating func count(_ stage: Stage) {
            switch stage {
            case .waiting: waiting += 1
            case .drawing: drawing += 1
            case .committing: committing += 1
            }
        }
    }

    private(set) var begun = 0
    private(set) var committed = 0
    /// Stopped because a newer pass took over.
    private(set) var superseded = ByStage()
    /// Stopped because nobody wants a picture any more.
    private(set) var cancelled = 0
    /// Those of ``cancelled`` that had drawn.
    private(set) var cancelledAfterDrawing = 0
    private(set) var failed = 0

    /// Counts a pass that begins.
    mutating func begin() { begun += 1 }
    /// Counts a pass that is shown.
    mutating func commit() { committed += 1 }
    /// Counts a pass that a newer one took over.
    mutating func supersede(at stage: Stage) { superseded.count(stage) }
    /// Counts a pass that is not wanted any more.
    mutating func cancel(at stage: Stage) {
        cancelled += 1
        if stage != .waiting { cancelledAfterDrawing += 1 }
    }
    /// Counts a pass that ended in an error.
    mutating func fail() { failed += 1 }

    /// Passes that have not ended yet.
    var unfinished: Int { begun - committed - superseded.total - cancelled - failed }

    /// The share of drawn passes that were never shown: those stopped after they drew, out of them and the
    /// committed ones. 0…1; 0 when nothing was drawn.
    var drawnButNeverShownRatio: Double {
        let wasted = superseded.drawing + superseded.committing + cancelledAfterDrawing
        let drawn = committed + wasted
        return drawn > 0 ? Double(wasted) / Double(drawn) : 0
    }
}
