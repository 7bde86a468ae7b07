import AsyncLayers
import BitmapRendering

/// The feed behind its window: makes cells as they scroll into view, drops them as they leave, and counts how
/// their passes go.
@MainActor
final class FeedView {
    let column: CellColumn
    let bytesInFlight = PeakGauge()
    private(set) var passes = PassCounts()
    private(set) var offset = 0.0

    private let layouts: [CellLayout]
    private let viewport: Size
    private let scale: Double
    private let mode: FeedMode
    private var cells: [Int: FeedCell] = [:]

    init(layouts: [CellLayout], viewport: Size, scale: Double, mode: FeedMode) {
        self.layouts = layouts
        self.viewport = viewport
        self.scale = scale
        self.mode = mode
        column = CellColumn(heights: layouts.map(\.size.height))
    }

    var visibleCells: Range<Int> {
        column.visibleCells(offset: offset, viewportHeight: viewport.height)
    }

    /// Cells in view that have no picture yet.
    var emptyCellCount: Int { cells.values.count { $0.layer.contents == nil } }

    /// Moves the window. New cells ask for their display, which comes at the end of this turn of the run
    /// loop.
    func scroll(to offset: Double) {
        self.offset = offset
        guard mode != .baseline else { return }
        let visible = visibleCells
        for index in cells.keys where !visible.contains(index) { cells[index] = nil }
        for index in visible where cells[index] == nil { cells[index] = makeCell(index) }
    }

    private func makeCell(_ index: Int) -> FeedCell {
        FeedCell(
            layout: layouts[index], renderer: MeteredRenderer(bytesInFlight: bytesInFlight), scale: scale,
            asynchronously: mode == .layered
        ) { [weak self] event in
            self?.count(event)
        }
    }

    private func count(_ event: FeedCell.PassEvent) {
        switch event {
        case .began: passes.begin()
        case .ended(.committed): passes.commit()
        case .ended(.superseded(let stage)): passes.supersede(at: .init(stage))
        case .ended(.cancelled(let stage)): passes.cancel(at: .init(stage))
        case .ended(.failed): passes.fail()
        }
    }

    /// What the window shows now.
    func screenshot() throws -> Bitmap {
        let screen = try BitmapContext(
            pixelWidth: Int(viewport.width * scale), pixelHeight: Int(viewport.height * scale), scale: scale)
        screen.fill(with: .color(CellLayout.pageColor))
        for (index, cell) in cells {
            guard let contents = cell.layer.contents else { continue }
            screen.draw(contents, at: Point(x: 0, y: column.top(of: index) - offset))
        }
        return screen.makeBitmap()
    }
}

extension PassCounts.Stage {
    fileprivate init(_ stage: DisplayStage) {
        switch stage {
        case .waiting: self = .waiting
        case .drawing: self = .drawing
        case .committing: self = .committing
        }
    }
}
