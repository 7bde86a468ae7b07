import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools

/// How long is a part of a window blank that opens with all of its layers at once?
///
/// The same layers with drafts of a quarter of the scale, and without.
struct OpenWindow: Benchmark {
    private static let drafts = "AsyncLayer, drafts"
    private static let layerCount = 200
    private static let frame = 1e9 / 60

    let metrics = [
        Metric(
            "open-window-blank", unit: "frames", ours: drafts,
            summary:
                "200 layers are displayed in one turn, and each draw takes 4.5 ms: the frames of 60 a second until no layer is blank. Bar: 7."
        ),
        Metric(
            "open-window-whole", unit: "frames", ours: drafts,
            summary: "The same, until all are shown in full."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial(drafts) { pool, scale in try measure(pool, scale, draft: 0.25) },
        Tiled.trial("AsyncLayer, no drafts") { pool, scale in try measure(pool, scale, draft: nil) },
    ]

    @MainActor
    private static func measure(
        _ pool: DefaultQueuePool, _ scale: Scale, draft: Double?
    ) throws -> [Reading] {
        var (blank, whole): ([Double], [Double]) = ([], [])
        for _ in 0..<scale.pick(quick: 1, full: 5) {
            // As in a program that begins: nothing was drawn before.
            let host = DisplayHost(pool: pool)
            let cells = (0..<layerCount).map { _ in WindowCell(host, draft: draft) }
            let start = Clock.now
            func frames() -> Double { (Double(Clock.now - start) / frame).rounded(.up) }
            for cell in cells { cell.layer.display() }
            try MainLoop.run(until: "no layer is blank") { cells.allSatisfy { $0.layer.contents != nil } }
            blank.append(frames())
            try MainLoop.run(until: "all layers are whole") {
                cells.allSatisfy { $0.layer.contentsGeometry?.scale == 1 }
            }
            whole.append(frames())
            MainLoop.settle()
        }
        return [Reading(samples: blank), Reading(samples: whole)]
    }
}

@MainActor
private final class WindowCell: AsyncLayerDelegate {
    let layer: AsyncLayer<BitmapRenderer>

    init(_ host: DisplayHost, draft: Double?) {
        layer = AsyncLayer(renderer: BitmapRenderer(), host: host)
        layer.size = Size(width: 160, height: 80)
        layer.draft = draft
        layer.delegate = self
    }

    func displayTask(for _: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { _, scope in
            // As long as there are pixels.
            Work.compute(milliseconds: 4.5 * scope.scale * scope.scale) { scope.isCancelled }
        }
    }
}
