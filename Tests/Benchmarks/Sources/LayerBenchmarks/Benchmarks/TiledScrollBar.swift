import AsyncLayers
import BenchmarkHarness
import QueuePools
import TiledLayers

/// How much of the view is blank while a scroll bar is dragged?
///
/// The same layer with drafts, which it has by default, and without. A tile takes 5 ms of a processor, of any
/// scale, since its time is that of its pixels: three seconds for a second's views.
struct TiledScrollBar: Benchmark {
    private static let without = "TiledLayer, no drafts"
    private static let content = Size(width: 1_920, height: 1_000_000)
    private static let frame: UInt64 = 16_666_667

    let metrics = [
        Metric(
            "scrollbar-blank", unit: "%", ours: Tiled.ours,
            summary:
                "A document of a million points is dragged by three views of 1920 × 1080 pixels in each of 60 frames a second: the area without a picture in the frames, each composed as soon as its view is known. Bar: 20 %."
        ),
        Metric(
            "scrollbar-rest", unit: "ms", ours: Tiled.ours,
            summary: "The same, from the last view until it is sharp. Bar: that without drafts, and 15 ms."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial { try measure($0, $1, hasDrafts: true) },
        Tiled.trial(without) { try measure($0, $1, hasDrafts: false) },
    ]

    @MainActor
    private static func measure(
        _ pool: DefaultQueuePool, _ scale: Scale, hasDrafts: Bool
    ) throws -> [Reading] {
        let page = TiledPage(content, pool) { context, scope in
            let pixels = Double(context.pixelWidth * context.pixelHeight)
            Work.compute(milliseconds: 5 * pixels / (256 * 256)) { scope.isCancelled }
        }
        if !hasDrafts { page.layer.draft = nil }
        var view = Rect(size: Tiled.window)
        try page.open(view)
        var blank = 0
        let count = scale.pick(quick: 20, full: 120)
        for frame in 1...count {
            view.origin.y += 3 * Tiled.window.height
            try page.layer.show(view, scale: 1, isMoving: frame < count)
            blank += page.layer.takeChanges().coverage.blank
            if frame < count { MainLoop.run(until: Clock.now + Self.frame) }
        }
        let end = Clock.now
        try MainLoop.run(until: "the last view is sharp") { page.layer.isComplete }
        let rest = Double(Clock.now - end) / 1e6
        MainLoop.settle()
        let area = Tiled.window.width * Tiled.window.height * Double(count)
        return [Reading(100 * Double(blank) / area), Reading(rest)]
    }
}
