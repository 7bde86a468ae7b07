/// One line of the report's tables: a figure, what it means, and how it is read from a mode.
struct Figure: Sendable {
    let name: String
    /// A sentence for the report.
    let explanation: String
    /// The figure of a mode as text; a dash where it does not apply.
    let value: @Sendable (ModeResult) -> String

    /// All figures, in the order in which they are shown.
    static let all = [
        Figure("Frames", "How many frames were scrolled.") { "\($0.frames)" },
        Figure(
            "Frames over budget", "Frames that were not ready at the tick at which they were due on screen."
        ) { "\($0.framesOverBudget)" },
        Figure(
            "Hitch time, ms/s",
            "By how much frames were shown later than they were due, per second of scrolling. "
                + "Apple calls less than 5 good, more than 10 critical."
        ) { Spelling.text($0.hitchMillisecondsPerSecond, digits: 2) },
        Figure("Main thread p50, ms", "Half of the frames kept the main thread busy for no longer.") {
            Spelling.text($0.mainThreadMilliseconds.p50, digits: 3)
        },
        Figure("Main thread p99, ms", "99 of 100 frames kept the main thread busy for no longer.") {
            Spelling.text($0.mainThreadMilliseconds.p99, digits: 3)
        },
        Figure("Main thread max, ms", "The frame that kept the main thread busy for longest.") {
            Spelling.text($0.mainThreadMilliseconds.max, digits: 3)
        },
        passes("Passes begun", "Drawings of a cell that were asked for.") { "\($0.begun)" },
        passes("Passes committed", "Those whose picture was shown.") { "\($0.committed)" },
        passes(
            "Superseded, waiting", "Stopped for a newer pass before anything was drawn: this costs nothing."
        ) { "\($0.superseded.waiting)" },
        passes(
            "Superseded, drawing",
            "Stopped for a newer pass after drawing had begun and before a picture was made."
        ) { "\($0.superseded.drawing)" },
        passes(
            "Superseded, committing", "Stopped for a newer pass when the picture was made and not yet shown."
        ) {
            "\($0.superseded.committing)"
        },
        passes("Passes cancelled", "Stopped because the cell had left the screen.") { "\($0.cancelled)" },
        passes("Passes failed", "Ended in an error.") { "\($0.failed)" },
        Figure("Drawn, never shown", "The share of drawn passes whose picture nobody saw.") {
            $0.passes.begun > 0 ? Spelling.percent($0.drawnButNeverShownRatio) : "–"
        },
        Figure("Cells shown empty", "The share of cells in view, over all frames, that had no picture yet.") {
            $0.mode == .baseline ? "–" : Spelling.percent($0.emptyCellRatio)
        },
        Figure("Peak threads", "The most threads the whole process had after any frame.") {
            $0.peakThreads.map(String.init) ?? "–"
        },
        Figure("Peak bytes in flight", "The most memory that pictures being drawn took at once.") {
            $0.mode == .baseline ? "–" : Spelling.bytes($0.peakBytesInFlight)
        },
    ]

    private init(_ name: String, _ explanation: String, value: @escaping @Sendable (ModeResult) -> String) {
        self.name = name
        self.explanation = explanation
        self.value = value
    }

    private static func passes(
        _ name: String, _ explanation: String, value: @escaping @Sendable (PassCounts) -> String
    ) -> Figure {
        Figure(name, explanation) { $0.mode == .baseline ? "–" : value($0.passes) }
    }
}
