import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

/// A renderer that cannot copy pictures.
private struct WholeRenderer: Renderer {
    private let base = BitmapRenderer()

    func byteCount(of description: ContextDescription) -> Int { base.byteCount(of: description) }

    func makeContext(_ description: ContextDescription) throws -> BitmapContext {
        try base.makeContext(description)
    }

    func fill(_ context: BitmapContext, with color: Color) { base.fill(context, with: color) }

    func makeContents(from context: BitmapContext) throws -> Bitmap { base.makeContents(from: context) }
}

/// Discs of which one moves, translucent, so that what is drawn twice is seen.
@MainActor
private final class Discs<R: Renderer>: TiledLayerDelegate where R.Context == BitmapContext {
    var moving = Point(x: 40, y: 40)
    let areas = Recorder<Rect>()
    /// Fails the next draw after it has drawn.
    var error: (any Error)?

    nonisolated static func frame(_ point: Point) -> Rect {
        Rect(center: point, size: Size(width: 20, height: 20))
    }

    func drawing(for _: TiledLayer<R>) -> TiledLayer<R>.Draw? {
        { [moving, areas, error] context, scope in
            areas.append(scope.area)
            let discs = (0..<64).map { Point(x: Double($0 % 8) * 33, y: Double($0 / 8) * 33) } + [moving]
            for disc in discs where Self.frame(disc).intersects(scope.area) {
                context.fillEllipse(
                    in: Self.frame(disc), with: .color(Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)))
            }
            if let error { throw error }
        }
    }
}

@Suite("Draws of a part of a tile")
@MainActor
struct PartialDrawTests {
    private struct Refusal: Error {}
    private let simulation = Simulation()
    private let extent = 128.0

    private func makeLayer<R: Renderer>(_ renderer: R, _ content: Discs<R>) throws -> TiledLayer<R> {
        let layer = TiledLayer(
            renderer: renderer, documentSize: Size(width: 1_000, height: 1_000), tileExtent: 64,
            host: simulation.host)
        layer.delegate = content
        try layer.show(Rect(x: 0, y: 0, width: extent, height: extent), scale: 1)
        settle()
        _ = content.areas.takeAll()
        return layer
    }

    private func settle() { simulation.advance(by: .seconds(1)) }

    private func move<R>(_ content: Discs<R>, of layer: TiledLayer<R>, to point: Point) {
        layer.setNeedsDisplay(in: Discs<R>.frame(content.moving))
        content.moving = point
        layer.setNeedsDisplay(in: Discs<R>.frame(point))
    }

    /// How many pixels differ from those that a new layer draws.
    private func difference(
        _ layer: TiledLayer<BitmapRenderer>, _ content: Discs<BitmapRenderer>
    ) throws -> Int {
        let screens = try [layer, makeLayer(BitmapRenderer(), content)].map { layer in
            layer.forgetUploads()
            settle()
            let screen = ShadowScreen(layer)
            screen.drawFrame(width: Int(extent), height: Int(extent))
            return screen
        }
        return zip(screens[0].pixels, screens[1].pixels).count { $0 != $1 }
    }

    @Test("an edit draws the pixels that it has changed, and the picture is the whole's")
    func edit() throws {
        let content = Discs<BitmapRenderer>()
        let layer = try makeLayer(BitmapRenderer(), content)
        move(content, of: layer, to: Point(x: 44, y: 41))
        settle()
        // With the outset for strokes twice: of the damage, and of what reaches into it.
        let damage = Discs<BitmapRenderer>.frame(Point(x: 42, y: 40.5)).inset(by: -6)
        #expect(content.areas.elements.count == 1)
        #expect(content.areas.elements.allSatisfy { damage.contains($0) })
        #expect(try difference(layer, content) == 0)
        // Both tiles that it lies in, and edits over edits.
        for step in 0..<20 {
            move(content, of: layer, to: Point(x: 44 + Double(step), y: 41 + 1.5 * Double(step)))
            settle()
        }
        #expect(try difference(layer, content) == 0)
    }

    @Test("a renderer that cannot copy pictures draws whole tiles")
    func wholeTiles() throws {
        let content = Discs<WholeRenderer>()
        let layer = try makeLayer(WholeRenderer(), content)
        move(content, of: layer, to: Point(x: 44, y: 41))
        settle()
        #expect(content.areas.elements == [Rect(x: -2, y: -2, width: 69, height: 69)])
    }

