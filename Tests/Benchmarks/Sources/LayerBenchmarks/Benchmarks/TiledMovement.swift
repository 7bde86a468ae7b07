import AsyncLayers
import BenchmarkHarness
import Foundation
import QueuePools
import TiledLayers

/// What does a reader see who moves through a large document?
struct TiledMovement: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (1, 5), warmsUp: false)

    /// To the right, down, to the left and up again.
    static let pan = TiledMovement(
        "pan", "A document of 20,000 × 20,000 points is panned by 3 screenfuls a second at 120 Hz"
    ) { scale in
        let frames = scale.pick(quick: FrameTicks.hertz / 4, full: 2 * FrameTicks.hertz)
        let speed = 3 / Double(FrameTicks.hertz)
        var center = Point(x: 3_000, y: 3_000)
        return [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)].flatMap { x, y in
            (0..<frames).map { _ in
                center.x += x * speed * Tiled.window.width
                center.y += y * speed * Tiled.window.height
                return Frame(center: center, scale: 1)
            }
        }
    }

    /// Around a place, by an octave and a half a second.
    static let zoom = TiledMovement(
        "zoom",
        "A document of 20,000 × 20,000 points is zoomed from scale 1 to 0.1 and to 2, at 120 Hz by a factor of 2.8 a second"
    ) { scale in
        // In quick runs a part of the way.
        let corners = scale.isQuick ? [1, 0.5, 1] : [1, 0.1, 2]
        return zip(corners, corners.dropFirst()).flatMap { start, end in
            let count = Int(abs(log2(end / start)) / 1.5 * Double(FrameTicks.hertz))
            return (1...count).map { frame in
                let scale = start * pow(end / start, Double(frame) / Double(count))
                return Frame(center: Point(x: 9_900, y: 10_100), scale: scale)
            }
        }
    }

    private struct Frame {
        let center: Point
        let scale: Double

        /// What is in view, in points.
        var visible: Rect { Rect(center: center, size: Tiled.window * (1 / scale)) }
    }

    private init(_ name: String, _ summary: String, frames: @escaping @Sendable (Scale) -> [Frame]) {
        metrics = [
            Metric(
                "\(name)-hitches", unit: "ms/s", ours: Tiled.ours,
                summary: "\(summary): how much later than due frames were shown. Bar: 1 ms/s."),
            Metric(
                "\(name)-blank", unit: "%", ours: Tiled.ours,
                summary:
                    "In the same movement: the area without a picture, over time, after the first view was there. Bar: 0.1 %."
            ),
            Metric(
                "\(name)-unshown", unit: "%", ours: Tiled.ours,
                summary:
                    "In the same movement: how many of the tiles that were drawn were in no frame. Bar: 15 %."
            ),
        ]
        trials = [
            Tiled.trial { pool, scale in
                let frames = frames(scale)
                let page = TiledPage(ShapeDocument.size, pool, draw: ShapeDocument.draw)
                var shown: Set<TileID> = []
                @MainActor func takeFrame() {
                    for place in page.layer.takeChanges().placed { shown.insert(place.id) }
                }
                try page.open(frames[0].visible, scale: frames[0].scale)
                takeFrame()
                let before = page.layer.statistics
                let hitches = try MainLoop.runFrames(
                    frames.count,
                    begin: { frame, _ in
                        try page.layer.show(
                            frames[frame].visible, scale: frames[frame].scale, isMoving: true)
                        takeFrame()
                    }, end: { _ in })
                // Without what comes to rest around the last view.
                let drawn = page.drawn.count
                let statistics = page.layer.statistics
                MainLoop.settle()
                let (blank, visible) = (
                    statistics.blankPixelSeconds - before.blankPixelSeconds,
                    statistics.visiblePixelSeconds - before.visiblePixelSeconds
                )
                return [hitches, 100 * blank / visible, 100 * (1 - Double(shown.count) / Double(drawn))]
                    .map { Reading($0) }
            }
        ]
    }
}
