import AsyncLayers
import BitmapRendering
import QueuePoolsLocks
import QueuePoolsSimulations
import TestSupport
import Testing

@testable import TiledLayers

/// Content of one shade, whose draws take time, in tiles of 64 pixels.
@MainActor
private final class Shade: TiledLayerDelegate {
    var value = 0
    var beforeDraw: (@Sendable (TileScope) throws -> Void)?

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        { [value, beforeDraw] context, scope in
            try beforeDraw?(scope)
            let color = Color(red: Double(value) / 255, green: 0, blue: 0)
            context.fill(scope.area, with: .color(color))
        }
    }
}

@Suite("Edits of tiled layers")
@MainActor
struct TiledEditTests {
    private let simulation = Simulation()
    private let content = Shade()
    private let layer: TiledLayer<BitmapRenderer>
    private let screen: ShadowScreen

    init() {
        layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 4_000, height: 4_000), tileExtent: 64,
            host: simulation.host)
        layer.delegate = content
        screen = ShadowScreen(layer)
    }

    private func show(_ extent: Double, scale: Double = 1) throws {
        try layer.show(Rect(x: 0, y: 0, width: extent, height: extent), scale: scale)
    }

    /// Runs until so many milliseconds after the start.
    private func advance(to time: Int) { simulation.advance(by: .milliseconds(time) - simulation.now) }

    /// The shades in a window, from its top left in rows; nil where nothing is shown.
    private func shades(_ extent: Int) -> [Int?] {
        screen.drawFrame(width: extent, height: extent)
        return stride(from: 32, to: extent, by: 64).flatMap { y in
            stride(from: 32, to: extent, by: 64).map { x in
                screen.pixels[y * extent + x] == 0 ? nil : screen.red(x: x, y: y)
            }
        }
    }

    @Test("a change of level ends an edit's wait")
    func levelChange() throws {
        try show(128)
        advance(to: 1_000)
        #expect(shades(128) == [0, 0, 0, 0])
        layer.editLimit = .seconds(100)
        // One tile is drawn soon, the others are not.
        let isFirst = Lock(true)
        content.beforeDraw = { [simulation] _ in
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !wasFirst { simulation.spend(.milliseconds(500)) }
        }
        layer.pipeline.maximumDraws = 2
        content.value = 9
        layer.setNeedsDisplay()
        var shown: [Set<Int?>] = []
        simulation.host.loop.perform(at: .milliseconds(1_100)) { shown.append(Set(shades(128))) }
        simulation.host.loop.perform(at: .milliseconds(1_200)) {
            #expect(throws: Never.self) { try show(128 / 0.9, scale: 0.9) }
        }
        // The edit's first tile, stretched; no tile of the new level is drawn yet.
        simulation.host.loop.perform(at: .milliseconds(1_250)) { shown.append(Set(shades(128))) }
        advance(to: 1_300)
        #expect(shown == [[0], [0, 9]])
    }

    @Test("damage that comes while a draw fails is drawn")
    func damageWhileFailing() throws {
        struct Failure: Error {}
        var failures = 0
        layer.onFailure = { _ in failures += 1 }
        try show(64)
        advance(to: 1_000)
        content.beforeDraw = { [simulation] _ in
            simulation.spend(.milliseconds(10))
            throw Failure()
        }
        layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 60, height: 60))
        simulation.host.loop.perform(at: .milliseconds(1_005)) { [content, layer] in
            (content.beforeDraw, content.value) = (nil, 7)
            layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 60, height: 60))
        }
        advance(to: 2_000)
        #expect(failures == 1)
        #expect(shades(64) == [7])
    }

    @Test("a first picture is shown, if an edit comes while it is drawn")
    func editOfMissingTile() throws {
        content.value = 1
        // Not tiles that are drawn ahead: in a simulation these draws would be within this one.
        content.beforeDraw = { [simulation] scope in
            if scope.area.minX < 9, scope.area.minY < 9 { simulation.spend(.milliseconds(20)) }
        }
        try show(64)
        simulation.host.loop.perform(at: .milliseconds(10)) { [content, layer] in
            content.value = 2
            layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 60, height: 60))
        }
        var shown: [Int?] = []
        for time in [15, 25, 35, 45] {
            simulation.host.loop.perform(at: .milliseconds(time)) { shown += shades(64) }
        }
        advance(to: 100)
        #expect(shown == [nil, 1, 1, 2])
    }

    @Test("an edit that comes while a slow tile of an older one is drawn appears in one step")
    func editAfterSlowTile() throws {
        try show(128)
        advance(to: 1_000)
        #expect(shades(128) == [0, 0, 0, 0])
        layer.editLimit = .milliseconds(50)
        content.value = 1
        content.beforeDraw = { [simulation] _ in simulation.spend(.milliseconds(60)) }
        layer.setNeedsDisplay(in: Rect(x: 0, y: 0, width: 50, height: 50))
        simulation.host.loop.perform(at: .milliseconds(1_055)) { [simulation, content, layer] in
            content.value = 2
            content.beforeDraw = { _ in simulation.spend(.milliseconds(1)) }
            layer.setNeedsDisplay()
        }
        var shown: [Set<Int?>] = []
        for time in 1_050..<1_090 {
            simulation.host.loop.perform(at: .milliseconds(time)) { shown.append(Set(shades(128))) }
        }
        advance(to: 1_100)
        #expect(shown.allSatisfy { !$0.contains(2) || $0.count == 1 }, "\(shown)")
        #expect(shown.contains([2]))
    }
}