    @Test("a tile whose pixels were released is drawn whole, and then in part")
    func released() throws {
        let content = Discs<BitmapRenderer>()
        let layer = try makeLayer(BitmapRenderer(), content)
        for id in layer.takeChanges().added { layer.didUpload(id) }
        move(content, of: layer, to: Point(x: 42, y: 41))
        settle()
        #expect(content.areas.takeAll().map(\.size.width) == [69])
        move(content, of: layer, to: Point(x: 44, y: 41))
        settle()
        #expect(content.areas.elements.map { $0.size.width < 40 } == [true])
        #expect(try difference(layer, content) == 0)
    }

    @Test("a draw that fails in the middle changes no picture, and the next one draws what is missing")
    func failure() throws {
        let content = Discs<BitmapRenderer>()
        let layer = try makeLayer(BitmapRenderer(), content)
        content.error = Refusal()
        move(content, of: layer, to: Point(x: 44, y: 41))
        settle()
        content.error = nil
        move(content, of: layer, to: Point(x: 20, y: 20))
        settle()
        #expect(layer.statistics.failures == 1 && layer.isComplete)
        #expect(try difference(layer, content) == 0)
    }

    @Test("a background lies under each tile, whole or in part, and to change it draws all")
    func background() throws {
        let content = Discs<BitmapRenderer>()
        let layer = try makeLayer(BitmapRenderer(), content)
        layer.background = .opaque(Color(red: 0, green: 0, blue: 1))
        #expect(!layer.isComplete)
        settle()
        move(content, of: layer, to: Point(x: 44, y: 41))
        settle()
        let screen = ShadowScreen(layer)
        screen.drawFrame(width: Int(extent), height: Int(extent))
        #expect(screen.pixels.allSatisfy { $0 >> 24 == 255 })
        #expect(screen.pixels[16 * Int(extent) + 16] == 0xFFFF_0000)
        #expect(screen.pixels.contains { $0 & 255 > 0 })
        // As another layer with this background from the beginning.
        let other = try makeLayer(BitmapRenderer(), content)
        other.background = layer.background
        settle()
        let second = ShadowScreen(other)
        second.drawFrame(width: Int(extent), height: Int(extent))
        #expect(screen.pixels == second.pixels)
    }

    @Test("pens of constant width reach beyond the damage by pixels, at any scale")
    func pixelOutset() throws {
        let content = Discs<BitmapRenderer>()
        let layer = try makeLayer(BitmapRenderer(), content)
        try layer.show(Rect(x: 0, y: 0, width: 4 * extent, height: 4 * extent), scale: 0.25)
        (layer.damageOutset, layer.damagePixelOutset) = (0, 3)
        settle()
        _ = content.areas.takeAll()
        layer.setNeedsDisplay(in: Rect(x: 100, y: 100, width: 8, height: 8))
        settle()
        // Three pixels of four points around the damage, and again around what is drawn.
        #expect(content.areas.elements == [Rect(x: 76, y: 76, width: 56, height: 56)])
        for outset in [Int.min, -1, .max] {
            layer.damagePixelOutset = outset
            layer.setNeedsDisplay(in: Rect(x: 100, y: 100, width: 8, height: 8))
            settle()
            #expect(layer.isComplete)
        }
    }
}

@Suite("Textures of tiles")
@MainActor
struct TileTexturesTests {
    private let simulation = Simulation()
    private let content = Discs<BitmapRenderer>()
    private let layer: TiledLayer<BitmapRenderer>
    private let textures = TileTextures<Bitmap>()

