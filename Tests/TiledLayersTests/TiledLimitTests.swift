import AsyncLayers
import BitmapRendering
import QueuePoolsSimulations
import TestSupport
import Testing
import TiledLayers

/// Content of one colour.
@MainActor
private final class Plain: TiledLayerDelegate {
    var isThere = true
    var beforeDraw: (@Sendable (TileScope) throws -> Void)?
    var onAsked: (@MainActor () -> Void)?

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        onAsked?()
        guard isThere else { return nil }
        return { [beforeDraw] context, scope in
            try beforeDraw?(scope)
            context.fill(scope.area, with: .color(Color(red: 0, green: 0, blue: 1)))
        }
    }
}

@Suite("Limits of tiled layers")
@MainActor
struct TiledLimitTests {
    private let simulation = Simulation()
    private let content = Plain()
    private let tileBytes = 66 * 66 * 4
    private let view = Rect(x: 1_024, y: 1_024, width: 256, height: 192)

    private func makeLayer(_ extent: Double = 4_000) -> TiledLayer<BitmapRenderer> {
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: extent, height: extent), tileExtent: 64,
            host: simulation.host)
        layer.delegate = content
        return layer
    }

    @Test("the whole content is shown after a part from very near, at once")
    func zoomFarOut() throws {
        let layer = makeLayer(1_000)
        try layer.show(Rect(x: 0, y: 0, width: 0.4, height: 0.4), scale: 600)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        try layer.show(Rect(x: 0, y: 0, width: 1_000, height: 1_000), scale: 0.5)
        // Of the fine level 88 million tiles would be in view: a list of them takes a minute.
        #expect(ContinuousClock().measure { _ = layer.takeChanges() } < .seconds(5))
        simulation.advance(by: .seconds(1))
        #expect(layer.takeChanges().coverage.sharp == 500 * 500)
    }

    @Test("tiles are drawn ahead also when memory is full of what was seen before")
    func aheadInFullMemory() throws {
        let layer = makeLayer(20_000)
        layer.byteLimit = 120 * tileBytes
        var draws: [Int] = []
        for frame in 0..<600 {
            try layer.show(
                Rect(x: Double(frame) * 8, y: 0, width: 256, height: 192), scale: 1, isMoving: true)
            simulation.advance(by: .milliseconds(16))
            #expect(frame == 0 || layer.takeChanges().coverage.blank == 0)
            if frame % 200 == 199 { draws.append(layer.statistics.draws[.ahead] ?? 0) }
            #expect(layer.statistics.byteCount <= layer.byteLimit)
        }
        #expect(draws[2] - draws[1] >= 75, "three of each column, and 25 columns: \(draws)")
    }

    @Test("which pictures go first when memory is short: those that were in view longest ago")
    func evictionOrder() throws {
        let layer = makeLayer()
        let places = [(0, 0), (2_048, 0), (0, 2_048), (2_048, 2_048), (1_024, 1_024)].map {
            Rect(x: Double($0.0), y: Double($0.1), width: 256, height: 192)
        }
        var tiles: [Int: Set<TileID>] = [:]
        // The second one is seen again after the others.
        for index in [0, 1, 2, 3, 1, 4] {
            try layer.show(places[index], scale: 1)
            simulation.advance(by: .seconds(1))
            tiles[index] = Set(layer.takeChanges().placed.map(\.id))
        }
        var gone: [Int] = []
        // A picture or two at a time.
        while layer.statistics.byteCount > 12 * tileBytes {
            layer.trim(toBytes: layer.statistics.byteCount - tileBytes)
            for id in layer.takeChanges().removed {
                guard let index = tiles.first(where: { $0.value.contains(id) })?.key else { continue }
                tiles[index]?.remove(id)
                if tiles[index]?.isEmpty == true { gone.append(index) }
            }
        }
        #expect(gone == [0, 2, 3, 1])
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
    }

    @Test("on request all is let go but what is in view, also what lies around it")
    func trimmed() throws {
        let layer = makeLayer()
        try layer.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        #expect(layer.statistics.byteCount > 12 * tileBytes)
        layer.trim()
        #expect(layer.statistics.byteCount == 12 * tileBytes)
        // Until the view changes nothing is drawn around it, also when it is drawn again.
        layer.setNeedsDisplay(in: view)
        try layer.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(layer.statistics.byteCount == 12 * tileBytes)
        try layer.show(view.moved(by: Point(x: 64, y: 0)), scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        #expect(layer.statistics.byteCount > 12 * tileBytes)
        layer.byteLimit = 0
        simulation.advance(by: .seconds(1))
        #expect(layer.statistics.byteCount == 12 * tileBytes)
        #expect(layer.isComplete)
    }

    @Test("a view that has come in this turn is not let go", arguments: [1, 0.5])
    func trimmedBeforeTheTurnEnds(scale: Double) throws {
        let layer = makeLayer()
        let first = Rect(x: 0, y: 0, width: 256 / scale, height: 192 / scale)
        for (visible, scale) in [(first, scale), (view, 1)] {
            try layer.show(visible, scale: scale)
            simulation.advance(by: .seconds(1))
            _ = layer.takeChanges()
        }
        try layer.show(first, scale: scale)
        layer.trim()
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
    }

    @Test("what is in view stays also if nothing is drawn any more")
    func trimmedWithoutContent() throws {
        let layer = makeLayer()
        try layer.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        layer.delegate = nil
        layer.byteLimit = 0
        simulation.advance(by: .seconds(1))
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
    }

    @Test("a view between pixels is covered to its edges", arguments: [0.25, 0.5, 0.75])
    func fractionalView(origin: Double) throws {
        let layer = makeLayer()
        try layer.show(Rect(x: origin, y: origin, width: 127.5, height: 127.5), scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        let coverage = layer.takeChanges().coverage
        #expect(coverage.sharp >= 127 * 127)
        #expect(coverage.blank == 0)
    }

    @Test("stretched tiles reach to the end of the content, and no place reads beyond its tile's picture")
    func contentEnd() throws {
        // A whole number of tiles; its extent at other scales is rounded up.
        let layer = makeLayer(1_024)
        let visible = Rect(x: 0, y: 0, width: 1_100, height: 1_100)
        try layer.show(visible, scale: 1)
        simulation.advance(by: .seconds(1))
        _ = layer.takeChanges()
        for step in 1...60 {
            try layer.show(visible, scale: 1 - Double(step) * 0.0131, isMoving: true)
            let changes = layer.takeChanges()
            #expect(changes.coverage.blank == 0, "step \(step)")
            for place in changes.placed {
                let picture = try #require(layer.contents(of: place.id))
                let (width, height) = (Double(picture.pixelWidth), Double(picture.pixelHeight))
                #expect(Rect(x: 0, y: 0, width: width, height: height).contains(place.source))
                #expect(!place.source.isEmpty)
            }
        }
    }

    @Test("extreme scales are refused, and a movement between extreme ones ends at the last one")
    func extremeScales() throws {
        let layer = makeLayer(10)
        let visible = Rect(x: 0, y: 0, width: 10, height: 10)
        for scale in [Double.leastNonzeroMagnitude, 1e-13, 1e13, .greatestFiniteMagnitude] {
            #expect(throws: TiledLayerError.invalidScale(scale)) { try layer.show(visible, scale: scale) }
        }
        for scale in [1e-12, 1, 1e-12, 1e6, 1] {
            let visible = Rect(x: 0, y: 0, width: min(10, 1_000 / scale), height: min(10, 1_000 / scale))
            try layer.show(visible, scale: scale, isMoving: true)
            simulation.advance(by: .milliseconds(50))
            _ = layer.takeChanges()
        }
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(layer.takeChanges().coverage.sharp == 100)
    }

    @Test("a layer whose delegate draws nothing any more keeps what it shows, and settles")
    func nothingToDraw() async throws {
        let layer = makeLayer()
        try layer.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        content.isThere = false
        layer.setNeedsDisplay()
        #expect(!layer.isComplete)
        let waiter = Task { await layer.settled() }
        await Task.yield()
        simulation.flush()
        #expect(layer.isComplete)
        await waiter.value
        #expect(layer.takeChanges().coverage.stale == 256 * 192)
        content.isThere = true
        layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 1, height: 1))
        simulation.advance(by: .seconds(1))
        #expect(layer.isComplete)
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
    }

    @Test("what a layer calls may release the last reference to it", arguments: 0...2)
    func release(from callback: Int) throws {
        struct Failure: Error {}
        final class Owner { var layer: TiledLayer<BitmapRenderer>? }
        let owner = Owner()
        owner.layer = makeLayer()
        weak let gone = owner.layer
        var calls = 0
        func release() {
            calls += 1
            owner.layer = nil
        }
        content.beforeDraw = { [simulation] _ in
            simulation.spend(.milliseconds(1))
            if callback == 1 { throw Failure() }
        }
        switch callback {
        case 0: owner.layer?.onChange = release
        case 1: owner.layer?.onFailure = { _ in release() }
        default: content.onAsked = release
        }
        try owner.layer?.show(view, scale: 1)
        simulation.advance(by: .seconds(1))
        #expect(calls == 1)
        #expect(gone == nil)
    }

    @Test("settled() returns when it is cancelled, when all has failed, and after a movement")
    func settled() async throws {
        struct Failure: Error {}
        let layer = makeLayer()
        let cancelled = Task { await layer.settled() }
        await Task.yield()
        cancelled.cancel()
        simulation.runMainQueue()
        await cancelled.value

        content.beforeDraw = { _ in throw Failure() }
        try layer.show(view, scale: 1, isMoving: true)
        let moving = Task { await layer.settled() }
        await Task.yield()
        simulation.advance(by: .milliseconds(199))
        #expect(!layer.isComplete)
        simulation.advance(by: .milliseconds(2))
        await moving.value
        #expect(layer.isComplete)
        #expect(layer.takeChanges().coverage.blank == 256 * 192)
        #expect(layer.statistics.failures >= 12)
    }
}
