import AsyncLayers
import BenchmarkHarness
import Foundation
import QueuePoolsSimulations
import Synchronization
import TiledLayers

/// Does a tiled layer keep to its memory, however long it is panned?
///
/// In simulated time, with pictures without pixels.
struct TiledMemory: Benchmark {
    let metrics = [
        Metric(
            "tiled-memory", unit: "×", ours: Tiled.ours,
            summary:
                "An hour of panning by 3 screenfuls a second, simulated at 10 Hz, with a limit of 64 MiB: the most bytes that the layer counts, to the limit with what is in view. Bar: 1."
        ),
        Metric(
            "tiled-memory-alive", unit: "×", ours: Tiled.ours,
            summary: "In the same hour: the same of the pictures that exist. Bar: 1."),
    ]

    let plan = Plan(rounds: (1, 1), warmsUp: false)

    let trials = [
        Trial(Tiled.ours, threads: .own) { scale in
            Session(measure: {
                try MainActor.assumeIsolated { try measure(scale) }
            })
        }
    ]

    /// Frames a second.
    private static let hertz = 10.0

    @MainActor
    private static func measure(_ scale: Scale) throws -> [Reading] {
        let simulation = Simulation(queuesPerTier: scale.workers)
        let page = Page(simulation)
        var generator = SeededGenerator(seed: 3_600)
        var view = Rect(origin: Point(x: 9_000, y: 9_000), size: Tiled.window)
        var direction = Point.zero
        var (counted, alive) = (0.0, 0.0)
        for frame in 0..<scale.pick(quick: 100, full: 3_600 * Int(hertz)) {
            // Another direction each two seconds, and where the document ends.
            if frame.isMultiple(of: 2 * Int(hertz)) {
                let angle = Double.random(in: 0..<2 * Double.pi, using: &generator)
                direction = Point(x: cos(angle), y: sin(angle))
            }
            if view.minX < 0 || view.maxX > ShapeDocument.size.width { direction.x = view.minX < 0 ? 1 : -1 }
            if view.minY < 0 || view.maxY > ShapeDocument.size.height { direction.y = view.minY < 0 ? 1 : -1 }
            view.origin.x += direction.x * 3 / hertz * view.size.width
            view.origin.y += direction.y * 3 / hertz * view.size.height
            try page.layer.show(view, scale: 1, isMoving: true)
            simulation.advance(by: .seconds(1 / hertz))
            _ = page.layer.takeChanges()
            let allowed = Double(page.layer.byteLimit + page.visibleBytes(view))
            counted = max(counted, Double(page.layer.statistics.byteCount) / allowed)
            alive = max(alive, Double(page.bytesAlive) / allowed)
        }
        return [Reading(counted), Reading(alive)]
    }
}

/// A layer whose tiles take 2 ms to draw, of simulated time.
@MainActor
private final class Page: TiledLayerDelegate {
    let layer: TiledLayer<SizedRenderer>
    private let simulation: Simulation
    private let renderer = SizedRenderer()

    init(_ simulation: Simulation) {
        self.simulation = simulation
        layer = TiledLayer(renderer: renderer, documentSize: ShapeDocument.size, host: simulation.host)
        layer.byteLimit = 64 << 20
        layer.delegate = self
    }

    func drawing(for _: TiledLayer<SizedRenderer>) -> TiledLayer<SizedRenderer>.Draw? {
        { [simulation] _, _ in simulation.spend(.milliseconds(2)) }
    }

    /// The bytes of the pictures that exist.
    var bytesAlive: Int { renderer.bytes.count.load(ordering: .acquiring) }

    /// The bytes of the tiles of 256 × 256 pixels in view, each with a pixel around it.
    func visibleBytes(_ view: Rect) -> Int {
        func count(_ start: Double, _ end: Double, _ extent: Double) -> Int {
            let (first, last) = (max(0, start.rounded()), min(end.rounded(), extent))
            return Int((last / 256).rounded(.up)) - Int(first / 256)
        }
        let size = ShapeDocument.size
        return count(view.minX, view.maxX, size.width) * count(view.minY, view.maxY, size.height)
            * 258 * 258 * 4
    }
}

/// Makes pictures that have a size and no pixels.
private struct SizedRenderer: Renderer {
    final class Bytes: Sendable {
        let count = Atomic(0)
    }

    struct Context {
        let byteCount: Int
    }

    final class Contents: Sendable {
        private let byteCount: Int
        private let all: Bytes

        init(_ byteCount: Int, _ all: Bytes) {
            (self.byteCount, self.all) = (byteCount, all)
            all.count.wrappingAdd(byteCount, ordering: .acquiringAndReleasing)
        }

        deinit { all.count.wrappingSubtract(byteCount, ordering: .acquiringAndReleasing) }
    }

    let bytes = Bytes()

    func byteCount(of description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * 4
    }

    func makeContext(_ description: ContextDescription) -> Context {
        Context(byteCount: byteCount(of: description))
    }

    func fill(_ context: Context, with color: Color) {}
    func makeContents(from context: Context) -> Contents { Contents(context.byteCount, bytes) }
}