    init() throws {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), tileExtent: 64,
            host: simulation.host)
        layer.delegate = content
        try show(0)
    }

    private func show(_ x: Double) throws {
        try layer.show(Rect(x: x, y: 0, width: 128, height: 128), scale: 1)
        simulation.advance(by: .seconds(1))
    }

    private func edit() {
        layer.setNeedsDisplay(in: Rect(x: 30, y: 30, width: 2, height: 8))
        simulation.advance(by: .seconds(1))
    }

    @Test("are made once, changed where their tiles have changed, and removed with them")
    func life() throws {
        layer.byteLimit = 66 * 66 * 4 * 9
        let frame = textures.update(from: layer) { bitmap, former in
            #expect(former == nil)
            return bitmap
        }
        #expect(frame.placed.count == 4 && frame.changes.coverage.sharp == 128 * 128)
        #expect(frame.changes.added.allSatisfy { layer.contents(of: $0) == nil })
        let first = try #require(
            frame.placed.first { $0.place.destination.minX + $0.place.destination.minY == 0 })
        edit()
        var uploads: [PixelRect] = []
        let second = textures.update(from: layer) { bitmap, former in
            #expect(former?.texture === first.texture)
            uploads.append(former?.pixels ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0))
            return bitmap
        }
        #expect(uploads == [PixelRect(minX: 28, minY: 28, maxX: 34, maxY: 40)])
        #expect(second.placed.count == 4)
        // Kept, for the next edit to begin with.
        #expect(second.changes.changed.allSatisfy { layer.contents(of: $0.id) != nil })
        var removed = 0
        try show(2_000)
        _ = textures.update(from: layer, upload: { bitmap, _ in bitmap }, remove: { _ in removed += 1 })
        simulation.advance(by: .seconds(1))
        _ = textures.update(from: layer, upload: { bitmap, _ in bitmap }, remove: { _ in removed += 1 })
        #expect(removed > 0 && textures.count <= 9)
    }

    @Test("for which there is no room are tried in each frame, and lose nothing")
    func noRoom() throws {
        var frame = textures.update(from: layer) { _, _ in nil }
        #expect(frame.placed.isEmpty && textures.count == 0 && !frame.isComplete)
        frame = textures.update(from: layer) { bitmap, _ in bitmap }
        #expect(frame.placed.count == 4 && frame.isComplete)
        // A program that keeps its composed picture has to compose them now.
        #expect(frame.changes.damage == [PixelRect(minX: 0, minY: 0, maxX: 128, maxY: 128)])
        edit()
        let whole = PixelRect(minX: 0, minY: 0, maxX: 65, maxY: 65)
        frame = textures.update(from: layer) { _, former in
            #expect(former?.pixels.area ?? 0 < 200)
            return nil
        }
        #expect(frame.placed.count == 4 && !frame.isComplete && frame.changes.damage.count == 1)
        // An error in the middle of a frame. The texture so far is given again, so no second one is needed.
        struct Lost: Error {}
        #expect(throws: Lost.self) {
            try textures.update(from: layer) { _, former throws -> Bitmap? in
                #expect(former?.pixels == whole)
                throw Lost()
            }
        }
        var uploads = 0
        frame = textures.update(from: layer) { bitmap, former in
            #expect(former?.pixels == whole)
            uploads += 1
            return bitmap
        }
        #expect(uploads == 1 && frame.placed.count == 4 && frame.isComplete)
        #expect(frame.changes.damage.map(\.area) == [128 * 128])
        frame = textures.update(from: layer) { _, _ in nil }
        #expect(frame.placed.count == 4 && frame.changes.isEmpty)
    }

    @Test("a closure may call the layer, and a tile that is removed before it was uploaded is forgotten")
    func callingBack() throws {
        let frame = textures.update(from: layer) { bitmap, _ in
            layer.trim()
            try? layer.show(Rect(x: 2_000, y: 2_000, width: 64, height: 64), scale: 1)
            return nil
        }
        #expect(!frame.isComplete)
        for _ in 0..<3 {
            simulation.advance(by: .seconds(1))
            _ = textures.update(from: layer) { bitmap, _ in bitmap }
        }
        let last = textures.update(from: layer) { bitmap, _ in bitmap }
        #expect(last.isComplete && last.changes.coverage.sharp == 64 * 64)
    }

    @Test("a tile that is drawn again whole releases its pixels")
    func wholeChange() throws {
        _ = textures.update(from: layer) { bitmap, _ in bitmap }
        layer.setNeedsDisplay()
        simulation.advance(by: .seconds(1))
        let frame = textures.update(from: layer) { bitmap, _ in bitmap }
        #expect(frame.changes.changed.count >= 4)
        #expect(frame.changes.changed.allSatisfy { layer.contents(of: $0.id) == nil })
    }

    @Test("are of one layer: another one traps, and says why")
    func twoLayers() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let textures = TileTextures<Bitmap>()
                let layers = (0..<2).map { _ in
                    TiledLayer(renderer: BitmapRenderer(), documentSize: Size(width: 9, height: 9))
                }
                for layer in layers { _ = textures.update(from: layer) { bitmap, _ in bitmap } }
            }
        }
        #expect(result.message.contains("a TileTextures serves one layer"))
    }

    @Test("that are lost are made again, also of tiles whose pixels were released")
    func lost() throws {
        _ = textures.update(from: layer) { bitmap, _ in bitmap }
        edit()
        _ = textures.update(from: layer) { bitmap, _ in bitmap }
        textures.removeAll(of: layer)
        #expect(textures.count == 0)
        simulation.advance(by: .seconds(1))
        let frame = textures.update(from: layer) { bitmap, former in
            #expect(former == nil)
            return bitmap
        }
        #expect(frame.placed.count == 4 && frame.changes.coverage.sharp == 128 * 128)
    }
}
