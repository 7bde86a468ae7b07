import AsyncLayers
import BitmapRendering
import ManualPools
import QueuePools
import QueuePoolsSimulations
import Testing

@testable import TiledLayers

/// Which pictures are kept, and which changes the program is notified of.
extension TiledPolicyTests {
    // MARK: Memory

    @Test("at rest after a zoom no more is kept than the limit, once the frame was taken")
    func limitAtRest() throws {
        layer.byteLimit = 60 * tileBytes
        for scale in [1, 1.5, 2, 1.5, 1] {
            try layer.show(Rect(center: view.center, size: view.size * (1 / scale)), scale: scale)
            settle()
            simulation.advance(by: .milliseconds(1))
            #expect(layer.statistics.byteCount <= layer.byteLimit)
        }
    }

    @Test("a trim is announced")
    func trimIsAnnounced() throws {
        try layer.show(view, scale: 1)
        settle()
        var changes = 0
        layer.onChange = { changes += 1 }
        layer.trim()
        #expect(changes == 1)
        #expect(layer.takeChanges().removed.count == 8 * 7 - 6 * 5)
        simulation.advance(by: .seconds(10))
        #expect(changes == 1 && layer.takeChanges().added.isEmpty)
    }

    @Test("content that shrinks lets the pictures go that lie beyond its end")
    func shrunkContent() throws {
        try layer.show(view, scale: 1)
        settle()
        layer.documentSize = Size(width: 1_100, height: 1_100)
        settle()
        let end = layer.pipeline.levels.compactMap { $0.grid.tileWidth }.max()
        #expect(end != nil && layer.pipeline.tiles.values.allSatisfy { $0.frame.minX < 1_100 })
        #expect(layer.statistics.byteCount <= 4 * 4 * tileBytes)
    }

    @Test("pictures that were uploaded while they are drawn again are released, if that is cancelled")
    func uploadedWhileDrawing() throws {
        try layer.show(view, scale: 1)
        settle()
        let tile = try #require(layer.pipeline.inView.first)
        let count = layer.pipeline.byteCount
        layer.setNeedsDisplay(in: tile.frame.rect)
        turn()
        #expect(tile.state.isDrawing && layer.pipeline.byteCount > count)
        _ = layer.takeChanges()
        layer.didUpload(tile.id)
        #expect(layer.contents(of: tile.id) == nil)
        tile.painter.cancelDraw()
        simulation.runMainQueue()
        #expect(!tile.painter.hasPicture)
        settle()
        #expect(tile.state.isFresh && layer.pipeline.byteCount == count)
    }

    // MARK: Changes

    @Test("an edit moves no tile")
    func movedTiles() throws {
        try layer.show(view, scale: 1)
        settle()
        #expect(layer.takeChanges().isEmpty)
        layer.setNeedsDisplay(in: caret)
        turn()
        #expect(layer.takeChanges().isEmpty, "it is stale, and looks as it did")
        settle(turns: 0)
        pool.runAll()
        turn()
        let changes = layer.takeChanges()
        #expect(changes.moved == [] && changes.added == [] && changes.changed.count == 1)
    }

    @Test("what a blink damages in the view is the caret's rectangle")
    func damageOfView() throws {
        let screen = ShadowScreen(layer)
        try layer.show(view, scale: 1)
        drawAll()
        screen.drawFrame(width: 384, height: 320)
        screen.drawFrame(width: 384, height: 320)
        #expect(screen.newest.damage == [])
        content.value = 200
        layer.setNeedsDisplay(in: caret)
        drawAll()
        screen.drawFrame(width: 384, height: 320)
        // With a point around it.
        #expect(screen.newest.damage == [PixelRect(minX: 194, minY: 154, maxX: 200, maxY: 178)])
        try layer.show(view.moved(by: Point(x: 0, y: 1)), scale: 1)
        turn()
        #expect(layer.takeChanges().damage == [PixelRect(minX: 0, minY: 0, maxX: 384, maxY: 320)])
    }

    @Test("a program that has lost its textures gets all again", arguments: [false, true])
    func lostTextures(letsGo: Bool) throws {
        let document = ShapeDocument(size: Size(width: 4_000, height: 4_000), count: 500, seed: 3)
        layer.delegate = document
        let screen = ShadowScreen(layer)
        func draw() { screen.drawFrame(width: 384, height: 320, letsGo: letsGo) }
        try layer.show(view, scale: 1)
        drawAll()
        draw()
        screen.loseTextures()
        layer.forgetUploads()
        #expect(!layer.isComplete == letsGo)
        draw()
        #expect(screen.newest.removed == [] && screen.newest.changed.isEmpty)
        #expect(screen.newest.damage == [PixelRect(minX: 0, minY: 0, maxX: 384, maxY: 320)])
        drawAll()
        draw()
        #expect(layer.isComplete)
        let picture = try document.picture(scale: 1)
        #expect(screen.difference(from: picture, x: 1_024, y: 1_024) == 0)
    }

    @Test("the same view again is no turn")
    func sameView() throws {
        try layer.show(view, scale: 1)
        settle()
        let turn = layer.pipeline.lastTurn
        for _ in 0..<10 { try layer.show(view, scale: 1) }
        simulation.advance(by: .seconds(1))
        #expect(layer.pipeline.lastTurn == turn)
    }

    @Test("tiles of two layers have different names")
    func names() throws {
        let layers = [layer, Self.makeLayer(content, layer.pipeline.host)]
        for layer in layers { try layer.show(view, scale: 1) }
        for _ in 0..<20 {
            turn()
            pool.runAll()
        }
        let names = layers.map { Set($0.takeChanges().added) }
        #expect(!names[0].isEmpty && !names[1].isEmpty && names[0].isDisjoint(with: names[1]))
    }

