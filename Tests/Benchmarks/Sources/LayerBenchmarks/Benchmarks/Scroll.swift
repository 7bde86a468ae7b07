import BenchmarkHarness

/// What does a reader see who scrolls through rows that take 1 to 4 ms to draw?
struct Scroll: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (1, 5), warmsUp: false)

    /// As on a phone: all rows can be drawn in time.
    static let reading = Scroll(
        "scroll", rowsPerWorker: 10, rowsASecondPerWorker: 40...90,
        summary: "Flicks at 120 Hz that bring up to 90 rows a second for each worker to draw, of 1 to 4 ms")

    /// Up to twice as many rows as the workers can draw: what they draw first decides what is seen.
    static let flinging = Scroll(
        "fling", rowsPerWorker: 20, rowsASecondPerWorker: 300...800,
        summary:
            "Flicks at 120 Hz that bring up to twice as many rows as all workers together can draw, of 1 to 4 ms"
    )

    private init(
        _ name: String, rowsPerWorker: Int, rowsASecondPerWorker speeds: ClosedRange<Double>, summary: String
    ) {
        metrics = [
            Metric(
                "\(name)-hitches", unit: "ms/s", ours: Roster.prefetching.name,
                summary:
                    "\(summary): how much later than due frames were shown. Bar: 5 ms/s."),
            Metric(
                "\(name)-unshown", unit: "%", ours: Roster.prefetching.name,
                summary:
                    "In the same scroll: the part of the draws' processor time that went into pictures never seen. Bar: half of YYAsyncLayer's."
            ),
            Metric(
                "\(name)-blank", unit: "%", ours: Roster.prefetching.name,
                summary:
                    "In the same scroll: how many of the rows in view did not show their picture yet, over all frames."
            ),
        ]
        func trial(_ kind: LayerKind, _ rows: Feed.Rows = .visible) -> Trial {
            Trial(kind) { host, scale in
                let workers = Double(scale.workers)
                return Scroll.measure(
                    host,
                    frames: Flicks.frames(
                        scale.pick(quick: FrameTicks.hertz / 4, full: 4 * FrameTicks.hertz),
                        speeds: speeds.lowerBound * workers...speeds.upperBound * workers),
                    windowRows: rowsPerWorker * scale.workers, rows: rows)
            }
        }
        trials =
            [
                trial(Roster.prefetching, .prefetched), trial(Roster.ahead, .prefetched),
                trial(Roster.drafting), trial(Roster.ours),
                trial(Roster.filtered, .filtered),
            ]
            + [Roster.yyAsyncLayer, Roster.byHand, Roster.onMainThread].map { trial($0) }
    }

    @MainActor
    private static func measure(
        _ host: any LayerHost, frames: [Flicks.Frame], windowRows: Int, rows: Feed.Rows
    ) -> [Reading] {
        let counters = DrawCounters()
        let feed = Feed(host: host, counters: counters, windowRows: windowRows, rows: rows)
        // The first window is there when the scroll begins.
        feed.show(frames[0])
        host.endTurn()
        MainLoop.settle()
        let hitches = MainLoop.runFrames(
            frames.count, host: host, begin: { frame, _ in feed.show(frames[frame]) },
            end: { _ in feed.look() })
        let blank = feed.blankPercentage
        MainLoop.settle()
        feed.look()
        let unshown = counters.unshownPercentage
        feed.close()
        MainLoop.settle()
        return [hitches, unshown, blank].map { Reading($0) }
    }
}
