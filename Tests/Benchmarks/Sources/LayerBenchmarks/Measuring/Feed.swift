import ScrollScheduling
import BenchmarkHarness

/// A list in a window: cells are taken for the rows that come into view, and given back by those that leave.
@MainActor
final class Feed {
    /// What drawing a row computes.
    static let drawMilliseconds = 1.0...4.0

    private let host: any LayerHost
    private let counters: DrawCounters
    private let windowRows: Int
    private var filter: ScrollFilter?
    /// Which rows are drawn before they come into view; nil for none.
    private var ranges: ScrollRanges?
    private var position = 0.0
    private var inView = 0..<0
    private var cells: [Int: FeedCell] = [:]
    private var spareCells: [FeedCell] = []
    private var (rowFrames, blankRowFrames) = (0, 0)

    /// - Parameter rows: which rows are drawn.
    init(host: any LayerHost, counters: DrawCounters, windowRows: Int, rows: Rows = .visible) {
        self.host = host
        self.counters = counters
        self.windowRows = windowRows
        filter = rows == .filtered ? ScrollFilter(rowCount: .max) : nil
        ranges = rows == .prefetched ? ScrollRanges(options: .ahead) : nil
    }

    /// Which rows are drawn while the list moves.
    enum Rows {
        case visible
        /// Not those in view that a flick only passes.
        case filtered
        /// Those in view, and those that come next.
        case prefetched
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

        let velocity = (frame.position - position) * Double(FrameTicks.hertz)
        position = frame.position
        ranges?.update(visible: visible, rowCount: .max, velocity: velocity)
        inView = visible

        for (row, cell) in cells where !visible.contains(row) && ranges?.keeps(row) != true {
            cell.layer.leaveView()
            spareCells.append(cell)
            cells[row] = nil
        }
        for row in visible {
            let cell = cells[row] ?? takeCell(for: row)
            if cell.isAskedFor, !cell.isInView {
                cell.isInView = true
                if !cell.showsRow { cell.layer.comesIntoView(true) }
            }
            if !cell.isAskedFor, filter?.wants(row) ?? true {
                (cell.isAskedFor, cell.isInView) = (true, true)
                cell.layer.invalidate()
            }
        }
        prefetch()
    }

    /// A few at a time: what comes after them is asked for when it is known whether there is time to draw it
    /// in full.
    private func prefetch() {
        guard let ranges else { return }
        var waiting = cells.values.count { !$0.showsRow }
        for row in ranges.prefetchRows where waiting < windowRows && cells[row] == nil {
            let cell = takeCell(for: row)
            cell.isAskedFor = true
            cell.layer.invalidate()
            cell.layer.comesIntoView(false)
            waiting += 1
        }
    }

    private func rows(at position: Double) -> Range<Int> {
        Int(position)..<Int(position) + windowRows
    }

    private func takeCell(for row: Int) -> FeedCell {
        let cell = spareCells.popLast() ?? FeedCell(host: host, counters: counters)
        cell.row = row
        (cell.isAskedFor, cell.isInView) = (false, false)
        cells[row] = cell
        return cell
    }

    /// Looks at what the window shows, as the display would.
    func look() {
        for row in inView {
            guard let cell = cells[row] else { continue }
            rowFrames += 1
            if !counters.show(cell.layer.picture, as: row) { blankRowFrames += 1 }
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
    /// True once it came into view.
    var isInView = false
    /// Whether it shows its own row.
    var showsRow: Bool { layer.picture.map { counters.subject(of: $0) == row } ?? false }
    private(set) lazy var layer = host.makeLayer(UnownedSource(self))
    private let counters: DrawCounters
    private let host: any LayerHost

    init(host: any LayerHost, counters: DrawCounters) {
        self.host = host
        self.counters = counters
    }

    func nextDraw() -> Draw {
        // Equal rows take equal times in all contenders.
        var generator = SeededGenerator(seed: UInt64(row))
        return counters.makeDraw(
            of: row, milliseconds: .random(in: Feed.drawMilliseconds, using: &generator))
    }
}

extension ScrollRanges.Options {
    /// In the direction of travel only, since these flicks all go one way.
    fileprivate static var ahead: Self {
        var ahead = Self()
        (ahead.prefetchAhead, ahead.keepAhead) = (.screenfuls(0.25), .screenfuls(1))
        (ahead.prefetchBehind, ahead.keepBehind) = (.rows(0), .rows(0))
        return ahead
    }
}
