import AsyncLayers
import BitmapRendering
import ManualPools
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

/// Content of one shade.
@MainActor
final class PlainShade: TiledLayerDelegate {
    var value = 0
    let draws = Recorder<Rect>()

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [value, draws] context, scope in
            draws.append(scope.area)
            context.fill(scope.area, with: .color(Color(red: Double(value) / 255, green: 0, blue: 0)))
        }
    }
}

@Suite("What tiled layers draw first, and keep")
@MainActor
struct TiledPolicyTests {
    let simulation = Simulation()
    let pool: ManualPool
    let content = PlainShade()
    let layer: TiledLayer<BitmapRenderer>
    /// Six columns and five rows of tiles, with one around them.
    let view = Rect(x: 1_024, y: 1_024, width: 384, height: 320)
    let ring = 8 * 7 - 6 * 5
    let caret = Rect(x: 1_220, y: 1_180, width: 2, height: 20)
    let tileBytes = 66 * 66 * 4

    init() throws {
        pool = try ManualPool(queuesPerTier: 2)
        layer = Self.makeLayer(content, Self.host(pool, simulation))
    }

    static func host(_ pool: ManualPool, _ simulation: Simulation) -> DisplayHost {
        DisplayHost(
            pool: pool, transactions: simulation.transactions, loop: simulation.host.loop,
            metrics: DisplayMetrics())
    }

