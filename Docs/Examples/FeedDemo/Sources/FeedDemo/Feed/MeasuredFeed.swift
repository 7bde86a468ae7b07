import AsyncLayers
import ScrollScheduling
import FeedKit

/// A feed whose passes are counted: makes cells as they scroll into view, and drops them as they leave.
@MainActor
final class MeasuredFeed<Painter: FeedPainter> {
    private struct Row {
        let cell: any FeedCell<Painter.Base.Contents>
        let watch: CellWatch
    }

    let ledger = PassLedger()
    let painter: MeteredPainter<Painter>
    private(set) var window: FeedWindow

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
        let metered = MeteredPainter(painter, drawCost: drawCost)
        self.painter = metered
        factory = mode.cells.map { CellFactory($0, painter: metered, scale: scale) }
        window = FeedWindow(
            column: CellColumn(heights: layouts.map(\.size.height)), height: viewport.height,
            filter: mode.rows == .filtered ? ScrollFilter.Configuration() : nil)
    }

    /// Cells in view that have no picture yet; none where no cells are shown.
    var emptyCellCount: Int {
        factory == nil ? 0 : window.visibleRows.count - rows.values.count { $0.cell.picture != nil }
    }

    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: Int? { factory?.cachedBytes }

    /// Moves the window. New cells request their display, which comes at the end of this turn of the run loop.
    ///
    /// - Parameter events: what happened before the window came there.
    func scroll(to offset: Double, after events: [ScrollEvent] = []) {
        window.scroll(to: offset, after: events)
        guard let factory else { return }
        let visible = window.visibleRows
        for (index, row) in rows where !visible.contains(index) {
            row.watch.leaveView()
            rows[index] = nil
        }
        // Wanted rows that are not in view are not drawn ahead: if a touch stops the scroll on its way, drawing
        // them was wasted.
        for index in visible where rows[index] == nil && window.wantedRows.contains(index) {
            let watch = ledger.watchCell(row: index)
            rows[index] = Row(cell: factory.make(layouts[index], watch.makePass), watch: watch)
        }
    }

    /// Makes what is in view out of date, all of it.
    func invalidate() {
        for row in rows.values { row.cell.setNeedsDisplay() }
    }

    /// A frame shows what is in view now, and its turn is over.
    func frameEnded() {
        for row in rows.values { row.watch.frameShowsCell() }
        ledger.endFrame()
    }

    /// What the window shows now.
    func screenshot() throws -> Screenshot {
        let renderer = painter.painter.base
        let screen = try renderer.makeContext(
            ContextDescription(
                pixelWidth: Int(viewport.width * scale), pixelHeight: Int(viewport.height * scale),
                scale: scale,
                isOpaque: true))
        renderer.fill(screen, with: CellGeometry.pageColor)
        for (index, row) in rows {
            guard let picture = row.cell.picture else { continue }
            // Moved by whole pixels, a picture is copied exactly.
            let y = ((window.column.top(of: index) - window.offset) * scale).rounded() / scale
            try renderer.draw(
                picture, into: screen, placed: ContentsPlacement(transform: .translation(x: 0, y: y)))
        }
        return Painter.screenshot(of: try renderer.makeContents(from: screen))
    }
}
