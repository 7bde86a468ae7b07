import AsyncLayers

/// How the passes of the cells went. Every pass that began ends in exactly one of committed, superseded,
/// cancelled and failed; the others count some of these once more.
struct PassCounts: Codable, Equatable, Sendable {
    /// Passes by the stage at which they were stopped.
    struct ByStage: Codable, Equatable, Sendable {
        var waiting = 0
        var drawing = 0
        var committing = 0

        /// Passes stopped at any stage.
        var total: Int { waiting + drawing + committing }

        fileprivate mutating func count(_ stage: DisplayStage) {
            switch stage {
            case .waiting: waiting += 1
            case .drawing: drawing += 1
            case .committing: committing += 1
            }
        }
    }

    private(set) var begun = 0
    private(set) var committed = 0
    /// Those of ``committed`` whose picture was there by the end of the turn in which they began.
    private(set) var committedInSameTurn = 0
    /// Stopped because a newer pass took over.
    private(set) var superseded = ByStage()
    /// Stopped because no picture is wanted any more.
    private(set) var cancelled = 0
    private(set) var failed = 0
    /// Ended without a call.
    private(set) var unreported = 0
    /// Those that drew, wholly or in part.
    private(set) var drawn = 0
    /// Those of ``drawn`` of which no frame ever showed anything.
    private(set) var drawnButNeverShown = 0

    /// Counts a pass that begins.
    mutating func begin() { begun += 1 }

    /// Counts the end of a pass.
    ///
    /// - Parameters:
    ///   - hasDrawn: whether its drawing had begun.
    ///   - inSameTurn: whether it had begun in this same turn of the run loop.
    mutating func end(_ outcome: DisplayOutcome, hasDrawn: Bool, inSameTurn: Bool = false) {
        if hasDrawn { drawn += 1 }
        switch outcome {
        case .committed:
            committed += 1
            if inSameTurn { committedInSameTurn += 1 }
            // The next frames decide whether it is ever seen.
            return
        case .superseded(let stage): superseded.count(stage)
        case .cancelled: cancelled += 1
        case .failed: failed += 1
        }
        if hasDrawn { drawnButNeverShown += 1 }
    }

    /// Counts a committed pass whose picture was replaced, or left the screen, before a frame showed it.
    mutating func miss(hasDrawn: Bool) {
        if hasDrawn { drawnButNeverShown += 1 }
    }

    /// Counts a pass that ends without a call; its end is counted as well.
    mutating func endSilently() { unreported += 1 }

    /// Passes that have not ended yet.
    var unfinished: Int { begun - committed - superseded.total - cancelled - failed }

    /// The share of drawn passes of which nothing was ever shown: 0…1; 0 when nothing was drawn.
    var drawnButNeverShownRatio: Double {
        drawn > 0 ? Double(drawnButNeverShown) / Double(drawn) : 0
    }
}