    static func makeLayer(_ content: PlainShade, _ host: DisplayHost) -> TiledLayer<BitmapRenderer> {
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), tileExtent: 64,
            host: host)
        layer.delegate = content
        return layer
    }

    /// The main thread's turn, with the draws that it has received by then.
    func turn() { simulation.advance(by: .milliseconds(1)) }

    /// Draws until nothing is left to draw, or so many turns of 1 ms have passed.
    func settle(_ qos: QoSTier? = nil, turns: Int = 700) {
        for _ in 0..<turns {
            turn()
            pool.runAll(qos: qos)
        }
        turn()
        _ = layer.takeChanges()
        turn()
    }

    /// Draws all, and takes nothing.
    func drawAll() {
        for _ in 0..<20 {
            turn()
            pool.runAll()
        }
        turn()
    }

    func end(_ pool: ManualPool) { Self.end(pool, simulation) }

    /// Ends the jobs that wait in a pool: they would keep the pool, and the layer, for ever.
    static func end(_ pool: ManualPool, _ simulation: Simulation) {
        repeat { simulation.advance(by: .milliseconds(1)) } while pool.runAll() > 0
    }

    private func waiting(_ qos: QoSTier) -> Int { pool.statistics[qos].waiting }

    // MARK: Order

    @Test("what is in view, its edits, what is drawn ahead and the overview wait on tiers of their own")
    func tiers() throws {
        layer.overviewScale = 1.0 / 16
        try layer.show(view, scale: 1)
        turn()
        // Eight for each of the two threads that draw at a time.
        #expect(waiting(.userInitiated) == 16 && waiting(.utility) == 0)
        settle(.userInitiated, turns: 3)
        #expect(layer.isComplete)
        // An edit finds a thread of its own, however many tiles are drawn ahead.
        #expect(waiting(.utility) == 16)
        layer.setNeedsDisplay(in: caret)
        turn()
        #expect(layer.takeChanges().coverage.stale == 64 * 64)
        #expect(pool.runAll(qos: .userInteractive) == 1)
        turn()
        #expect(layer.takeChanges().coverage.stale == 0)
        settle(.utility)
        #expect(layer.statistics.draws == [.first: 30, .damage: 1, .ahead: ring])
        settle(.background)
        #expect(layer.statistics.draws[.overview] == 1)
    }

    @Test("an edit does not wait behind tiles that come into view")
    func editInMovement() throws {
        try layer.show(view, scale: 1)
        settle()
        try layer.show(view.moved(by: Point(x: 256, y: 128)), scale: 1, isMoving: true)
        layer.setNeedsDisplay(in: Rect(x: 1_400, y: 1_300, width: 2, height: 20))
        turn()
        #expect(waiting(.userInitiated) == 16)
        #expect(pool.runAll(qos: .userInteractive) == 1)
        turn()
        #expect(layer.takeChanges().coverage.stale == 0)
        settle()
    }

    @Test("an edit does not wait for a tile that comes into view in its turn, though it was drawn ahead")
    func editWhileScrolling() throws {
        try layer.show(view, scale: 1)
        settle()
        // A row of tiles comes in; the edit touches one of them, and one that was in view.
        try layer.show(view.moved(by: Point(x: 0, y: 64)), scale: 1)
        layer.setNeedsDisplay(in: Rect(x: 1_220, y: 1_330, width: 2, height: 40))
        turn()
        #expect(pool.runNext(qos: .userInteractive))
        turn()
        // Those are two tiles, each by itself.
        #expect(layer.takeChanges().changed.count == 1)
        settle()
    }

    @Test("while some tiles are drawn ahead for long, others are begun")
    func slowTileAhead() throws {
        try layer.show(view, scale: 1)
        settle(.userInitiated, turns: 3)
        for drawn in 0..<ring - 16 {
            #expect(waiting(.utility) == 16, "\(drawn) are drawn")
            pool.runNext(qos: .utility)
            turn()
        }
        #expect(waiting(.utility) == 16)
        pool.runNext(qos: .utility)
        turn()
        #expect(waiting(.utility) == 15, "there are no others")
        end(pool)
    }

    @Test("while a thread is free of what is in view, tiles are drawn ahead, and not before")
    func aheadBesideView() throws {
        try layer.show(view, scale: 1)
        turn()
        for left in (0..<30).reversed() {
            #expect((waiting(.utility) > 0) == (left < 1))
            pool.runNext(qos: .userInitiated)
            turn()
        }
        settle()
    }

    @Test("what waits to be drawn ahead, and comes into view, moves up")
    func movesUp() throws {
        try layer.show(view, scale: 1)
        settle(.userInitiated, turns: 3)
        #expect(waiting(.utility) == 16 && waiting(.userInitiated) == 0)
        try layer.show(view.moved(by: Point(x: 64, y: 0)), scale: 1)
        turn()
        let drawn = layer.pipeline.inView.filter(\.state.isDrawing)
        #expect(drawn.count == 5 && drawn.allSatisfy { $0.reason == .first })
        #expect(waiting(.userInitiated) == 5)
        settle(.userInitiated, turns: 3)
        #expect(layer.takeChanges().coverage.blank == 0)
        end(pool)
    }

    // MARK: Blur

    @Test("with an overview no edit is blurred, and a blink draws one tile")
    func editWithOverview() throws {
        layer.overviewScale = 1.0 / 16
        try layer.show(view, scale: 1)
        settle()
        let draws = content.draws.elements.count
        for _ in 0..<50 {
            layer.setNeedsDisplay(in: caret)
            for frame in 0..<8 {
                turn()
                // The overview is cheap, and drawn sooner.
                pool.runAll(qos: .background)
                if frame == 6 { pool.runAll(qos: .userInteractive) }
                let coverage = layer.takeChanges().coverage
                #expect(coverage.coarse == 0 && coverage.blank == 0)
            }
        }
        #expect(content.draws.elements.count == draws + 50)
        settle(turns: 450)
        #expect(content.draws.elements.count == draws + 50)
        // When the edits have ended for half a second, the overview shows them.
        settle(turns: 100)
        #expect(content.draws.elements.count == draws + 51)
        #expect(layer.statistics.draws[.overview] == 2)
    }

    @Test("a view that is zoomed in by steps and back shows what it has shown, while there is memory")
    func zoomBack() throws {
        var scale = 1.0 / 16
        func show() throws {
            let size = Size(width: 384, height: 320) * (1 / scale)
            try layer.show(Rect(center: view.center, size: size), scale: scale)
        }
        while scale <= 8 {
            try show()
            settle(turns: 20)
            scale *= 2
        }
        while scale > 1.0 / 16 {
            scale /= 2
            try show()
            turn()
            #expect(layer.takeChanges().coverage.blank == 0, "at scale \(scale)")
        }
    }
}
