import FeedKit

/// One line of the report's tables: a figure, what it means, and how it is read from a mode.
struct Figure: Sendable {
    /// At most 22 letters, so that six modes fit a terminal.
    let name: String
    /// A sentence for the report.
    let explanation: String
    /// The figure of a mode as text; a dash where it does not apply.
    let value: @Sendable (ModeResult) -> String

    init(_ name: String, _ explanation: String, value: @escaping @Sendable (ModeResult) -> String) {
        self.name = name
        self.explanation = explanation
        self.value = value
    }

    /// A figure that only modes with cells have.
    static func ofCells(
        _ name: String, _ explanation: String, value: @escaping @Sendable (ModeResult) -> String
    ) -> Figure {
        Figure(name, explanation) { $0.mode.showsCells ? value($0) : dash }
    }

    /// A figure of the passes of rows that were shown before.
    static func again(
        _ name: String, _ explanation: String, value: @escaping @Sendable (PassCounts) -> String
    ) -> Figure {
        ofCells(name, explanation) { $0.passesAgain.map(value) ?? dash }
    }

    static let dash = "–"
}

extension Figure {
    /// The figures of the modes that scroll, in the order in which they are shown.
    static let scroll: [Figure] =
        mainThread
        + [
            ofCells(
                "Cells shown empty", "The share of cells in view, over all frames, that had no picture yet."
            ) {
                Spelling.percent($0.emptyCellRatio)
            },
            ofCells("Cells shown as drafts", "The share of cells in view that showed a draft.") {
                Spelling.percent($0.draftCellRatio)
            },
            ofCells("Draw p50, ms", "Half of the draws that were not cut short took no longer.") {
                Spelling.text($0.drawMilliseconds.p50, digits: 2)
            },
            ofCells("Draw p99, ms", "99 of 100 draws that were not cut short took no longer.") {
                Spelling.text($0.drawMilliseconds.p99, digits: 2)
            },
        ]
        + passes
        + [
            again("Seen before: passes", "Passes of cells that had been shown before and have come back.") {
                "\($0.begun)"
            },
            again("Seen before: drawn", "Those of them that drew the cell again.") { "\($0.drawn)" },
            again(
                "Seen before: at once",
                "Those of them whose picture was there within the turn that asked for it."
            ) { "\($0.committedInSameTurn)" },
        ]
        + resources

    /// What the main thread and the screen had to bear.
    static let mainThread = [
        Figure("Frames", "How many frames there were.") { "\($0.frames)" },
        Figure(
            "Frames over budget", "Frames that were not ready at the tick at which they were due on screen."
        ) { "\($0.framesOverBudget)" },
        Figure(
            "Hitch time, ms/s",
            "By how much frames were shown later than they were due, per second. "
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
    ]

    /// What became of the passes.
    static let passes = [
        ofCells("Passes begun", "Drawings of a cell that were asked for.") { "\($0.passes.begun)" },
        ofCells("Passes committed", "Those whose picture was given to the cell.") {
            "\($0.passes.committed)"
        },
        ofCells(
            "Superseded, waiting", "Stopped for a newer pass before anything was drawn: this costs nothing."
        ) { "\($0.passes.superseded.waiting)" },
        ofCells(
            "Superseded, drawing",
            "Stopped for a newer pass after drawing had begun and before a picture was made."
        ) { "\($0.passes.superseded.drawing)" },
        ofCells(
            "Superseded, committing", "Stopped for a newer pass when the picture was made and not yet shown."
        ) { "\($0.passes.superseded.committing)" },
        ofCells("Passes cancelled", "Stopped because the cell had left the screen.") {
            "\($0.passes.cancelled)"
        },
        ofCells("Passes failed", "Ended in an error.") { "\($0.passes.failed)" },
        ofCells("Passes not reported", "Ended without a call to onEnd.") { "\($0.passes.unreported)" },
        ofCells("Passes drawn", "Those that drew the cell, wholly or in part.") { "\($0.passes.drawn)" },
        ofCells("Drawn, never shown", "The share of those of which no frame ever showed anything.") {
            Spelling.percent($0.drawnButNeverShownRatio)
        },
    ]

    /// What the whole process took.
    static let resources = [
        Figure("Peak threads", "The most threads the whole process had after any frame.") {
            $0.peakThreads.map(String.init) ?? dash
        },
        ofCells("Peak bytes in flight", "The most memory that pictures being drawn took at once.") {
            Spelling.bytes($0.peakBytesInFlight)
        },
        Figure("Cached bytes", "What the pictures took in the end that are kept for cells which come back.") {
            $0.cachedBytes.map(Spelling.bytes) ?? dash
        },
    ]
}

extension Figure {
    /// The figures of the modes that storm, in the order in which they are shown.
    static let storm: [Figure] =
        [
            ofStorm("Cells", "How many cells were invalidated in every frame: one per core.") {
                "\($0.cells)"
            },
            ofStorm("New pictures a second", "How often a cell showed something new, during the storm.") {
                Spelling.text($0.newPicturesPerSecond, digits: 1)
            },
            ofStorm("Longest without, ms", "The longest time for which a cell showed nothing new.") {
                Spelling.text($0.longestWithoutNewPictureMilliseconds, digits: 0)
            },
            ofCells("Draw p50, ms", "Half of the draws that were not cut short took no longer.") {
                Spelling.text($0.drawMilliseconds.p50, digits: 2)
            },
        ] + passes + mainThread + resources

    private static func ofStorm(
        _ name: String, _ explanation: String, value: @escaping @Sendable (StormFigures) -> String
    ) -> Figure {
        Figure(name, explanation) { $0.storm.map(value) ?? dash }
    }
}
