import AsyncLayers
import FeedKit
import Synchronization

/// Counts how the passes of all cells go, and which of their pictures a frame has shown.
@MainActor
final class PassCounters {
    private(set) var total = PassCounts()
    /// Of the passes of cells that show a row which an earlier cell has shown in full.
    private(set) var again = PassCounts()
    /// Frames that have ended.
    private(set) var frame = 0
    /// For each cell that was watched, in the order in which they were made: the frames that showed a
    /// new picture of it.
    private(set) var framesWithNewPicture: [[Int]] = []
    private var shownRows = Set<Int>()

    /// Begins to watch a new cell that is to show a row.
    func watchCell(row: Int) -> CellWatch {
        framesWithNewPicture.append([])
        return CellWatch(
            counters: self, row: row, index: framesWithNewPicture.count - 1,
            isAgain: shownRows.contains(row))
    }

    /// The turn of a frame is over.
    func endFrame() { frame += 1 }

    fileprivate func count(isAgain: Bool, _ change: (inout PassCounts) -> Void) {
        change(&total)
        if isAgain { change(&again) }
    }

    fileprivate func sawNewPicture(ofCell index: Int, row: Int, isDraft: Bool) {
        framesWithNewPicture[index].append(frame)
        if !isDraft { shownRows.insert(row) }
    }
}

/// One cell, and whether a frame has shown its newest picture.
@MainActor
final class CellWatch {
    private let counters: PassCounters
    private let row: Int
    private let index: Int
    /// Whether an earlier cell has shown this row.
    fileprivate let isAgain: Bool
    private var isGone = false
    private var unseen: ObservedPass?

    fileprivate init(counters: PassCounters, row: Int, index: Int, isAgain: Bool) {
        self.counters = counters
        self.row = row
        self.index = index
        self.isAgain = isAgain
    }

    /// A pass of the cell is about to begin.
    func makePass() -> ObservedPass { ObservedPass(counters: counters, watch: self) }

    /// A frame shows the cell as it is now.
    func frameShowsCell(isDraft: Bool = false) {
        guard unseen.take() != nil else { return }
        counters.sawNewPicture(ofCell: index, row: row, isDraft: isDraft)
    }

    /// The cell is no more; what it has not shown by now it never will.
    func cellIsGone() {
        isGone = true
        unseen.take()?.miss()
    }

    fileprivate func commit(_ pass: ObservedPass) {
        unseen.take()?.miss()
        if isGone { pass.miss() } else { unseen = pass }
    }
}

/// A pass as it reports to the counters.
final class ObservedPass: PassObserver {
    private let counters: PassCounters
    private let watch: CellWatch
    @MainActor private var beganInFrame: Int?
    private let drawing = Atomic<Bool>(false)

    @MainActor
    fileprivate init(counters: PassCounters, watch: CellWatch) {
        self.counters = counters
        self.watch = watch
    }

    /// The pass begins.
    @MainActor
    func begin() {
        beganInFrame = counters.frame
        counters.count(isAgain: watch.isAgain) { $0.begin() }
    }

    /// Its drawing begins, on any thread.
    func beginDrawing() { drawing.store(true, ordering: .relaxed) }

    /// The pass has ended.
    @MainActor
    func end(_ outcome: DisplayOutcome) { end(outcome, silently: false) }

    /// The pass has ended; `silently` if no other code is notified.
    @MainActor
    func end(_ outcome: DisplayOutcome, silently: Bool) {
        guard let beganInFrame else { return }
        counters.count(isAgain: watch.isAgain) {
            $0.end(outcome, hasDrawn: isDrawn, inSameTurn: beganInFrame == counters.frame)
            if silently { $0.endSilently() }
        }
        if case .committed = outcome { watch.commit(self) }
    }

    @MainActor
    fileprivate func miss() {
        counters.count(isAgain: watch.isAgain) { $0.miss(hasDrawn: isDrawn) }
    }

    /// Read when the pass has ended, which the thread that drew reports: so what that thread wrote is
    /// visible.
    private var isDrawn: Bool { drawing.load(ordering: .relaxed) }
}
