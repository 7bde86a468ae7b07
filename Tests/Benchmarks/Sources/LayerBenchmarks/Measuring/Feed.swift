import ScrollScheduling
import BenchmarkHarness

/// A list in a window: cells are taken for the rows that come into view, and given back by those that leave.
@MainActor
final class Feed {
    /// What drawing a row computes.
    static let drawMilliseconds = 1.0...4.0

    private let host: any LayerHost
    private let ledger: DrawLedger
    private let windowRows: Int
    private var filter: ScrollFilter?
    private var cells: [Int: FeedCell] = [:]
    private var spareCells: [FeedCell] = []
    private var (rowFrames, blankRowFrames) = (0, 0)

    /// - Parameter isFiltered: whether rows that a flick only passes are not drawn.
    init(host: any LayerHost, ledger: DrawLedger, windowRows: Int, isFiltered: Bool = false) {
        self.host = host
        self.ledger = ledger
        self.windowRows = windowRows
        filter = isFiltered ? ScrollFilter(rowCount: .max) : nil
    }

    /// Moves the window.
    func show(_ frame: Flicks.Frame) {
        let visible = rows(at: frame.position)
        switch frame.action {
        case .cameDown: filter?.handle(.dragBegan)
        case .liftedOff(let target): filter?.handle(.liftedOff(target: rows(at: target)))
        case nil: break
        }
        filter?.handle(.moved(visible: visible))

        for (row, cell) in cells where !visible.contains(row) {
            cell.layer.leaveView()
            spareCells.append(cell)
            cells[row] = nil
        }
        for row in visible {
            let cell = cells[row] ?? takeCell(for: row)
            if !cell.isAskedFor, filter?.wants(row) ?? true {
                cell.isAskedFor = true
                cell.layer.invalidate()
            }
        }
    }

    private func rows(at position: Double) -> Range<Int> {
        Int(position)..<Int(position) + windowRows
    }

    private func takeCell(for row: Int) -> FeedCell {
        let cell = spareCells.popLast() ?? FeedCell(host: host, ledger: ledger)
        cell.row = row
        cell.isAskedFor = false
        cells[row] = cell
        return cell
    }

    /// Looks at what the window shows, as the display would.
    func look() {
        for (row, cell) in cells {
            rowFrames += 1
            if !ledger.show(cell.layer.picture, as: row) { blankRowFrames += 1 }
        }
    }

    /// How often a row in view did not show its own picture when the display looked, in percent.
    var blankPercentage: Double { 100 * Double(blankRowFrames) / Double(max(rowFrames, 1)) }

    /// Gives all layers up.
    func close() {
        for cell in cells.values { cell.layer.leaveView() }
    }
}

/// A cell for one row after another.
@MainActor
private final class FeedCell: DrawSource {
    var row = 0
    /// True once the row's picture was asked for.
    var isAskedFor = false
    private(set) lazy var layer = host.makeLayer(UnownedSource(self))
    private let ledger: DrawLedger
    private let host: any LayerHost

    init(host: any LayerHost, ledger: DrawLedger) {
        self.host = host
        self.ledger = ledger
    }

    func nextDraw() -> Draw {
        // Equal rows take equal times, whoever draws them.
        var generator = SeededGenerator(seed: UInt64(row))
        return ledger.makeDraw(
            of: row, milliseconds: .random(in: Feed.drawMilliseconds, using: &generator))
    }
}
