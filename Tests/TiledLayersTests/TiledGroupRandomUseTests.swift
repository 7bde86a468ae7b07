import AsyncLayers
import BitmapRendering
import QueuePoolsLocks
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

/// A text in tiles with two layers beside it. Each edit has a number, which all that it changes shows.
///
/// The text has cells of 64 points. A cell is a tile at scale 1, four of them at 2, and a quarter of one at
/// ½.
@MainActor
private final class Window: TiledLayerDelegate, AsyncLayerDelegate {
    typealias R = BitmapRenderer

    nonisolated static let (columns, rows, extent) = (12, 4, 64)
    static let (width, height) = (256, 192)

    /// What a display has changed, and has to show in one step.
    struct Edit {
        let number: Int
        var cells: Set<Int>
        var layers: Set<Int>
        /// The group may appear without all of it from then on.
        let end: Duration
    }

    /// What draws tell, on their threads.
    private final class Failures: Sendable {
        struct State {
            var areOff = false
            /// Those that are shown without the newest edits.
            var cells: Set<Int> = []
            var layers: Set<Int> = []
        }
        let state = Lock(State())
    }

    struct Failure: Error {}

    let simulation: Simulation
    let text: TiledLayer<BitmapRenderer>
    let layers: [AsyncLayer<BitmapRenderer>]
    private var generator: SeededGenerator
    private let failures = Failures()
    private let timeLimit: Duration
    /// The newest edit of each cell, and of all.
    private var numbers = [Int](repeating: 0, count: columns * rows)
    private(set) var newest = 0
    private var (column, scale) = (0, 1.0)
    private var edits: [Edit] = []
    /// When those displays were requested that have not ended.
    private var waiting: [Int: Duration] = [:]
    private var displays = 0
    private(set) var wholeCount = 0
    private let groups: [(group: DisplayGroup, layers: [Int])]

    init(seed: UInt64, timeLimit: Duration) {
        self.timeLimit = timeLimit
        simulation = Simulation(order: .seeded(seed))
        simulation.stepLimit = 1_000_000
        generator = SeededGenerator(seed: seed &+ StressPlan.seed &* 7_919)
        let size = Size(width: Double(Self.columns * Self.extent), height: Double(Self.rows * Self.extent))
        let text = TiledLayer(
            renderer: BitmapRenderer(), documentSize: size, tileExtent: Self.extent, host: simulation.host)
        let layers = [simulation.host, simulation.host].map { host in
            AsyncLayer(renderer: BitmapRenderer(), host: host)
        }
        groups = [[0], [1], [0, 1]].map { [host = simulation.host] indices in
            let group = DisplayGroup(timeLimit: timeLimit, host: host)
            group.add(text)
            for index in indices { group.add(layers[index]) }
            return (group, indices)
        }
        (self.text, self.layers) = (text, layers)
        text.delegate = self
        text.draft = nil
        for layer in layers {
            layer.size = Size(width: 8, height: 8)
            layer.delegate = self
            layer.display()
        }
        show()
        simulation.advance(by: .seconds(1))
        text.onChange = { [unowned self] in if random(2) == 0 { look() } }
        for layer in layers { layer.onContentsChange = { [unowned self] _ in look() } }
    }

    private func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    nonisolated private static func color(_ number: Int) -> Color {
        Color(red: Double(number & 255) / 255, green: Double(number >> 8) / 255, blue: 0.5)
    }

    nonisolated private static func frame(_ cell: Int) -> Rect {
        Rect(
            x: Double(cell % columns * extent + 8), y: Double(cell / columns * extent + 8), width: 48,
            height: 48)
    }

