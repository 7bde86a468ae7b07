import AsyncLayers
import BitmapRendering
import QueuePoolsLocks
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

@Suite("Tiled layers")
@MainActor
struct TiledLayerTests {
    private func makeLayer(
        _ document: ShapeDocument, _ simulation: Simulation, tileExtent: Int? = 64
    ) -> TiledLayer<BitmapRenderer> {
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: tileExtent,
            host: simulation.host)
        layer.delegate = document
        return layer
    }

    @Test(
        "tiles side by side are the picture of one context, byte for byte",
        arguments: [1, 1.1, 1.25, 1.5, 2, 3])
    func equalsOnePicture(scale: Double) throws {
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 530, height: 210), count: 120, seed: 7)
        let layer = makeLayer(document, simulation)
        let screen = ShadowScreen(layer)
        try layer.show(Rect(size: document.size), scale: scale)
        simulation.run()
        #expect(layer.isComplete)
        let picture = try document.picture(scale: scale)
        screen.drawFrame(width: picture.pixelWidth, height: picture.pixelHeight)
        #expect(screen.difference(from: picture, x: 0, y: 0) == 0)
        #expect(screen.newest.added.count >= 36)
    }

    @Test("small content is one tile")
    func singleTile() throws {
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 512, height: 300), count: 20, seed: 1)
        let layer = makeLayer(document, simulation)
        try layer.show(Rect(x: 0, y: 0, width: 512, height: 300), scale: 1)
        simulation.run()
        #expect(layer.takeChanges().added.count == 1)
    }

    @Test("at rest nothing is drawn, and a caret's blink draws no more than four tiles")
    func atRest() throws {
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 3_000, height: 3_000), count: 200, seed: 3)
        let layer = makeLayer(document, simulation)
        try layer.show(Rect(x: 500, y: 500, width: 800, height: 600), scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        let draws = layer.statistics.draws
        for _ in 0..<100 { simulation.advance(by: .milliseconds(16)) }
        #expect(layer.statistics.draws == draws)
        #expect(document.snapshotCount == 1)

        layer.setNeedsDisplay(in: Rect(x: 700, y: 700, width: 2, height: 20))
        simulation.advance(by: .seconds(1))
        let damaged = layer.statistics.draws[.damage] ?? 0
        #expect((1...4).contains(damaged - (draws[.damage] ?? 0)))
        let changes = layer.takeChanges()
        #expect(changes.added.isEmpty && changes.moved.isEmpty && changes.removed.isEmpty)
        #expect(changes.changed.map(\.pixels.area).reduce(0, +) <= 4 * 24 * 6)
    }

    @Test("what one edit changes in view appears in one frame", arguments: 1...6)
    func edits(seed: UInt64) throws {
        let simulation = Simulation(order: .seeded(seed))
        let document = ShapeDocument(size: Size(width: 1_000, height: 1_000), count: 1, seed: seed)
        let area = Rect(x: 40, y: 40, width: 150, height: 140)
        func paint(_ shade: Int) {
            let color = Color(red: Double(shade) / 255, green: 0.5, blue: 0.25, alpha: 1)
            document.replaceAll(with: ShapeDocument.Shape(rect: area, color: color, isEllipse: false))
        }
        document.beforeDraw = { simulation.spend(.milliseconds(1)) }
        paint(0)
        let layer = makeLayer(document, simulation)
        let screen = ShadowScreen(layer)
        try layer.show(Rect(x: 0, y: 0, width: 256, height: 256), scale: 1)
        simulation.advance(by: .seconds(1))
        screen.drawFrame(width: 256, height: 256)
        var shown = 0
        for edit in 1...30 {
            paint(edit)
            layer.setNeedsDisplay(in: area)
            simulation.advance(by: .milliseconds(16))
            screen.drawFrame(width: 256, height: 256)
            let shades = Set(
                (50..<180).flatMap { y in stride(from: 50, to: 180, by: 7).map { screen.red(x: $0, y: y) } })
            #expect(shades.count == 1, "frame \(edit)")
            let shade = try #require(shades.first)
            #expect(shade >= shown, "an older picture was shown after a newer one")
            #expect(shade >= edit - 3, "an edit takes more than three frames")
            shown = shade
        }
    }

    @Test("a failed tile keeps what it shows, and is tried again on request and on damage")
    func failures() throws {
        struct Failure: Error {}
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 1_000, height: 1_000), count: 300, seed: 5)
        let layer = makeLayer(document, simulation)
        let screen = ShadowScreen(layer)
        var failures = 0
        layer.onFailure = { _ in failures += 1 }
        try layer.show(Rect(x: 0, y: 0, width: 200, height: 200), scale: 1)
        simulation.advance(by: .seconds(1))
        screen.drawFrame(width: 200, height: 200)
        let former = screen.pixels

        document.beforeDraw = { throw Failure() }
        let damage = Rect(x: 60, y: 60, width: 10, height: 10)
        layer.setNeedsDisplay(in: damage)
        simulation.advance(by: .seconds(1))
        screen.drawFrame(width: 200, height: 200)
        #expect(failures == 4)
        #expect(screen.pixels == former)
        #expect(layer.isComplete)
        simulation.advance(by: .seconds(1))
        #expect(failures == 4)

        document.beforeDraw = nil
        layer.setNeedsDisplay(in: document.edit().union(damage))
        simulation.advance(by: .seconds(1))
        screen.drawFrame(width: 200, height: 200)
        #expect(screen.difference(from: try document.picture(scale: 1), x: 0, y: 0) == 0)
    }

    @Test("damage is kept if a draw of it is cancelled, or fails, while an older picture waits for its edit")
    func keptDamage() throws {
        struct Failure: Error {}
        for fails in [false, true] {
            let simulation = Simulation()
            let document = ShapeDocument(size: Size(width: 3_000, height: 400), count: 0, seed: 5)
            let area = Rect(x: 10, y: 10, width: 180, height: 100)
            func paint(_ red: Double) {
                let color = Color(red: red, green: 0, blue: 0)
                document.replaceAll(with: ShapeDocument.Shape(rect: area, color: color, isEllipse: false))
            }
            paint(0)
            let layer = makeLayer(document, simulation)
            let screen = ShadowScreen(layer)
            try layer.show(Rect(x: 0, y: 0, width: 192, height: 128), scale: 1)
            simulation.advance(by: .seconds(1))
            paint(0.5)
            layer.setNeedsDisplay(in: area)
            simulation.flush()
            // One of the tiles is drawn, and waits for the others.
            simulation.runNext()
            simulation.runMainQueue()
            paint(1)
            let isFailing = Lock(fails)
            document.beforeDraw = { if isFailing.withLock({ $0 }) { throw Failure() } }
            layer.setNeedsDisplay(in: area)
            simulation.flush()
            simulation.flush()
            if !fails { try layer.show(Rect(x: 2_000, y: 0, width: 192, height: 128), scale: 1) }
            simulation.advance(by: .seconds(1))
            isFailing.withLock { $0 = false }
            if fails { layer.setNeedsDisplay(in: area) }
            try layer.show(Rect(x: 0, y: 0, width: 192, height: 128), scale: 1)
            simulation.advance(by: .seconds(1))
            screen.drawFrame(width: 192, height: 128)
            #expect(screen.difference(from: try document.picture(scale: 1), x: 0, y: 0) == 0)
        }
    }

    @Test("a layer without content is complete, and draws what was damaged meanwhile once there is some")
    func noContent() throws {
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 800, height: 700), count: 30, seed: 5)
        let layer = makeLayer(document, simulation)
        let screen = ShadowScreen(layer)
        func drawFrame() throws {
            simulation.advance(by: .seconds(1))
            #expect(layer.isComplete)
            screen.drawFrame(width: 800, height: 700)
        }
        try layer.show(Rect(size: document.size), scale: 1)
        try drawFrame()
        document.isEmpty = true
        layer.setNeedsDisplay(in: document.edit())
        try drawFrame()
        layer.setNeedsDisplay(in: document.edit())
        try drawFrame()
        document.isEmpty = false
        layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 1, height: 1))
        try drawFrame()
        #expect(screen.difference(from: try document.picture(scale: 1), x: 0, y: 0) == 0)
    }

    @Test("content of 2³¹ pixels a side is drawn to its end as anywhere, by strokes, fills and edits")
    func farAway() throws {
        let end = Double(1 << 31)
        let simulation = Simulation()
        let content = Signs(place: Point(x: end - 220.5, y: end - 180.25))
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: end / 2, height: end / 2),
            host: simulation.host)
        layer.delegate = content
        let screen = ShadowScreen(layer)
        for (scale, pixels) in [(2.0, end), (0.5, end / 4)] {
            content.place = Point(x: (pixels - 220.5) / scale, y: (pixels - 180.25) / scale)
            layer.setNeedsDisplay()
            let origin = Point(x: (pixels - 400) / scale, y: (pixels - 300) / scale)
            try layer.show(
                Rect(origin: origin, size: Size(width: 400, height: 300) * (1 / scale)), scale: scale)
            for _ in 0..<3 {
                simulation.advance(by: .seconds(1))
                screen.drawFrame(width: 400, height: 300)
                #expect(screen.newest.coverage.sharp == 400 * 300)
                let wanted = try BitmapContext(
                    pixelWidth: 400, pixelHeight: 300, scale: scale, pixelOriginX: Int(pixels) - 400,
                    pixelOriginY: Int(pixels) - 300)
                content.draw(in: wanted)
                #expect(screen.difference(from: wanted.makeBitmap(), x: 0, y: 0) == 0)
                layer.setNeedsDisplay(in: content.frame)
                content.place.x += 7.25
                layer.setNeedsDisplay(in: content.frame)
            }
        }
    }

    @Test("views that cannot be are refused")
    func invalidViews() {
        let simulation = Simulation()
        let document = ShapeDocument(size: Size(width: 1_000, height: 1_000), count: 1, seed: 5)
        let layer = makeLayer(document, simulation)
        let view = Rect(x: 0, y: 0, width: 10, height: 10)
        for scale in [0, -1, Double.nan, .infinity] {
            #expect(throws: TiledLayerError.self) { try layer.show(view, scale: scale) }
        }
        for rect in [
            Rect.zero, Rect(x: .nan, y: 0, width: 1, height: 1),
            Rect(x: 0, y: 0, width: .infinity, height: 1),
            Rect(x: 0, y: 0, width: 1e6, height: 1),
        ] {
            #expect(throws: TiledLayerError.self) { try layer.show(rect, scale: 1) }
        }
        #expect(throws: TiledLayerError.tooManyPixels(scale: 1e7)) {
            try layer.show(Rect(x: 0, y: 0, width: 0.001, height: 0.001), scale: 1e7)
        }
        simulation.advance(by: .seconds(1))
        #expect(layer.takeChanges().placed.isEmpty)
    }
}

/// Something with thin lines, anywhere.
@MainActor
private final class Signs: TiledLayerDelegate {
    var place: Point

    init(place: Point) { self.place = place }

    var frame: Rect { Rect(origin: place, size: Size(width: 41, height: 41)) }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [place] context, _ in Self.draw(at: place, in: context) }
    }

    func draw(in context: BitmapContext) { Self.draw(at: place, in: context) }

    private nonisolated static func draw(at place: Point, in context: BitmapContext) {
        let red = Color(red: 1, green: 0, blue: 0, alpha: 0.6)
        context.fill(Rect(x: place.x, y: place.y, width: 30, height: 20), cornerRadius: 6, with: .color(red))
        context.fillEllipse(in: Rect(x: place.x + 5, y: place.y, width: 35, height: 35), with: .color(red))
        context.stroke(
            [place, Point(x: place.x + 40, y: place.y + 31), Point(x: place.x, y: place.y + 40)], width: 1,
            with: .color(.black))
    }
}
