import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

@Suite("What a program takes from tiled layers")
@MainActor
struct TiledChangesTests {
    private let simulation = Simulation()
    private let document = ShapeDocument(size: Size(width: 4_000, height: 3_000), count: 50, seed: 21)
    private let layer: TiledLayer<BitmapRenderer>

    init() {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64, host: simulation.host)
        layer.delegate = document
    }

    private func show(scale: Double, isMoving: Bool = false) throws {
        let visible = Rect(x: 0, y: 0, width: 256 / scale, height: 192 / scale)
        try layer.show(visible, scale: scale, isMoving: isMoving)
    }

    @Test("a view of tiles that were all taken before is a change")
    func knownTiles() throws {
        for scale in [1, 0.5] {
            try show(scale: scale)
            simulation.advance(by: .seconds(1))
            _ = layer.takeChanges()
        }
        try show(scale: 1)
        simulation.advance(by: .seconds(1))
        let changes = layer.takeChanges()
        #expect(!changes.isEmpty)
        #expect(Set(changes.moved).isSuperset(of: changes.placed.map(\.id)))
        // Beyond the content nothing is placed any more.
        try layer.show(Rect(x: 5_000, y: 0, width: 256, height: 192), scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(!layer.takeChanges().isEmpty)
        #expect(layer.takeChanges().isEmpty)
    }

    @Test("tiles come from the middle of the view, those that it does not show last, and so in each run")
    func order() throws {
        var runs: [[PixelRect]] = []
        for _ in 0..<2 {
            let stage = TiledChangesTests()
            try stage.layer.show(Rect(x: 500, y: 500, width: 256, height: 192), scale: 1)
            stage.simulation.advance(by: .seconds(1))
            let changes = stage.layer.takeChanges()
            let places = Dictionary(changes.placed.map { ($0.id, $0.destination) }) { $1 }
            let seen = changes.added.compactMap { places[$0] }
            #expect(changes.added.count > seen.count && seen.count == changes.placed.count)
            #expect(changes.added.prefix(seen.count).allSatisfy { places[$0] != nil })
            // Those at the edges are seen in part.
            let distances = seen.filter { $0.width == 64 && $0.height == 64 }.map { place in
                let (x, y) = (place.minX + 32 - 128, place.minY + 32 - 96)
                return x * x + y * y
            }
            #expect(distances == distances.sorted() && distances.count >= 6)
            runs.append(seen)
        }
        #expect(runs[0] == runs[1])
    }

    @Test("the program is told of sharper tiles that it has taken before")
    func sharperTiles() throws {
        var count = 0
        layer.onChange = { count += 1 }
        for scale in [1, 0.5] {
            try show(scale: scale)
            simulation.advance(by: .seconds(1))
            _ = layer.takeChanges()
        }
        // Taken before the end of the turn, which chooses the level.
        try show(scale: 1)
        _ = layer.takeChanges()
        count = 0
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(count == 1)
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
    }

    @Test("exact tiles that are there are shown in a movement, and nothing changes at rest")
    func rest() throws {
        var coverage = TileCoverage()
        for (scale, isMoving) in [(1.7, false), (1, true), (1.7, true)] {
            try show(scale: scale, isMoving: isMoving)
            simulation.advance(by: .milliseconds(150))
            coverage = layer.takeChanges().coverage
        }
        #expect(coverage.sharp == 256 * 192 && !layer.isComplete)
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(layer.takeChanges().isEmpty)
    }

    @Test("content that grows or shrinks is placed as far as it reaches, and the program is told")
    func documentSize() throws {
        var count = 0
        layer.onChange = { count += 1 }
        layer.documentSize = Size(width: 650, height: 650)
        try layer.show(Rect(x: 0, y: 0, width: 800, height: 800), scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        // 690 is in the same tiles as 650.
        for extent in [690, 600, 650] {
            count = 0
            layer.documentSize = Size(width: Double(extent), height: Double(extent))
            simulation.advance(by: .seconds(1))
            #expect(count == 1)
            #expect(layer.takeChanges().coverage.sharp == extent * extent)
        }
    }

    @Test("the report of an upload does not take the pixels of a picture that came after it")
    func lateUpload() throws {
        try show(scale: 1)
        simulation.advance(by: .seconds(1))
        let first = layer.takeChanges()
        layer.setNeedsDisplay(in: Rect(x: 10, y: 10, width: 20, height: 20))
        simulation.advance(by: .seconds(1))
        // The upload took so long.
        for id in first.added { layer.didUpload(id) }
        let second = layer.takeChanges()
        #expect(second.changed.count == 1)
        for (id, _) in second.changed {
            #expect(layer.contents(of: id) != nil)
            layer.didUpload(id)
            #expect(layer.contents(of: id) == nil)
        }
    }

    @Test("a program that begins to listen late is told")
    func lateListener() throws {
        try show(scale: 1)
        simulation.flush()
        var count = 0
        layer.onChange = { count += 1 }
        simulation.advance(by: .seconds(1))
        #expect(count == 1)
    }

    @Test("a program may take, upload and report in what the layer calls")
    func uploadInNotification() throws {
        var uploads: [TileID: Int] = [:]
        layer.onChange = { [unowned layer] in
            let changes = layer.takeChanges()
            for id in changes.added + changes.changed.map(\.id) {
                #expect(layer.contents(of: id) != nil)
                uploads[id, default: 0] += 1
                layer.didUpload(id)
            }
        }
        try show(scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(uploads.count >= 12)
        #expect(uploads.values.allSatisfy { $0 == 1 })
    }
}
