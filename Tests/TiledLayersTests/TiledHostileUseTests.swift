import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

/// A program that does everything with a tiled layer, at any time, also in what the layer calls.
@MainActor
private final class Program: TiledLayerDelegate {
    nonisolated static let cell = 20.0
    nonisolated static let columns = 50
    nonisolated static let rows = 40
    nonisolated static let (width, height) = (200, 150)

    let simulation: Simulation
    let layer: TiledLayer<BitmapRenderer>
    let screen: ShadowScreen
    private var generator: SeededGenerator
    /// The last edit of each cell.
    private var numbers = [Int](repeating: 0, count: columns * rows)
    private var lastEdit = 0
    private var visible = Rect(x: 100, y: 100, width: 200, height: 150)
    private var scale = 1.0
    /// What was seen of each cell, if it was in view.
    private var seen: [Int: Int] = [:]
    private var known: Set<TileID> = []
    private var uploaded: [TileID] = []
    private var places: Set<PlacedTile> = []
    private(set) var isTold = false
    /// Whether it draws all, and is content with what it has.
    private var isCalm = false
    /// Calls within what is called.
    private var depth = 0

    struct Failure: Error {}

    init(_ simulation: Simulation, seed: UInt64) {
        self.simulation = simulation
        generator = SeededGenerator(seed: seed)
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Self.size(1), tileExtent: [64, 47, 33][Int(seed % 3)],
            host: simulation.host)
        screen = ShadowScreen(layer)
        layer.delegate = self
        layer.onChange = { [unowned self] in
            isTold = true
            if random(3) == 0 { takeFrame() }
            if random(3) == 0 { act() }
        }
        layer.onFailure = { [unowned self] _ in
            if random(3) == 0 { act() }
            if random(4) == 0, !isCalm { layer.setNeedsDisplay() }
        }
    }

    private static func size(_ share: Double) -> Size {
        Size(width: Double(columns) * cell * share, height: Double(rows) * cell * share)
    }

    func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        if random(10) == 0 { act() }
        if !isCalm, random(15) == 0 { return nil }
        let (spent, fails) = (random(4), !isCalm && random(8) == 0)
        return { [numbers, simulation] context, scope in
            if spent > 0 { simulation.spend(.milliseconds(2 * spent)) }
            if fails { throw Failure() }
            for row in 0..<Self.rows {
                for column in 0..<Self.columns {
                    let frame = Self.frame(column, row)
                    guard frame.intersects(scope.area) else { continue }
                    context.fill(frame, with: .color(Self.color(numbers[row * Self.columns + column])))
                }
            }
        }
    }

    nonisolated static func frame(_ column: Int, _ row: Int) -> Rect {
        Rect(x: Double(column) * cell, y: Double(row) * cell, width: cell, height: cell)
    }

    nonisolated static func color(_ number: Int) -> Color {
        Color(red: Double(number & 255) / 255, green: Double(number >> 8) / 255, blue: 0.5, alpha: 1)
    }

    private func show(isMoving: Bool) {
        visible.size = Size(width: Double(Self.width), height: Double(Self.height)) * (1 / scale)
        visible.origin.x = min(max(-50, visible.origin.x), 950)
        visible.origin.y = min(max(-50, visible.origin.y), 750)
        do { try layer.show(visible, scale: scale, isMoving: isMoving) } catch { Issue.record(error) }
    }

    private func edit() {
        lastEdit += 1
        let (column, row) = (random(Self.columns), random(Self.rows))
        let last = (min(column + random(12), Self.columns - 1), min(row + random(8), Self.rows - 1))
        for row in row...last.1 {
            for column in column...last.0 { numbers[row * Self.columns + column] = lastEdit }
        }
        layer.setNeedsDisplay(in: Self.frame(column, row).union(Self.frame(last.0, last.1)))
    }

    /// Does something, by chance.
    func act() {
        guard depth < 2 else { return }
        depth += 1
        defer { depth -= 1 }
        switch random(23) {
        case 0...5:
            // Content and damage change together: a tile that is drawn in between would show what no other
            // tile is known to lack.
            if random(3) == 0 {
                simulation.host.loop.perform(at: simulation.now + .milliseconds(random(10))) { [weak self] in
                    self?.edit()
                }
            } else {
                edit()
            }
        case 6...8:
            visible = visible.moved(by: Point(x: Double(random(121) - 60) / 1.5, y: Double(random(81) - 40)))
            show(isMoving: random(2) == 0)
        case 9...11:
            let center = visible.center
            scale = [0.3, 0.5, 0.7, 1, 1.3, 2, 3.1][random(7)]
            visible = Rect(
                center: center,
                size: Size(width: Double(Self.width), height: Double(Self.height)) * (1 / scale))
            show(isMoving: random(2) == 0)
        case 12: layer.trim(toBytes: [0, 300_000, -1][random(3)])
        case 13: layer.byteLimit = [0, 400_000, 1 << 28, -7][random(4)]
        case 14: if !isCalm { layer.setNeedsDisplay() }
        case 15:
            if !isCalm {
                let size = Self.size([1, 0.7, 0.333, 0.05, 0, 0.51][random(6)])
                layer.documentSize = size
                // Pictures beyond its end are gone, also if it grows again before the next frame.
                seen = seen.filter { cell, _ in
                    let middle = Self.frame(cell % Self.columns, cell / Self.columns).center
                    return middle.x < size.width - 4 && middle.y < size.height - 4
                }
            }
        case 16:
            if !isCalm { layer.delegate = random(2) == 0 ? nil : self }
        case 17: layer.editLimit = [.milliseconds(33), .zero, .milliseconds(-3), .seconds(5)][random(4)]
        case 18: layer.displayTimeLimit = [nil, .milliseconds(4), .zero][random(3)]
        case 19: layer.pipeline.maximumDraws = [16, 1, -3, 3][random(4)]
        case 20:
            for id in uploaded { layer.didUpload(id) }
            uploaded = []
        case 21: layer.draft = [nil, 0.5, 1.0 / 16, 1e-9][random(4)]
        default: layer.damageOutset = [1, 0, 5, -.infinity, .nan][random(5)]
        }
    }

    func takeFrame() {
        isTold = false
        screen.drawFrame(width: Self.width, height: Self.height)
        let changes = screen.newest
        #expect(known.isDisjoint(with: changes.added))
        #expect(known.isSuperset(of: changes.removed))
        known.subtract(changes.removed)
        #expect(known.isSuperset(of: changes.changed.map(\.id)))
        known.formUnion(changes.added)
        #expect(known.isSuperset(of: changes.placed.map(\.id)))
        #expect(known.isSuperset(of: changes.moved))
        let present = Set(changes.placed.map(\.geometry))
        if changes.isEmpty { #expect(present == places, "nothing has changed, but the places") }
        places = present
        let tiles = layer.pipeline.tiles.values
        #expect(layer.pipeline.byteCount == tiles.reduce(0) { $0 + $1.pictureBytes })
        let coverage = changes.coverage
        let covered = coverage.sharp + coverage.coarse + coverage.stale
        #expect(changes.placed.map(\.destination.area).reduce(0, +) == covered)
        if random(2) == 0 { uploaded += changes.added + changes.changed.map(\.id) }
        look()
    }

    /// What is seen of the cells now: no cell that stays in view goes back.
    private func look() {
        var present: [Int: Int] = [:]
        let size = layer.documentSize
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                let middle = Self.frame(column, row).center
                guard middle.x < size.width - 4, middle.y < size.height - 4 else { continue }
                let (x, y) = ((middle.x - visible.minX) * scale, (middle.y - visible.minY) * scale)
                guard (2..<Double(Self.width - 2)).contains(x), (2..<Double(Self.height - 2)).contains(y)
                else { continue }
                // The edges of stretched tiles are rounded: so this pixel may be a neighbour's.
                let around = (-1...1).flatMap { dy in
                    (-1...1).map { screen.pixels[(Int(y) + dy) * Self.width + Int(x) + $0] }
                }
                guard Set(around).count == 1 else { continue }
                let pixel = around[0]
                let cell = row * Self.columns + column
                let number = pixel == 0 ? nil : Int(pixel & 255) + Int(pixel >> 8 & 255) << 8
                if let former = seen[cell] {
                    if let number {
                        if number < former {
                            Issue.record("cell \(cell) showed \(former), and now \(number)")
                        }
                    } else {
                        Issue.record("cell \(cell) showed \(former), and is blank")
                    }
                }
                if let number { present[cell] = number }
            }
        }
        seen = present
    }

    /// All comes to rest: what is shown is the content, and the program was told if it had to know.
    func rest() throws {
        isCalm = true
        layer.delegate = self
        layer.byteLimit = 1 << 28
        layer.pipeline.maximumDraws = 16
        layer.documentSize = Self.size(1)
        layer.editLimit = .milliseconds(33)
        layer.damageOutset = 1
        visible.origin = Point(x: max(0, visible.minX), y: max(0, visible.minY))
        show(isMoving: false)
        layer.setNeedsDisplay()
        simulation.advance(by: .seconds(1))
        // What its callbacks have done meanwhile.
        for _ in 0..<20 where !layer.isComplete { simulation.advance(by: .seconds(1)) }
        #expect(layer.isComplete)
        if isTold { takeFrame() }
        simulation.advance(by: .seconds(10))
        if isTold { takeFrame() }
        #expect(screen.newest.coverage.sharp > 0)
        #expect(
            screen.newest.coverage.coarse + screen.newest.coverage.stale + screen.newest.coverage.blank == 0)
        try compare()
        isCalm = false
    }

    private func compare() throws {
        let origin = (Int((visible.minX * scale).rounded()), Int((visible.minY * scale).rounded()))
        let extent = (
            Int((Self.size(1).width * scale - 1.0 / 1024).rounded(.up)),
            Int((Self.size(1).height * scale - 1.0 / 1024).rounded(.up))
        )
        let (width, height) = (min(Self.width, extent.0 - origin.0), min(Self.height, extent.1 - origin.1))
        // Its callbacks may have moved the view.
        guard width > 0, height > 0, origin.0 >= 0, origin.1 >= 0 else { return }
        var description = ContextDescription(pixelWidth: width, pixelHeight: height, scale: scale)
        (description.pixelOriginX, description.pixelOriginY) = origin
        let context = try BitmapRenderer().makeContext(description)
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                context.fill(
                    Self.frame(column, row), with: .color(Self.color(numbers[row * Self.columns + column])))
            }
        }
        let difference = screen.difference(from: context.makeBitmap(), x: 0, y: 0)
        #expect(difference == 0, "\(difference) rows differ at scale \(scale), \(origin)")
    }
}

@Suite("Hostile use of tiled layers")
@MainActor
struct TiledHostileUseTests {
    @Test(
        "programs that do everything at any time see no older state, and at rest the picture",
        arguments: 1...UInt64(4 * StressPlan.scale))
    func programs(seed: UInt64) throws {
        let simulation = Simulation(
            order: .seeded(seed), byteLimit: seed % 5 == 0 ? 512 * 512 * 4 * 2 : 1 << 30)
        var generator = SeededGenerator(seed: seed &+ StressPlan.seed &* 7_919)
        let count = seed % 4 == 0 ? 3 : 1
        let programs = (0..<UInt64(count)).map { Program(simulation, seed: generator.next() &+ $0) }
        for _ in 0..<2 {
            for _ in 0..<60 {
                for program in programs {
                    program.act()
                    if program.random(3) == 0 { program.takeFrame() }
                }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: simulation.advance(by: .milliseconds(Int.random(in: 0..<25, using: &generator)))
                case 1: simulation.flush()
                default:
                    for _ in 0..<Int.random(in: 0..<20, using: &generator) where !simulation.step() { break }
                }
            }
            for program in programs { try program.rest() }
        }
    }
}