    nonisolated private static func cells(in area: Rect) -> [Int] {
        (0..<columns * rows).filter { frame($0).intersects(area) }
    }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        let time = Duration.microseconds(random(4_000))
        let failing = random(4) == 0 ? random(Self.columns * Self.rows) : nil
        return { [numbers, simulation, failures] context, scope in
            simulation.spend(time)
            let cells = Self.cells(in: scope.area)
            if let failing, cells.contains(failing) {
                try failures.state.withLock { failures in
                    if failures.areOff { return }
                    // All that the tile may show.
                    let extent = Double(Self.extent) / scope.scale
                    failures.cells.formUnion(Self.cells(in: scope.area.inset(by: -extent)))
                    throw Failure()
                }
            }
            for cell in cells { context.fill(Self.frame(cell), with: .color(Self.color(numbers[cell]))) }
        }
    }

    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        let time = Duration.microseconds(random(8_000))
        let failing = random(16) == 0 ? layers.firstIndex { $0 === layer } : nil
        return DisplayTask { [newest, simulation, failures] context, _ in
            simulation.spend(time)
            if let failing {
                try failures.state.withLock { failures in
                    if failures.areOff { return }
                    failures.layers.insert(failing)
                    throw Failure()
                }
            }
            context.fill(Rect(x: 0, y: 0, width: 8, height: 8), with: .color(Self.color(newest)))
        }
    }

    private func show() {
        let (x, width, height) = (Double(column * Self.extent), Double(Self.width), Double(Self.height))
        do {
            try text.show(Rect(x: x, y: 0, width: width, height: height), scale: scale)
        } catch { Issue.record(error) }
    }

    private var cellsInView: [Int] {
        (0..<3).flatMap { row in (0..<4).map { row * Self.columns + self.column + $0 } }
    }

    private func change(_ cells: Set<Int>) {
        newest += 1
        for cell in cells.sorted() {
            numbers[cell] = newest
            text.setNeedsDisplay(in: Self.frame(cell))
        }
    }

    private func display() {
        let (group, indices) = groups[random(3)]
        let cells = Set((0..<random(5)).map { _ in random(Self.columns * Self.rows) })
        change(cells)
        for index in indices { layers[index].setNeedsDisplay() }
        displays += 1
        let (number, now) = (displays, simulation.host.loop.now)
        // A display that joins others ends four limits after the first of them.
        let end = min(now + timeLimit, (waiting.values.min() ?? now) + timeLimit * 4)
        edits.append(
            Edit(number: newest, cells: cells.intersection(cellsInView), layers: Set(indices), end: end))
        waiting[number] = now
        group.display { [unowned self] result in
            waiting[number] = nil
            #expect(result.together + result.late + result.failed == indices.count + 1)
        }
    }

    /// What comes into view later than an edit shows the newest content: that remains of the edits which
    /// stays in view.
    private func show(_ change: () -> Void) {
        let former = (cells: Set(cellsInView), scale: scale)
        change()
        show()
        let stay = scale == former.scale ? former.cells.intersection(cellsInView) : []
        for index in edits.indices { edits[index].cells.formIntersection(stay) }
        simulation.flush()
    }

    func act() {
        switch random(14) {
        case 0...4: display()
        case 5: change([random(Self.columns * Self.rows)])
        case 6:
            newest += 1
            layers[random(2)].setNeedsDisplay()
        case 7: show { column = random(Self.columns - 3) }
        case 8: text.trim()
        case 9: simulation.flush()
        case 10: show { scale = [0.5, 1, 1, 2][random(4)] }
        case 11: if random(4) == 0 { text.setNeedsDisplay() }
        default:
            for _ in 0..<random(12) where !simulation.step() { break }
            if random(3) == 0 { simulation.advance(by: .microseconds(random(9_000))) }
        }
    }

    /// The edits that the quarters of the cells in view show.
    private var seenCells: [Int: [Int?]] {
        let places = text.takeChanges().placed
        var seen: [Int: [Int?]] = [:]
        for cell in cellsInView {
            let (x, y) = ((cell % Self.columns - column) * Self.extent, cell / Self.columns * Self.extent)
            seen[cell] = [(24, 24), (40, 24), (24, 40), (40, 40)].map { dx, dy in
                let (x, y) = (Double(x + dx) * scale, Double(y + dy) * scale)
                return text.pixel(x: Int(x), y: Int(y), in: places).map { Int($0.red) + Int($0.green) << 8 }
            }
        }
        return seen
    }

    /// Checks that a frame shows all of each edit, or nothing of it.
    func look() {
        let seen = seenCells
        let shown = layers.map { layer in
            layer.contents.map { Int($0[x: 4, y: 4].red) + Int($0[x: 4, y: 4].green) << 8 } ?? 0
        }
        let failed = failures.state.withLock { failures in
            defer { (failures.cells, failures.layers) = ([], []) }
            return failures
        }
        for index in edits.indices {
            edits[index].cells.subtract(failed.cells)
            edits[index].layers.subtract(failed.layers)
        }
        let now = simulation.host.loop.now
        edits.removeAll { edit in
            if now >= edit.end { return true }
            let parts = edit.cells.flatMap { seen[$0, default: []] } + edit.layers.map { shown[$0] }
            let count = parts.count { $0.map { $0 >= edit.number } ?? false }
            if count > 0, count < parts.count {
                Issue.record("edit \(edit.number): \(edit.cells), \(edit.layers) show \(parts)")
            }
            if count == parts.count, edit.cells.count + edit.layers.count > 1 { wholeCount += 1 }
            return count > 0 || parts.isEmpty
        }
    }

    /// All comes to rest, and shows the newest.
    func rest() {
        failures.state.withLock { $0.areOff = true }
        // Also draws that have failed, and are not received yet.
        simulation.advance(by: .milliseconds(500))
        text.setNeedsDisplay()
        for _ in 0..<20 { simulation.advance(by: .milliseconds(500)) }
        look()
        #expect(text.isComplete && edits.isEmpty && waiting.isEmpty)
        let seen = seenCells
        #expect(cellsInView.allSatisfy { seen[$0] == [Int](repeating: numbers[$0], count: 4) })
        failures.state.withLock { $0.areOff = false }
    }
}

@Suite("Random use of tiled layers in groups")
@MainActor
struct TiledGroupRandomUseTests {
    @Test(
        "no frame shows a part of a display before its limit, with failures, scrolls and zooms",
        arguments: 1...UInt64(4 * StressPlan.scale), [Duration.seconds(3_600), .milliseconds(20)])
    func whole(seed: UInt64, timeLimit: Duration) {
        let window = Window(seed: seed, timeLimit: timeLimit)
        for _ in 0..<5 {
            for _ in 0..<120 {
                window.act()
                window.look()
            }
            window.rest()
        }
        #expect(window.wholeCount > 15)
    }
}
