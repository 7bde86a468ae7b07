import AsyncLayers
import BitmapRendering
import QueuePools
import TestSupport
import Testing
import TiledLayers

@Suite("Tiled layers on threads")
@MainActor
struct TiledThreadTests {
    @Test("damage from any thread is drawn, and the layer settles on the picture")
    func threads() async throws {
        let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(2))
        let document = ShapeDocument(size: Size(width: 700, height: 500), count: 100, seed: 9)
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64,
            host: DisplayHost(pool: pool))
        layer.delegate = document
        let screen = ShadowScreen(layer)
        for round in 0..<20 * StressPlan.scale {
            let scale = [1.0, 0.5, 1.5][round % 3]
            let edits = (0..<5).map { _ in document.edit() }
            await withTaskGroup(of: Void.self) { group in
                for edit in edits {
                    group.addTask { [layer] in layer.setNeedsDisplay(in: edit) }
                }
            }
            let (x, y) = (Double(round % 7) * 30, Double(round % 5) * 20)
            try layer.show(
                Rect(x: x, y: y, width: 150 / scale, height: 120 / scale), scale: scale,
                isMoving: round % 2 == 0)
            if round % 4 == 3 { screen.drawFrame(width: 150, height: 120) }
            await layer.settled()
            #expect(layer.isComplete)
            screen.drawFrame(width: 150, height: 120)
            let picture = try document.picture(scale: scale)
            let difference = screen.difference(
                from: picture, x: Int((x * scale).rounded()), y: Int((y * scale).rounded()))
            #expect(difference == 0, "round \(round)")
        }
        try await pool.shutdown()
    }

    @Test("a view of more tiles than the pool's tier has room for is complete in the end")
    func fullTier() async throws {
        let pool = try DefaultQueuePool(
            QueuePoolOptions(
                label: "tiles", queuesPerTier: .exactly(1),
                capacity: .each(2)))
        let document = ShapeDocument(size: Size(width: 700, height: 500), count: 10, seed: 9)
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: document.size, tileExtent: 64,
            host: DisplayHost(pool: pool))
        layer.delegate = document
        layer.onFailure = { Issue.record($0) }
        try layer.show(Rect(x: 0, y: 0, width: 256, height: 192), scale: 1)
        await layer.settled()
        #expect(layer.takeChanges().coverage.sharp == 256 * 192)
        // What lies around is still drawn.
        layer.onFailure = nil
        try await pool.shutdown()
    }

    @Test("a task that is cancelled waits no longer")
    func cancellation() async throws {
        let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(1))
        let layer = TiledLayer(
            renderer: BitmapRenderer(), documentSize: Size(width: 10, height: 10),
            host: DisplayHost(pool: pool))
        let task = Task { await layer.settled() }
        await Task.yield()
        task.cancel()
        await task.value
        #expect(!layer.isComplete)
        try await pool.shutdown()
    }
}
