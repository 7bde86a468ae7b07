import AsyncLayers
import BenchmarkHarness
import QueuePools
import TiledLayers

/// Is nothing drawn where nothing has changed?
struct TiledRest: Benchmark {
    let metrics = [
        Metric(
            "tiled-rest", unit: "draws", ours: Tiled.ours,
            summary:
                "100 turns of the main loop with a document of 20,000 × 20,000 points, which is shown and at rest. It must be none."
        ),
        Metric(
            "tiled-rest-blink", unit: "draws", ours: Tiled.ours,
            summary:
                "There a caret of 20 × 40 pixels blinks at 100 places: the most draws that it takes. Bar: 4."),
    ]

    let plan = Plan(rounds: (1, 3), warmsUp: false)

    let trials = [
        Tiled.trial { pool, scale in
            let page = TiledPage(ShapeDocument.size, pool, draw: ShapeDocument.draw)
            let visible = Rect(origin: Point(x: 5_000, y: 7_000), size: Tiled.window)
            try page.open(visible)
            _ = page.layer.takeChanges()
            var before = page.drawn.count
            for _ in 0..<100 { MainLoop.turn() }
            MainLoop.settle()
            let atRest = page.drawn.count - before
            guard atRest == 0 else { throw MeasuringError("\(atRest) tiles were drawn at rest") }

            var generator = SeededGenerator(seed: 4)
            var most = 0
            for _ in 0..<scale.pick(quick: 20, full: 100) {
                before = page.drawn.count
                let caret = Rect(
                    x: Double.random(in: visible.minX...visible.maxX - 20, using: &generator),
                    y: Double.random(in: visible.minY...visible.maxY - 40, using: &generator), width: 20,
                    height: 40)
                page.layer.setNeedsDisplay(in: caret)
                MainLoop.turn()
                try MainLoop.run(until: "a blink is shown") { page.layer.isComplete }
                _ = page.layer.takeChanges()
                most = max(most, page.drawn.count - before)
            }
            MainLoop.settle()
            return [Reading(Double(atRest)), Reading(Double(most))]
        }
    ]
}
