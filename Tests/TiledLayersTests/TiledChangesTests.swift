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
            renderer: BitmapRenderer(), contentSize: document.size, tileExtent: 64, host: simulation.host)
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

    @Test("the program is told at rest, if the exact tiles were there in the movement")
    func rest() throws {
        var count = 0
        layer.onChange = { count += 1 }
        for (scale, isMoving) in [(1.7, false), (1, true), (1.7, true)] {
            try show(scale: scale, isMoving: isMoving)
            simulation.advance(by: .milliseconds(150))
            _ = layer.takeChanges()
        }
        count = 0
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(count == 1)
        let changes = layer.takeChanges()
        #expect(!changes.isEmpty)
        #expect(changes.coverage.sharp == 256 * 192)
    }

    @Test("content that grows or shrinks is placed as far as it reaches, and the program is told")
    func contentSize() throws {
        var count = 0
        layer.onChange = { count += 1 }
        layer.contentSize = Size(width: 650, height: 650)
        try layer.show(Rect(x: 0, y: 0, width: 800, height: 800), scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        // 690 is in the same tiles as 650.
        for extent in [690, 600, 650] {
            count = 0
            layer.contentSize = Size(width: Double(extent), height: Double(extent))
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
