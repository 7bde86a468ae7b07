import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

/// A text in tiles with two layers beside it. Each edit has a number, which all that it changes shows.
@MainActor
private final class Window: TiledLayerDelegate, AsyncLayerDelegate {
    typealias R = BitmapRenderer

    nonisolated static let (columns, rows, extent) = (12, 4, 64)
    static let (width, height) = (256, 192)

    /// What a display has changed, and has to show in one step.
    struct Edit {
        let number: Int
        var tiles: Set<Int>
        let layers: [Int]
    }

    let simulation: Simulation
    let text: TiledLayer<BitmapRenderer>
    let layers: [AsyncLayer<BitmapRenderer>]
    private var generator: SeededGenerator
    /// The newest edit of each tile, and of all.
    private var numbers = [Int](repeating: 0, count: columns * rows)
    private(set) var newest = 0
    private var column = 0
    private var edits: [Edit] = []
    private(set) var ended = 0
    private(set) var displays = 0
    private(set) var wholeCount = 0
    private let groups: [(group: DisplayGroup, layers: [Int])]

    init(seed: UInt64, timeLimit: Duration) {
        simulation = Simulation(order: .seeded(seed))
        simulation.stepLimit = 1_000_000
        generator = SeededGenerator(seed: seed &+ StressPlan.seed &* 7_919)
        let size = Size(width: Double(Self.columns * Self.extent), height: Double(Self.rows * Self.extent))
        let text = TiledLayer(
            renderer: BitmapRenderer(), contentSize: size, tileExtent: Self.extent, host: simulation.host)
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
            layer.bounds.size = Size(width: 8, height: 8)
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

    nonisolated private static func frame(_ tile: Int) -> Rect {
        Rect(
            x: Double(tile % columns * extent + 8), y: Double(tile / columns * extent + 8), width: 48,
            height: 48)
    }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        let time = Duration.microseconds(random(4_000))
        return { [numbers, simulation] context, scope in
            simulation.spend(time)
            for (tile, number) in numbers.enumerated() where Self.frame(tile).intersects(scope.area) {
                context.fill(Self.frame(tile), with: .color(Self.color(number)))
            }
        }
    }

    func displayTask(for _: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        let time = Duration.microseconds(random(8_000))
        return DisplayTask { [newest, simulation] context, _ in
            simulation.spend(time)
            context.fill(Rect(x: 0, y: 0, width: 8, height: 8), with: .color(Self.color(newest)))
        }
    }

    private func show() {
        let (x, width, height) = (Double(column * Self.extent), Double(Self.width), Double(Self.height))
        do {
            try text.show(Rect(x: x, y: 0, width: width, height: height), scale: 1)
        } catch { Issue.record(error) }
    }

    private var tilesInView: [Int] {
        (0..<3).flatMap { row in (0..<4).map { row * Self.columns + self.column + $0 } }
    }

    private func change(_ tiles: Set<Int>) {
        newest += 1
        for tile in tiles.sorted() {
            numbers[tile] = newest
            text.setNeedsDisplay(in: Self.frame(tile))
        }
    }

    func act() {
        switch random(12) {
        case 0...4:
            let (group, indices) = groups[random(3)]
            let tiles = Set((0..<random(5)).map { _ in random(Self.columns * Self.rows) })
            change(tiles)
            for index in indices { layers[index].setNeedsDisplay() }
            edits.append(
                Edit(number: newest, tiles: tiles.intersection(tilesInView), layers: indices))
            displays += 1
            group.display { [unowned self] result in
                ended += 1
                #expect(result.together + result.late == indices.count + 1)
            }
        case 5: change([random(Self.columns * Self.rows)])
        case 6:
            newest += 1
            layers[random(2)].setNeedsDisplay()
        case 7:
            let former = Set(tilesInView)
            column = random(Self.columns - 3)
            show()
            // Tiles that come into view later than an edit show the newest content.
            let stay = former.intersection(tilesInView)
            for index in edits.indices { edits[index].tiles.formIntersection(stay) }
            simulation.flush()
        case 8: text.trim(toBytes: 0)
        case 9: simulation.flush()
        default:
            for _ in 0..<random(12) where !simulation.step() { break }
            if random(3) == 0 { simulation.advance(by: .microseconds(random(9_000))) }
        }
    }

    /// The edits that the tiles in view show.
    private var seenTiles: [Int: Int] {
        let places = text.takeChanges().placed
        var seen: [Int: Int] = [:]
        for tile in tilesInView {
            let (x, y) = ((tile % Self.columns - column) * Self.extent, tile / Self.columns * Self.extent)
            seen[tile] = text.pixel(x: x + 32, y: y + 32, in: places).map { Int($0.red) + Int($0.green) << 8 }
        }
        return seen
    }

    /// Checks that what is seen is all of each edit, or nothing of it.
    func look() {
        let seen = seenTiles
        let shown = layers.map { layer in
            layer.contents.map { Int($0[x: 4, y: 4].red) + Int($0[x: 4, y: 4].green) << 8 } ?? 0
        }
        edits.removeAll { edit in
            let parts = edit.tiles.map { seen[$0, default: 0] } + edit.layers.map { shown[$0] }
            let count = parts.count { $0 >= edit.number }
            if count > 0, count < parts.count {
                Issue.record("edit \(edit.number): \(edit.tiles.sorted()), \(edit.layers) show \(parts)")
            }
            if count == parts.count, parts.count > 1 { wholeCount += 1 }
            return count > 0
        }
    }

    /// All comes to rest, and shows the newest.
    func rest() {
        for _ in 0..<20 { simulation.advance(by: .milliseconds(500)) }
        look()
        #expect(text.isComplete && edits.isEmpty && ended == displays)
        let seen = seenTiles
        #expect(tilesInView.allSatisfy { seen[$0] == numbers[$0] })
    }
}

@Suite("Random use of tiled layers in groups")
@MainActor
struct TiledGroupRandomUseTests {
    @Test("no frame shows a part of a display", arguments: 1...UInt64(4 * StressPlan.scale))
    func whole(seed: UInt64) {
        let window = Window(seed: seed, timeLimit: .seconds(3_600))
        for _ in 0..<5 {
            for _ in 0..<120 {
                window.act()
                window.look()
            }
            window.rest()
        }
        #expect(window.wholeCount > 30)
    }
}
