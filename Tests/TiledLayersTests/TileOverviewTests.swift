import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

@Suite("Tiles beyond the view")
@MainActor
struct TileOverviewTests {
    private let simulation = Simulation()
    private let document = ShapeDocument(size: Size(width: 4_000, height: 3_000), count: 500, seed: 11)
    private let layer: TiledLayer<BitmapRenderer>
    private let tileBytes = 66 * 66 * 4

    init() {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64, host: simulation.host)
        layer.delegate = document
    }

    private func show(_ x: Double, _ y: Double, scale: Double = 1, isMoving: Bool = false) throws {
        let visible = Rect(x: x, y: y, width: 256 / scale, height: 192 / scale)
        try layer.show(visible, scale: scale, isMoving: isMoving)
        simulation.advance(by: .milliseconds(16))
    }

    @Test("an overview is drawn last, and is shown wherever the view jumps and however far it is zoomed out")
    func overview() throws {
        layer.overviewScale = 1.0 / 16
        layer.pipeline.maximumDraws = 1
        let scales = Recorder<Double>()
        document.onDraw = { scales.append($0.scale) }
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        let first = try #require(scales.elements.firstIndex(of: 1.0 / 16))
        #expect(scales.elements[first...].allSatisfy { $0 == 1.0 / 16 })
        // 250 × 188 pixels in tiles of 64 would be 12; it is small, so it is one.
        #expect(layer.statistics.draws[.overview] == 1)

        for (x, y, scale) in [(3_500.0, 2_500.0, 1.0), (0, 0, 0.1), (2_000, 100, 3)] {
            try layer.show(Rect(x: x, y: y, width: 256 / scale, height: 192 / scale), scale: scale)
            let coverage = layer.takeChanges().coverage
            #expect(coverage.blank == 0 && coverage.coarse > 0)
        }
    }

    @Test("an overview shows each edit, and is drawn again when the view is at rest")
    func editedOverview() throws {
        layer.overviewScale = 0.25
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        // 1,000 × 750 pixels in tiles of 64.
        #expect(layer.statistics.draws[.overview] == 16 * 12)
        try show(1_000, 1_000, isMoving: true)
        layer.setNeedsDisplay(in: Rect(x: 3_001, y: 2_001, width: 10, height: 10))
        simulation.advance(by: .milliseconds(100))
        #expect(layer.statistics.draws[.overview] == 16 * 12, "nothing is drawn for later in movement")
        simulation.advance(by: .seconds(1))
        #expect(layer.statistics.draws[.overview] == 16 * 12 + 1)
    }

    @Test(
        "an overview of too many tiles, or at no scale, is not drawn", arguments: [1, .nan, 0, -1, .infinity])
    func refusedOverview(scale: Double) throws {
        layer.overviewScale = scale
        try show(1_000, 1_000, scale: 2)
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(layer.statistics.draws[.overview] == nil)
    }

    @Test("tiles that were passed before they were drawn are forgotten")
    func passedTiles() throws {
        for step in 0..<200 {
            try layer.show(
                Rect(x: Double(step) * 15, y: 500, width: 256, height: 192), scale: 1, isMoving: true)
            simulation.flush()
        }
        #expect(layer.pipeline.tiles.count <= 60)
        simulation.advance(by: .seconds(1))
    }

    @Test("how the view was covered is counted also while nothing is taken")
    func coverageOverTime() throws {
        layer.overviewScale = 1.0 / 16
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        let before = layer.statistics
        simulation.advance(by: .seconds(10))
        let atRest = layer.statistics
        #expect(atRest.visiblePixelSeconds - before.visiblePixelSeconds == 256 * 192 * 10)
        #expect(atRest.blankPixelSeconds == before.blankPixelSeconds)
        // A place where only the overview is, for two seconds.
        try layer.show(Rect(x: 3_000, y: 2_000, width: 256, height: 192), scale: 1)
        _ = layer.takeChanges()
        simulation.advance(by: .seconds(2))
        let coarse = layer.statistics.coarsePixelSeconds - atRest.coarsePixelSeconds
        #expect(coarse == 256 * 192 * 2)
    }

    @Test("around the view no more is drawn than the limit has room for, and no tile is drawn twice")
    func smallMemory() throws {
        layer.overviewScale = 0.25
        layer.byteLimit = 30 * tileBytes
        try show(1_000, 1_000)
        simulation.advance(by: .seconds(1))
        #expect(layer.statistics.byteCount <= layer.byteLimit)
        let ahead = layer.statistics.draws[.ahead] ?? 0
        #expect(ahead > 0 && ahead <= 18)
        #expect(layer.statistics.draws[.overview] == nil)
        // A blink takes the memory of a second picture, and displaces no tile.
        for _ in 0..<10 {
            layer.setNeedsDisplay(in: Rect(x: 1_060, y: 1_060, width: 2, height: 20))
            simulation.advance(by: .milliseconds(100))
        }
        #expect(layer.statistics.draws[.ahead] == ahead)
        layer.byteLimit = 0
        simulation.advance(by: .seconds(1))
        #expect(layer.statistics.byteCount <= 20 * tileBytes)
        #expect(layer.isComplete)
    }
}
