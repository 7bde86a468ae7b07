import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import Dispatch
import QueuePools
import TiledLayers

/// How long until a part of a large document is there?
///
/// Against drawing the tiles in view, and nothing else, on the same threads by hand.
struct TiledFirstView: Benchmark {
    private static let byHand = "the tiles by hand"

    let metrics = [
        Metric(
            "first-view", unit: "ms", ours: Tiled.ours,
            summary:
                "A document of 20,000 × 20,000 points with 20,000 shapes: the time until 1920 × 1080 pixels of it are complete. Bar: 1.2 × the tiles by hand."
        )
    ]

    let plan = Plan(rounds: (1, 9))

    let trials = [
        Tiled.trial { pool, scale in
            try measure(scale) { visible in
                let page = TiledPage(ShapeDocument.size, pool, draw: ShapeDocument.draw)
                let start = Clock.now
                try page.layer.show(visible, scale: 1)
                try wait { page.layer.isComplete }
                _ = page.layer.takeChanges()
                let time = Clock.now - start
                // What is drawn ahead must not become work of the next view.
                MainLoop.settle()
                return time
            }
        },
        Tiled.trial(byHand) { pool, scale in
            try measure(scale) { visible in
                let start = Clock.now
                let tiles = TilesByHand()
                try tiles.show(visible, pool)
                try wait { tiles.isComplete }
                return Clock.now - start
            }
        },
    ]

    @MainActor
    private static func measure(_ scale: Scale, _ show: (Rect) throws -> UInt64) throws -> [Reading] {
        var generator = SeededGenerator(seed: 1)
        let samples = try (0..<scale.pick(quick: 2, full: 9)).map { _ in
            let (x, y) = (
                Double.random(in: 500...17_000, using: &generator).rounded(),
                Double.random(in: 500...17_000, using: &generator).rounded()
            )
            return Double(try show(Rect(origin: Point(x: x, y: y), size: Tiled.window))) / 1e6
        }
        return [Reading(samples: samples)]
    }

    @MainActor
    private static func wait(_ isComplete: () -> Bool) throws {
        let deadline = Clock.now + 10_000_000_000
        while !isComplete() {
            guard Clock.now < deadline else { throw MeasuringError("a view was not complete within 10 s") }
            MainLoop.handleNext()
        }
    }
}

@MainActor
private final class TilesByHand {
    private nonisolated static let extent = 256
    private var pictures: [Bitmap] = []
    private var count = 0

    var isComplete: Bool { pictures.count == count }

    func show(_ visible: Rect, _ pool: DefaultQueuePool) throws {
        func range(_ start: Double, _ end: Double) -> ClosedRange<Int> {
            Int(start) / Self.extent...(Int(end) - 1) / Self.extent
        }
        for row in range(visible.minY, visible.maxY) {
            for column in range(visible.minX, visible.maxX) {
                count += 1
                try pool.async(qos: .userInitiated) {
                    let picture = Self.draw(column, row)
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated { self.pictures.append(picture) }
                    }
                }
            }
        }
    }

    private nonisolated static func draw(_ column: Int, _ row: Int) -> Bitmap {
        let (x, y) = (column * extent, row * extent)
        guard
            let context = try? BitmapContext(
                pixelWidth: extent, pixelHeight: extent, scale: 1, pixelOriginX: x, pixelOriginY: y)
        else { fatalError("a bitmap of 256 × 256 pixels cannot be made") }
        let area = Rect(x: Double(x), y: Double(y), width: Double(extent), height: Double(extent))
        ShapeDocument.shared.draw(area, into: context)
        return context.makeBitmap()
    }
}
