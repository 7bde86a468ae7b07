/// A cell on screen, whatever draws it. It asks for its first display when it is made.
@MainActor
protocol FeedCell<Picture>: AnyObject {
    associatedtype Picture

    /// What it shows; nil while it is empty.
    var picture: Picture? { get }

    /// Asks to be drawn anew, since what it shows is out of date.
    func setNeedsDisplay()
}

/// The kind of cells that a mode shows, for any painter.
protocol CellMaking: Sendable {
    /// Prepares what the cells of one run share, and gives what makes them.
    @MainActor
    func factory<Painter>(_ setting: CellSetting<Painter>) -> CellFactory<Painter>
}

/// What makes the cells of one run, with what they share.
struct CellFactory<Painter: CellPainter> {
    /// Makes a cell. The cell asks for an ``ObservedPass`` whenever it is about to begin one, and reports with
    /// it.
    typealias Make =
        @MainActor (_ layout: Painter.Layout, _ pass: @escaping @MainActor () -> ObservedPass) ->
        any FeedCell<Painter.Base.Contents>

    let make: Make
    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: (@MainActor () -> Int)?

    init(cachedBytes: (@MainActor () -> Int)? = nil, make: @escaping Make) {
        self.make = make
        self.cachedBytes = cachedBytes
    }
}

/// What all cells of a run have in common.
struct CellSetting<Painter: CellPainter>: Sendable {
    /// Pixels per point.
    let scale: Double
    let painter: Painter
    let renderer: MeteredRenderer<Painter.Base>
    /// How long drawing a cell takes at least.
    let drawCost: DrawCost
    /// How long drawing took.
    let drawTimes = DrawTimes()

    init(painter: Painter, scale: Double, drawCost: DrawCost) {
        self.painter = painter
        self.scale = scale
        self.drawCost = drawCost
        renderer = MeteredRenderer(painter.base, bytesInFlight: PeakGauge())
    }

    /// Draws a cell for a pass, on whatever thread it is called.
    func draw(
        _ layout: Painter.Layout, in context: Painter.Base.Context, for pass: ObservedPass,
        isCancelled: () -> Bool
    ) {
        pass.hasDrawn()
        let start = ProcessProbe.now
        painter.draw(layout, in: context, isCancelled: isCancelled)
        let isWhole = drawCost.waste(
            nanosecondsOf: layout.number, since: start, now: { ProcessProbe.now }, isCancelled: isCancelled)
        // What was cut short says nothing about the length of a draw.
        if isWhole { drawTimes.record(ProcessProbe.now - start) }
    }
}
