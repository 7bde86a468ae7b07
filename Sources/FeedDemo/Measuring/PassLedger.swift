import Synchronization

/// Counts how the passes of all cells go, and which of their pictures a frame has shown.
@MainActor
final class PassLedger {
    /// The part of the way on which a pass began.
    enum Leg {
        case outward
        /// Over cells that were all seen before.
        case again
    }

    private(set) var total = PassCounts()
    /// Of the passes that began on the leg ``Leg/again``.
    private(set) var again = PassCounts()
    /// Passes that begin from now on belong to it.
    var leg = Leg.outward
    /// Frames that have ended.
    private(set) var frame = 0
    /// For each cell that was watched, in the order in which they were first in view: the frames that showed a
    /// new picture of it.
    private(set) var framesWithNewPicture: [[Int]] = []

    /// Begins to watch a cell that comes into view.
    func watchCell() -> CellWatch {
        framesWithNewPicture.append([])
        return CellWatch(ledger: self, index: framesWithNewPicture.count - 1)
    }

    /// The turn of a frame is over.
    func endFrame() { frame += 1 }

    fileprivate func count(on leg: Leg, _ change: (inout PassCounts) -> Void) {
        change(&total)
        if leg == .again { change(&again) }
    }

    fileprivate func sawNewPicture(of cell: Int) {
        framesWithNewPicture[cell].append(frame)
    }
}

/// One cell in view, and whether a frame has shown its newest picture.
@MainActor
final class CellWatch {
    private let ledger: PassLedger
    private let index: Int
    private var isInView = true
    private var unseen: ObservedPass?

    fileprivate init(ledger: PassLedger, index: Int) {
        self.ledger = ledger
        self.index = index
    }

    /// A pass of the cell is about to begin.
    func makePass() -> ObservedPass { ObservedPass(ledger: ledger, watch: self) }

    /// A frame shows the cell as it is now.
    func frameShowsCell() {
        guard unseen.take() != nil else { return }
        ledger.sawNewPicture(of: index)
    }

    /// The cell leaves the screen; what it has not shown by now it never will.
    func leaveView() {
        isInView = false
        unseen.take()?.miss()
    }

    fileprivate func commit(_ pass: ObservedPass) {
        unseen.take()?.miss()
        if isInView { unseen = pass } else { pass.miss() }
    }
}

/// A pass as it tells the ledger of itself.
final class ObservedPass: Sendable {
    private struct Start { let leg: PassLedger.Leg, frame: Int }

    private let ledger: PassLedger
    private let watch: CellWatch
    @MainActor private var start: Start?
    private let drawing = Atomic<Bool>(false)

    @MainActor
    fileprivate init(ledger: PassLedger, watch: CellWatch) {
        self.ledger = ledger
        self.watch = watch
    }

    /// The pass begins.
    @MainActor
    func begin() {
        start = Start(leg: ledger.leg, frame: ledger.frame)
        ledger.count(on: ledger.leg) { $0.begin() }
    }

    /// Its drawing begins, on any thread.
    func hasDrawn() { drawing.store(true, ordering: .relaxed) }

    /// The pass has ended; `silently` when nobody else is told.
    @MainActor
    func end(_ ending: PassEnding, silently: Bool = false) {
        guard let start else { return }
        ledger.count(on: start.leg) {
            $0.end(ending, hasDrawn: isDrawn, inSameTurn: start.frame == ledger.frame)
            if silently { $0.endSilently() }
        }
        if ending == .committed { watch.commit(self) }
    }

    @MainActor
    fileprivate func miss() {
        ledger.count(on: start?.leg ?? .outward) { $0.miss(hasDrawn: isDrawn) }
    }

    /// Whoever asks was told of the pass's end by the thread that drew, so it sees what that thread wrote.
    private var isDrawn: Bool { drawing.load(ordering: .relaxed) }
}
