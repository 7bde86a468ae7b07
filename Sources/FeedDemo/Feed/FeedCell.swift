import BitmapRendering

/// A cell on screen, whatever draws it. It asks for its first display when it is made.
@MainActor
protocol FeedCell: AnyObject {
    /// What it shows; nil while it is empty.
    var picture: Bitmap? { get }

    /// Asks to be drawn anew, since what it shows is out of date.
    func setNeedsDisplay()
}

/// Makes a cell. The cell asks for an ``ObservedPass`` whenever it is about to begin one, and reports with it.
typealias CellMaker =
    @MainActor (_ layout: CellLayout, _ pass: @escaping @MainActor () -> ObservedPass) -> any FeedCell

/// What makes the cells of one run, with what they share.
struct CellFactory {
    let make: CellMaker
    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: (@MainActor () -> Int)?

    init(cachedBytes: (@MainActor () -> Int)? = nil, make: @escaping CellMaker) {
        self.make = make
        self.cachedBytes = cachedBytes
    }
}

/// What all cells of a run have in common.
struct CellSetting: Sendable {
    /// Pixels per point.
    let scale: Double
    let renderer: MeteredRenderer
    /// How long drawing a cell takes at least.
    let drawCost: DrawCost
    /// How long drawing took.
    let drawTimes: DrawTimes

    /// Draws a cell for a pass, on whatever thread it is called.
    func draw(
        _ layout: CellLayout, in context: MeteredRenderer.Context, for pass: ObservedPass,
        isCancelled: () -> Bool
    ) {
        pass.hasDrawn()
        let start = ProcessProbe.now
        layout.draw(in: context.bitmap, isCancelled: isCancelled)
        let isWhole = drawCost.waste(
            nanosecondsOf: layout.number, since: start, now: { ProcessProbe.now }, isCancelled: isCancelled)
        // What was cut short says nothing about the length of a draw.
        if isWhole { drawTimes.record(ProcessProbe.now - start) }
    }
}
