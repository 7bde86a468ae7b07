import AsyncLayers
import BenchmarkHarness
import QueuePools
import TiledLayers

/// In how many frames is an edit blurred by an overview, which is ready before the tile?
///
/// The same layer with an overview of a sixteenth, and without one. A tile takes 5 ms of a processor, and one
/// of the overview next to nothing.
struct TiledEditBlur: Benchmark {
    private static let overview = "TiledLayer, an overview"
    private static let window = Size(width: 768, height: 512)
    private static let content = Size(width: 8_000, height: 8_000)

    let metrics = [
        Metric(
            "edit-blur", unit: "frames", ours: overview,
            summary:
                "50 edits in 768 × 512 pixels in view, in 600 frames of 4 ms: those in which a coarser tile was shown in place of one that was crisp before. Bar: 0."
        ),
        Metric(
            "edit-blur-stale", unit: "frames", ours: overview,
            summary: "The same, the frames in which something in view lacked an edit."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial(overview) { try measure($0, $1, overviewScale: 1.0 / 16) },
        Tiled.trial("TiledLayer, none") { try measure($0, $1, overviewScale: nil) },
    ]

    @MainActor
    private static func measure(
        _ pool: DefaultQueuePool, _ scale: Scale, overviewScale: Double?
    ) throws -> [Reading] {
        let page = TiledPage(content, pool) { _, scope in
            Work.compute(milliseconds: 5 * scope.scale * scope.scale) { scope.isCancelled }
        }
        page.layer.overviewScale = overviewScale
        let view = Rect(origin: Point(x: 2_000, y: 2_000), size: window)
        try page.open(view)
        _ = page.layer.takeChanges()
        var (coarse, stale) = (0, 0)
        for frame in 0..<scale.pick(quick: 60, full: 600) {
            if frame % 12 == 0 {
                page.layer.setNeedsDisplay(in: Rect(center: view.center, size: Size(width: 2, height: 20)))
            }
            MainLoop.run(until: Clock.now + 4_000_000)
            let coverage = page.layer.takeChanges().coverage
            if coverage.coarse > 0 { coarse += 1 }
            if coverage.stale > 0 { stale += 1 }
        }
        MainLoop.settle()
        return [Reading(Double(coarse)), Reading(Double(stale))]
    }
}
