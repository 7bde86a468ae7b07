import AsyncLayers
import BenchmarkHarness
import QueuePools
import TiledLayers

/// How long until an edit is on show, while tiles out of view are drawn?
///
/// The same layer, by the same edits, when it is at rest, and when it has just shown another part, around
/// which it draws. All draws take 20 ms of a processor.
struct TiledEditAhead: Benchmark {
    private static let ahead = "TiledLayer, drawing ahead"
    private static let atRest = "TiledLayer, at rest"
    private static let window = Size(width: 768, height: 512)
    private static let content = Size(width: 20_000, height: 20_000)

    let metrics = [
        Metric(
            "edit-ahead", unit: "ms", ours: ahead,
            summary:
                "One tile of 768 × 512 pixels in view is damaged, and draws take 20 ms: the time until its picture is there. Bar: 1.3 × at rest."
        )
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Tiled.trial(ahead) { try measure($0, $1, isAtRest: false) },
        Tiled.trial(atRest) { try measure($0, $1, isAtRest: true) },
    ]

    @MainActor
    private static func measure(
        _ pool: DefaultQueuePool, _ scale: Scale, isAtRest: Bool
    ) throws -> [Reading] {
        let page = TiledPage(content, pool) { _, scope in
            Work.compute(milliseconds: 20) { scope.isCancelled }
        }
        var generator = SeededGenerator(seed: 43)
        let samples = try (0..<scale.pick(quick: 2, full: 20)).map { _ in
            let origin = Point(
                x: Double.random(in: 500...19_000, using: &generator).rounded(),
                y: Double.random(in: 500...19_000, using: &generator).rounded())
            try page.layer.show(Rect(origin: origin, size: window), scale: 1)
            try MainLoop.run(until: "a view is complete") { page.layer.isComplete }
            _ = page.layer.takeChanges()
            if isAtRest { MainLoop.settle() } else { MainLoop.run(until: Clock.now + 5_000_000) }
            let start = Clock.now
            page.layer.setNeedsDisplay(
                in: Rect(center: Rect(origin: origin, size: window).center, size: Size(width: 2, height: 20)))
            repeat { MainLoop.handleNext() } while !page.layer.isComplete
            let time = Double(Clock.now - start) / 1e6
            _ = page.layer.takeChanges()
            MainLoop.settle()
            return time
        }
        return [Reading(samples: samples)]
    }
}