    @Test("a failure is told when nothing of the layer is being changed")
    func failuresInTurn() throws {
        let simulation = Simulation(byteLimit: 1_000)
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), host: simulation.host
        )
        layer.delegate = content
        var wereUpdating: [Bool] = []
        layer.onFailure = { _ in wereUpdating.append(layer.pipeline.isUpdating) }
        // A tile that the budget of memory does not allow fails in the call.
        try layer.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(!wereUpdating.isEmpty && wereUpdating.allSatisfy { !$0 })
    }

    @Test("former pictures of tiles that are damaged have a bound, though the tier background never runs")
    func formerPictures() throws {
        try layer.show(view, scale: 1)
        var most = 0
        for round in 0..<100 {
            if round % 2 == 0 { _ = layer.takeChanges() }
            layer.setNeedsDisplay(in: view)
            for _ in 0..<4 {
                turn()
                for tier in [QoSTier.userInteractive, .userInitiated] { pool.runAll(qos: tier) }
                most = max(most, layer.pipeline.host.unreleasedByteCount)
            }
        }
        #expect(layer.statistics.draws[.damage] ?? 0 >= 2_500)
        // Beside those that wait, the pictures of a turn and of two draws for each tile in view.
        #expect(most <= (16 << 20) + (90 << 16))
        #expect(most > 8 << 20)
        pool.runAll(qos: .background)
        #expect(layer.pipeline.host.unreleasedByteCount == 0)
        end(pool)
    }

    @Test("a full tier is tried now and then, and only what was drawn counts")
    func fullTier() throws {
        let pool = try ManualPool(queuesPerTier: 2, capacity: .each(2))
        let layer = Self.makeLayer(content, Self.host(pool, simulation))
        try layer.show(Rect(x: 0, y: 0, width: 640, height: 640), scale: 1)
        for _ in 0..<2_000 where !layer.isComplete {
            turn()
            pool.runAll()
        }
        #expect(layer.isComplete)
        #expect(layer.statistics.draws[.first] == 100)
        let refused = pool.statistics[.userInitiated].refused
        #expect(refused > 0 && refused <= 40, "\(refused) refused jobs for 100 tiles")
        end(pool)
    }

    @Test("an edit that was refused after a tile is tried again, though nothing else happens")
    func twoRefusals() throws {
        let pool = try ManualPool(queuesPerTier: 1, capacity: [.userInitiated: 1, .userInteractive: 1])
        let layer = Self.makeLayer(content, Self.host(pool, simulation))
        try layer.show(Rect(x: 1_024, y: 1_024, width: 64, height: 64), scale: 1)
        end(pool)
        for tier in [QoSTier.userInitiated, .userInteractive] { try pool.async(qos: tier) {} }
        try layer.show(Rect(x: 1_024, y: 1_024, width: 320, height: 64), scale: 1)
        simulation.advance(by: .milliseconds(5))
        layer.setNeedsDisplay(in: Rect(x: 1_030, y: 1_030, width: 2, height: 20))
        turn()
        #expect(pool.statistics[.userInitiated].refused > 0 && pool.statistics[.userInteractive].refused > 0)
        for _ in 0..<40 {
            for tier in [QoSTier.userInitiated, .userInteractive] { pool.runAll(qos: tier) }
            turn()
        }
        #expect(layer.isComplete)
        end(pool)
    }

    @Test("a full tier of tiles out of view holds no edit up")
    func fullLowTier() throws {
        let pool = try ManualPool(queuesPerTier: 2, capacity: [.utility: 1])
        let layer = Self.makeLayer(content, Self.host(pool, simulation))
        try layer.show(view, scale: 1)
        for _ in 0..<5 {
            turn()
            pool.runAll(qos: .userInitiated)
        }
        #expect(layer.isComplete && pool.statistics[.utility].refused > 0)
        layer.setNeedsDisplay(in: caret)
        turn()
        #expect(pool.runAll(qos: .userInteractive) == 1)
        turn()
        #expect(layer.isComplete)
        end(pool)
    }

    @Test("a stale tile that comes back into view does not cover what is newer there")
    func staleTileComesBack() throws {
        layer.overviewScale = 1.0 / 16
        try layer.show(view, scale: 1)
        settle()
        try layer.show(view.moved(by: Point(x: 1_024, y: 0)), scale: 1)
        settle()
        layer.setNeedsDisplay(in: caret)
        settle()
        #expect(layer.statistics.draws[.overview] == 2)
        try layer.show(view, scale: 1)
        let changes = layer.takeChanges()
        #expect(changes.coverage.stale == 0 && changes.coverage.coarse == 64 * 64)
        settle()
    }

    @Test("a window that closes with an update pending is gone, with its pictures")
    func closedWindow() throws {
        var own: Simulation? = Simulation()
        var layer: TiledLayer<BitmapRenderer>? = own.map {
            TiledLayer(
                renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), host: $0.host)
        }
        let document = ShapeDocument(size: Size(width: 4_000, height: 4_000), count: 100, seed: 1)
        layer?.delegate = document
        try layer?.show(view, scale: 1)
        own?.advance(by: .seconds(1))
        layer?.setNeedsDisplay()
        weak let queue = own?.transactions
        weak let host = own?.host
        weak let pipeline = layer?.pipeline
        #expect(queue != nil && host != nil && pipeline != nil)
        (layer, own) = (nil, nil)
        #expect(queue == nil && host == nil && pipeline == nil)
        withExtendedLifetime(document) {}
    }
}
