import AsyncLayers
import BitmapRendering
import Foundation
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

@Suite("Views of tiled layers")
@MainActor
struct TiledViewTests {
    private let simulation = Simulation()
    private let document = ShapeDocument(size: Size(width: 4_000, height: 3_000), count: 500, seed: 11)
    private let layer: TiledLayer<BitmapRenderer>

    init() {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64, host: simulation.host)
        layer.delegate = document
    }

    private func show(
        _ x: Double, _ y: Double, scale: Double = 1, width: Double = 256, isMoving: Bool = false
    ) throws {
        let visible = Rect(x: x, y: y, width: width / scale, height: 192 / scale)
        try layer.show(visible, scale: scale, isMoving: isMoving)
    }

    @Test("what was drawn and is in view stays covered while it is zoomed, and is sharp at rest")
    func zoom() throws {
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        #expect(layer.takeChanges().coverage == sharp)
        // Nothing new is drawn before the last step.
        var scale = 1.0
        for _ in 0..<20 {
            scale *= 1.1
            try show(1_010, 1_010, scale: scale, isMoving: true)
            let coverage = layer.takeChanges().coverage
            #expect(coverage.blank == 0 && coverage.coarse == 256 * 192)
        }
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        let coverage = layer.takeChanges().coverage
        #expect(coverage.sharp > 0 && coverage.blank == 0 && coverage.coarse == 0)
    }

    private var sharp: TileCoverage {
        var coverage = TileCoverage()
        coverage.sharp = 256 * 192
        return coverage
    }

    @Test("while it is zoomed the scale of the tiles changes in steps of two")
    func steps() throws {
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        var added = 0
        for step in 1...30 {
            try show(1_000, 1_000, scale: 1 - 0.015 * Double(step), isMoving: true)
            simulation.advance(by: .milliseconds(16))
            let changes = layer.takeChanges()
            if !changes.added.isEmpty { added += 1 }
        }
        // Down to 0.55: half the scale once, and what comes into view of it.
        #expect(added <= 6)
    }

    @Test(
        "a gesture back to a scale at which the view was at rest shows nothing coarser than was there",
        arguments: [
            [1.29, 1.25, 1.2, 1.15, 1.1, 1.05], [1.6, 1.4, 1.2], [0.8, 0.85, 0.95], [1.9, 1.5, 1.2],
        ])
    func gestureBack(scales: [Double]) throws {
        document.beforeDraw = { [simulation] in simulation.spend(.milliseconds(8)) }
        func visible(_ scale: Double) -> Rect {
            let length = 480 / max(1, scale)
            return Rect(x: 0, y: 0, width: length, height: length)
        }
        for scale in [1, scales[0]] {
            try layer.show(visible(scale), scale: scale)
            simulation.advance(by: .seconds(2))
            #expect(layer.takeChanges().coverage.coarse == 0)
        }
        for scale in scales.dropFirst() + [1, 1, 1, 1, 1] {
            try layer.show(visible(scale), scale: scale, isMoving: true)
            simulation.advance(by: .milliseconds(16))
            // Edges are rounded: the ratio of a narrower place says little.
            for place in layer.takeChanges().placed where place.destination.width >= 16 {
                let pixels = place.source.size.width / Double(place.destination.width)
                let points = place.destination.rect * (1 / scale)
                let wasDetailed = visible(scales[0]).contains(points.center)
                #expect(pixels > 0.95 * (wasDetailed ? 1 : min(1, 1 / scale)), "\(place) at \(scale)")
            }
        }
    }

    @Test("a gesture takes no scale of tiles that lie elsewhere, nor one that is far too fine")
    func levelsElsewhere() throws {
        func zoom(to last: Double, steps: Int) throws -> (scales: [Double], mostTiles: Int) {
            var (scales, mostTiles): ([Double], Int) = ([1], 0)
            for step in 1...steps {
                let scale = pow(last, Double(step) / Double(steps))
                try show(0, 0, scale: scale, isMoving: true)
                simulation.advance(by: .milliseconds(16))
                _ = layer.takeChanges()
                mostTiles = max(mostTiles, layer.pipeline.inView.count)
                let wanted = layer.pipeline.levels[0].grid.scale
                if scales.last != wanted { scales.append(wanted) }
            }
            return (scales, mostTiles)
        }
        // Rests at other scales, in a far corner; then two where the gesture begins.
        for step in 1...9 {
            try layer.show(Rect(x: 3_900, y: 2_900, width: 10, height: 10), scale: 1 - 0.07 * Double(step))
            simulation.advance(by: .seconds(1))
        }
        for scale in [0.9, 1] {
            try show(0, 0, scale: scale)
            simulation.advance(by: .seconds(1))
        }
        let slow = try zoom(to: 0.25, steps: 60)
        #expect(slow.scales == [1, 0.9, 0.45, 0.225])
        try show(0, 0)
        simulation.advance(by: .seconds(1))
        #expect(try zoom(to: 0.01, steps: 1).mostTiles <= 35)
    }

    @Test("what is older never replaces what is newer, at any scale")
    func levels() throws {
        func paint(_ color: Color) {
            let shape = ShapeDocument.Shape(
                rect: Rect(x: 900, y: 900, width: 600, height: 600), color: color, isEllipse: false)
            document.replaceAll(with: shape)
            layer.setNeedsDisplay()
        }
        let screen = ShadowScreen(layer)
        func color() -> Int {
            screen.drawFrame(width: 256, height: 192)
            return screen.red(x: 128, y: 96)
        }
        paint(Color(red: 0, green: 0, blue: 0))
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        #expect(color() == 0)
        // Drawn at half the scale, changed there, and zoomed back before the finer tiles are drawn again.
        try show(900, 900, scale: 0.5)
        simulation.advance(by: .seconds(1))
        paint(Color(red: 1, green: 0, blue: 0))
        simulation.advance(by: .seconds(1))
        #expect(color() == 255)
        try show(1_000, 1_000)
        #expect(color() == 255)
        simulation.advance(by: .seconds(1))
        #expect(color() == 255)
        #expect(layer.isComplete)
    }

    @Test("tiles are drawn from the middle of the view")
    func order() throws {
        layer.pipeline.maximumDraws = 1
        let drawn = Recorder<Rect>()
        document.onDraw = { drawn.append($0.area) }
        try show(1_000, 1_000)
        simulation.run()
        let first = try #require(drawn.elements.first)
        #expect(first.contains(Point(x: 1_128, y: 1_096)))
    }

    @Test("tiles that leave the view leave the queue, and those ahead are drawn before they come")
    func movement() throws {
        let drawn = Recorder<Rect>()
        document.onDraw = { drawn.append($0.area) }
        document.beforeDraw = { [simulation] in simulation.spend(.milliseconds(2)) }
        try show(0, 1_000)
        simulation.advance(by: .seconds(1))
        for frame in 1...60 {
            try show(Double(frame) * 8, 1_000, isMoving: true)
            simulation.advance(by: .milliseconds(16))
            _ = layer.takeChanges()
        }
        let blank = layer.statistics.blankPixelSeconds / layer.statistics.visiblePixelSeconds
        #expect(blank < 0.001)
        // A jump: what was queued for the place in between is not drawn.
        try show(2_000, 1_000, isMoving: true)
        try show(3_000, 1_000, isMoving: false)
        simulation.advance(by: .seconds(1))
        #expect(!drawn.elements.contains { $0.intersects(Rect(x: 1_950, y: 1_000, width: 300, height: 192)) })
    }

    @Test("with a deadline an edit appears in its own turn")
    func deadline() throws {
        layer.displayTimeLimit = .milliseconds(8)
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        layer.setNeedsDisplay(in: Rect(x: 1_060, y: 1_060, width: 20, height: 20))
        simulation.flush()
        #expect(!layer.takeChanges().changed.isEmpty)
    }

    @Test("the program is told once that there is something to take")
    func notification() throws {
        var count = 0
        layer.onChange = { count += 1 }
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        #expect(count == 1)
        _ = layer.takeChanges()
        simulation.advance(by: .seconds(1))
        #expect(count == 1)
        layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 10, height: 10))
        simulation.advance(by: .seconds(1))
        #expect(count == 1, "what is out of view is only marked")
        layer.setNeedsDisplay(in: Rect(x: 1_060, y: 1_060, width: 20, height: 20))
        simulation.advance(by: .seconds(1))
        #expect(count == 2)
    }

    @Test("content that grows is drawn where it came in, and nothing is blank that was there")
    func growth() throws {
        layer.documentSize = Size(width: 400, height: 300)
        try layer.show(Rect(x: 0, y: 0, width: 800, height: 700), scale: 1)
        simulation.advance(by: .seconds(1))
        let screen = ShadowScreen(layer)
        screen.drawFrame(width: 800, height: 700)
        #expect(screen.newest.coverage.sharp == 400 * 300)
        layer.documentSize = Size(width: 700, height: 600)
        screen.drawFrame(width: 800, height: 700)
        #expect(screen.newest.coverage.blank <= 700 * 600 - 400 * 300)
        simulation.advance(by: .seconds(1))
        screen.drawFrame(width: 800, height: 700)
        #expect(screen.newest.coverage.sharp == 700 * 600)
        let picture = try document.picture(scale: 1)
        for (x, y) in [(10, 10), (399, 299), (450, 310), (690, 590)] {
            #expect(screen.red(x: x, y: y) == Int(picture[x: x, y: y].red))
        }
    }

    @Test("memory stays below the limit and what is in view")
    func memory() throws {
        layer.byteLimit = 100 * 66 * 66 * 4
        var generator = SeededGenerator(seed: 4)
        var (x, y) = (2_000.0, 1_500.0)
        var most = 0
        for _ in 0..<900 {
            x = min(max(0, x + Double.random(in: -400...400, using: &generator)), 3_700)
            y = min(max(0, y + Double.random(in: -300...300, using: &generator)), 2_700)
            try show(x, y, isMoving: Bool.random(using: &generator))
            simulation.advance(by: .seconds(1))
            _ = layer.takeChanges()
            most = max(most, layer.statistics.byteCount)
        }
        #expect(most <= layer.byteLimit + 5 * 4 * 66 * 66 * 4)
        layer.trim()
        #expect(layer.statistics.byteCount <= 8 * 7 * 66 * 66 * 4)
        #expect(layer.isComplete)
    }

    @Test("hostile numbers change nothing and lose nothing")
    func hostile() throws {
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        for outset in [Double.nan, -1, .infinity, 1e300] {
            layer.damageOutset = outset
            layer.setNeedsDisplay(in: Rect(x: 1_060, y: 1_060, width: 20, height: 20))
            simulation.advance(by: .seconds(1))
            #expect(layer.isComplete)
        }
        for rect in [
            Rect(x: -1e300, y: -1e300, width: .infinity, height: .infinity),
            Rect(x: .nan, y: 0, width: 1, height: 1),
            Rect(x: 1e300, y: 0, width: 1, height: 1), Rect(x: 0, y: 0, width: 1e300, height: 1e300),
        ] {
            layer.setNeedsDisplay(in: rect)
            simulation.advance(by: .seconds(1))
            #expect(layer.isComplete)
        }
        for size in [Size(width: Double.nan, height: -1), Size(width: 1e300, height: .infinity), .zero] {
            layer.documentSize = size
            simulation.advance(by: .seconds(1))
            _ = layer.takeChanges()
        }
        layer.pipeline.maximumDraws = -5
        layer.byteLimit = -5
        layer.documentSize = document.size
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
    }

    @Test("a layer that goes while its tiles are drawn ends quietly")
    func lifetime() async throws {
        var layer: TiledLayer<BitmapRenderer>? = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64, host: simulation.host)
        weak let gone = layer
        layer?.delegate = document
        try layer?.show(Rect(x: 0, y: 0, width: 300, height: 300), scale: 1)
        simulation.flush()
        simulation.runNext()
        layer = nil
        simulation.advance(by: .seconds(1))
        #expect(gone == nil)
    }
}
