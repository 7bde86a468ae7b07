import BenchmarkHarness
import Synchronization

/// What does it take to show rows again that were seen before?
struct ScrollBack: Benchmark {
    /// Rows that come into view in one turn.
    private static let rowsPerTurn = 10

    let metrics = [
        Metric(
            "scroll-back", unit: "ns/row", ours: Roster.cached.name,
            summary:
                "Rows that were seen before come back into view, ten in a turn: processor time of the main thread for each, until it shows its picture. Bar: 2.5 times a dictionary by hand."
        ),
        Metric(
            "scroll-back-draws", unit: "draws/row", ours: Roster.cached.name,
            summary: "How many draws that takes. With a cache it must be none."),
        Metric(
            "scroll-back-late", unit: "%", ours: Roster.cached.name,
            summary:
                "How many of these rows do not show their picture at the end of the turn. With a cache it must be none."
        ),
    ]

    let plan = Plan(rounds: (3, 9))

    let trials =
        [Roster.cached, Roster.cachedByHand].map { kind in
            Trial(kind) { host, scale in try measure(host, rows(scale), mustBeAtOnce: true) }
        }
        + [Roster.ours, Roster.yyAsyncLayer, Roster.byHand].map { kind in
            Trial(kind) { host, scale in try measure(host, rows(scale), mustBeAtOnce: false) }
        }

    private static func rows(_ scale: Scale) -> Int { scale.pick(quick: 200, full: 1_000) }

    @MainActor
    private static func measure(
        _ host: any LayerHost, _ rows: Int, mustBeAtOnce: Bool
    ) throws -> [Reading] {
        let draws = CountedRows()
        let cells = (0..<rowsPerTurn).map { _ in Cell(host: host, draws: draws) }
        for first in stride(from: 0, to: rows, by: rowsPerTurn) {
            for (offset, cell) in cells.enumerated() { cell.enter(first + offset) }
            host.endTurn()
            try MainLoop.run(until: "all rows are shown") { cells.allSatisfy(\.showsItsRow) }
        }
        MainLoop.settle()

        let drawn = draws.count
        var (time, late) = (UInt64(0), 0)
        // The last rows are in view already.
        for first in stride(from: rows - 2 * rowsPerTurn, through: 0, by: -rowsPerTurn) {
            let start = Clock.threadTime
            for (offset, cell) in cells.enumerated() { cell.enter(first + offset) }
            host.endTurn()
            MainLoop.turn()
            time += Clock.threadTime - start
            late += cells.count { !$0.showsItsRow }
            let deadline = Clock.now + 10_000_000_000
            while !cells.allSatisfy(\.showsItsRow) {
                guard Clock.now < deadline else { throw MeasuringError("a row was not shown within 10 s") }
                Clock.sleep(microseconds: 500)
                let start = Clock.threadTime
                MainLoop.turn()
                time += Clock.threadTime - start
            }
        }
        MainLoop.settle()

        let count = Double(rows - rowsPerTurn)
        if mustBeAtOnce, draws.count > drawn || late > 0 {
            throw MeasuringError(
                "of \(Int(count)) cached rows \(draws.count - drawn) were drawn again, and \(late) came late")
        }
        return [Double(time) / count, Double(draws.count - drawn) / count, 100 * Double(late) / count].map {
            Reading($0)
        }
    }

    /// A cell for one row after another. What a row shows is its number, drawn in no time.
    @MainActor
    private final class Cell: DrawSource {
        private lazy var layer = host.makeLayer(UnownedSource(self))
        private let host: any LayerHost
        private let draws: CountedRows
        private var row = 0

        init(host: any LayerHost, draws: CountedRows) {
            self.host = host
            self.draws = draws
        }

        var showsItsRow: Bool { layer.picture?.number == row }

        func enter(_ row: Int) {
            layer.leaveView()
            self.row = row
            layer.invalidate()
        }

        func nextDraw() -> Draw { draws.makeDraw(of: row) }
    }
}

/// Draws rows and counts them.
private final class CountedRows: Sendable {
    private let counter = Atomic(0)

    var count: Int { counter.load(ordering: .acquiring) }

    func makeDraw(of row: Int) -> Draw {
        Draw(number: row, key: row, work: { [self] _, _ in counter.wrappingAdd(1, ordering: .releasing) })
    }
}
