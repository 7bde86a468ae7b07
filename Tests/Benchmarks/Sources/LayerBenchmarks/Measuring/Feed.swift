import BenchmarkHarness

/// A list in a window: cells are taken for the rows that come into view, and given back by those that leave.
@MainActor
final class Feed {
    /// What drawing a row computes.
    static let drawMilliseconds = 1.0...4.0

    private let host: any LayerHost
    private let ledger: DrawLedger
    private let windowRows: Int
    private var cells: [Int: FeedCell] = [:]
    private var spareCells: [FeedCell] = []
    private var (rowFrames, blankRowFrames) = (0, 0)

    init(host: any LayerHost, ledger: DrawLedger, windowRows: Int) {
        self.host = host
        self.ledger = ledger
        self.windowRows = windowRows
    }

    /// Moves the window; positions are in rows.
    func scroll(to position: Double) {
        let visible = Int(position)..<Int(position) + windowRows
        for (row, cell) in cells where !visible.contains(row) {
            cell.layer.leaveView()
            spareCells.append(cell)
            cells[row] = nil
        }
        for row in visible where cells[row] == nil {
            let cell = spareCells.popLast() ?? FeedCell(host: host, ledger: ledger)
            cell.row = row
            cell.layer.invalidate()
            cells[row] = cell
        }
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
    private let ledger: DrawLedger
    private(set) lazy var layer = host.makeLayer(UnownedSource(self))
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
