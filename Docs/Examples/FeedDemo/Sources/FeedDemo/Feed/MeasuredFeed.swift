import AsyncLayers
import FeedKit
import ScrollScheduling

/// A feed whose passes are counted: makes cells as they scroll into view, and drops them as they leave. With
/// prefetching it makes them before, and keeps them for a while.
@MainActor
final class MeasuredFeed<Painter: FeedPainter> {
    private struct Row {
        let cell: any FeedCell<Painter.Base.Contents>
        let watch: CellWatch
    }

    let counters = PassCounters()
    let painter: MeteredPainter<Painter>
    private(set) var window: FeedWindow

    /// Which rows are drawn ahead, and kept behind; nil for those in view only.
    private var ranges: ScrollRanges?
    private let layouts: [Painter.Layout]
    private let viewport: Size
    private let scale: Double
    private let factory: CellFactory<Painter>?
    private var rows: [Int: Row] = [:]

    /// - Parameter mode: decides which cells show the rows, if any.
    init(
        painter: Painter, layouts: [Painter.Layout], viewport: Size, scale: Double, mode: FeedMode,
        drawCost: DrawCost = .none
    ) {
        self.layouts = layouts
        self.viewport = viewport
        self.scale = scale
        let metered = MeteredPainter(painter, drawCost: drawCost, scale: scale)
        self.painter = metered
        ranges = mode.rows == .prefetched ? ScrollRanges(options: .feed) : nil
        factory = mode.cells.map { cells in
            // A draft has a sixteenth of the pixels.
            CellFactory(
                cells, painter: metered, scale: scale, draft: mode.rows == .prefetched ? 0.25 : 0)
        }
        window = FeedWindow(
            column: CellColumn(heights: layouts.map(\.size.height)), height: viewport.height,
            filter: mode.rows == .filtered ? ScrollFilter.Options() : nil)
    }

    /// What the cells in view show; none is empty where no cells are shown.
    var cellsInView: CellCounts {
        var counts = CellCounts(visible: window.visibleRows.count)
        guard factory != nil else { return counts }
        for index in window.visibleRows {
            let cell = rows[index]?.cell
            if cell?.picture == nil { counts.empty += 1 }
            if cell?.showsDraft == true { counts.drafts += 1 }
        }
        return counts
    }

    /// True when every pass has ended, and no draft waits for its picture in full.
    var isAtRest: Bool {
        counters.total.unfinished == 0 && rows.values.allSatisfy { !$0.cell.showsDraft }
    }

    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: Int? { factory?.cachedBytes }

    /// Moves the window. New cells request their display, which comes at the end of this turn of the run
    /// loop.
    ///
    /// - Parameters:
    ///   - speed: in points a second, towards the end.
    ///   - events: what happened before the window came there.
    func scroll(to offset: Double, speed: Double = 0, after events: [ScrollEvent] = []) {
        window.scroll(to: offset, after: events)
        let visible = window.visibleRows
        let rowHeight = window.height / Double(max(visible.count, 1))
        ranges?.update(visible: visible, rowCount: layouts.count, velocity: speed / rowHeight)
        for (index, row) in rows where !visible.contains(index) {
            // A row that has passed without its picture is not drawn after the event.
            if ranges?.keeps(index) == true, !row.cell.isWaiting || isPrefetched(index) {
                row.cell.leaveView()
            } else {
                drop(row, at: index)
            }
        }
        // Wanted rows that are not in view are not drawn ahead: if a touch stops the scroll on its way,
        // drawing them was wasted.
        for index in visible where window.wantedRows.contains(index) { show(index, isInView: true) }
        // A feed at rest first shows what is in view, as when it appears.
        if speed != 0 || cellsInView.empty == 0 { prefetch() }
    }

    /// How many cells wait for their first picture at a time. What comes after them is requested when it is
    /// known whether there is time to draw it in full.
    private static var waitingLimit: Int { 8 }

    private func prefetch() {
        guard let ranges else { return }
        var waiting = rows.values.count { $0.cell.picture == nil }
        for index in ranges.prefetchRows where rows[index] == nil && waiting < Self.waitingLimit {
            show(index, isInView: false)
            waiting += 1
        }
    }

    private func isPrefetched(_ index: Int) -> Bool {
        ranges?.prefetchRows.contains(index) ?? false
    }

    private func show(_ index: Int, isInView: Bool) {
        if let row = rows[index] {
            if isInView { row.cell.comeIntoView() }
        } else if let factory {
            let watch = counters.watchCell(row: index)
            let cell = factory.make(layouts[index], isInView: isInView, watch.makePass)
            rows[index] = Row(cell: cell, watch: watch)
        }
    }

    private func drop(_ row: Row, at index: Int) {
        row.watch.cellIsGone()
        rows[index] = nil
    }

    /// Makes what is in view out of date, all of it.
    func invalidate() {
        for row in rows.values { row.cell.setNeedsDisplay() }
    }

    /// A frame shows what is in view now, and its turn is over.
    func frameEnded() {
        for index in window.visibleRows {
            guard let row = rows[index] else { continue }
            row.watch.frameShowsCell(isDraft: row.cell.showsDraft)
        }
        counters.endFrame()
    }

    /// There are no more frames: what was drawn ahead is never shown.
    func close() {
        let visible = window.visibleRows
        for (index, row) in rows where !visible.contains(index) { drop(row, at: index) }
    }

    /// What the window shows now.
    var shot: Shot {
        Shot(
            pictures: window.visibleRows.compactMap { index in
                guard let picture = rows[index]?.cell.picture else { return nil }
                return (picture, window.column.top(of: index) - window.offset)
            })
    }

    /// The pictures in a window, each with its top in points, to be drawn later.
    struct Shot {
        fileprivate let pictures: [(picture: Painter.Base.Contents, top: Double)]
    }

    /// What the window showed.
    func screenshot(of shot: Shot) throws -> Screenshot {
        let renderer = painter.painter.base
        let screen = try renderer.makeContext(
            ContextDescription(
                pixelWidth: Int(viewport.width * scale), pixelHeight: Int(viewport.height * scale),
                scale: scale,
                isOpaque: true))
        renderer.fill(screen, with: CellGeometry.pageColor)
        for (picture, top) in shot.pictures {
            // Moved by whole pixels, a picture is copied exactly.
            let y = (top * scale).rounded() / scale
            try renderer.draw(
                picture, into: screen, placed: ContentsPlacement(transform: .translation(x: 0, y: y)))
        }
        return Painter.screenshot(of: try renderer.makeContents(from: screen))
    }
}

extension ScrollRanges.Options {
    /// At high speed farther ahead than by default: a tap that scrolls to the top passes a screenful in a
    /// frame or two.
    fileprivate static var feed: Self {
        var feed = Self()
        feed.keepAhead = .screenfuls(6)
        return feed
    }
}
