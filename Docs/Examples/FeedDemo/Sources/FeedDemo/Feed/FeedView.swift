import AsyncLayers

/// The feed behind its window: makes cells as they scroll into view, drops them as they leave, and keeps the
/// books on their passes.
@MainActor
final class FeedView<Painter: CellPainter> {
    private struct Row {
        let cell: any FeedCell<Painter.Base.Contents>
        let watch: CellWatch
    }

    let column: CellColumn
    let ledger = PassLedger()
    let setting: CellSetting<Painter>
    private(set) var offset = 0.0

    private let layouts: [Painter.Layout]
    private let viewport: Size
    private let factory: CellFactory<Painter>?
    private var rows: [Int: Row] = [:]
    /// Nil draws every row in view.
    private var filter: ScrollFilter?

    /// - Parameter mode: decides which cells show the rows, if any.
    init(
        painter: Painter, layouts: [Painter.Layout], viewport: Size, scale: Double, mode: FeedMode,
        drawCost: DrawCost = .none
    ) {
        self.layouts = layouts
        self.viewport = viewport
        setting = CellSetting(painter: painter, scale: scale, drawCost: drawCost)
        factory = mode.cells?.factory(setting)
        column = CellColumn(heights: layouts.map(\.size.height))
        if mode.rows == .filtered { filter = ScrollFilter(rowCount: layouts.count) }
    }

    var visibleCells: Range<Int> {
        column.visibleCells(offset: offset, viewportHeight: viewport.height)
    }

    /// Cells in view that have no picture yet; none where no cells are shown.
    var emptyCellCount: Int {
        factory == nil ? 0 : visibleCells.count - rows.values.count { $0.cell.picture != nil }
    }

    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: Int? { factory?.cachedBytes?() }

    /// Moves the window. New cells ask for their display, which comes at the end of this turn of the run
    /// loop.
    ///
    /// - Parameter events: what happened before the window came there.
    func scroll(to offset: Double, after events: [ScrollEvent] = []) {
        for event in events { filter?.handle(filterEvent(event)) }
        self.offset = offset
        guard let factory else { return }
        let visible = visibleCells
        filter?.handle(.moved(visible: visible))
        for (index, row) in rows where !visible.contains(index) {
            row.watch.leaveView()
            rows[index] = nil
        }
        // Rows that a filter wants ahead of time are not drawn before they come: whoever catches the scroll on
        // its way would have them drawn in vain.
        for index in visible where rows[index] == nil && filter?.wants(index) ?? true {
            let watch = ledger.watchCell(row: index)
            rows[index] = Row(cell: factory.make(layouts[index], watch.makePass), watch: watch)
        }
    }

    private func filterEvent(_ event: ScrollEvent) -> ScrollFilter.Event {
        func cells(at target: Double) -> Range<Int> {
            column.visibleCells(offset: target, viewportHeight: viewport.height)
        }
        return switch event {
        case .touched: .dragBegan
        case .lifted(let target): .liftedOff(target: cells(at: target))
        case .scrollsToTop: .scrollToTopBegan(target: cells(at: 0))
        case .rested: .settled
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
        let renderer = setting.painter.base
        let scale = setting.scale
        let screen = try renderer.makeContext(
            ContextDescription(
                pixelWidth: Int(viewport.width * scale), pixelHeight: Int(viewport.height * scale),
                scale: scale,
                isOpaque: true))
        renderer.fill(screen, with: CellGeometry.pageColor)
        for (index, row) in rows {
            guard let picture = row.cell.picture else { continue }
            // Moved by whole pixels, a picture is taken over exactly.
            let y = ((column.top(of: index) - offset) * scale).rounded() / scale
            try renderer.draw(
                picture, into: screen, placed: ContentsPlacement(transform: .translation(x: 0, y: y)))
        }
        return Painter.screenshot(of: try renderer.makeContents(from: screen))
    }
}
