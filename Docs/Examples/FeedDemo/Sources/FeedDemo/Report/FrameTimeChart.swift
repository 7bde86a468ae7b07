import FeedKit

/// Draws the latency of every frame of a scroll as inline SVG: a lane for each mode on one scale, the budget
/// as a line through each, and below them the speed of the scroll.
struct FrameTimeChart {
    private static let width = 960.0
    private static let left = 46.0
    private static let right = 948.0
    private static let laneGap = 44.0
    private static let speedHeight = 54.0
    private static let maximumColumnCount = 300

    private let runs: [ModeRun]
    private let journey: ReadingJourney
    private let hz: Int
    /// How many frames share a bar.
    private let framesPerBar: Int
    private let frameCount: Int
    /// The latency at the top of a lane, in milliseconds.
    private let ceiling: Double
    /// The time of a frame, in milliseconds.
    let budget: Double
    /// Lower where there are many lanes, so that they can still be compared at a glance.
    private let laneHeight: Double

    /// Prepares a chart.
    ///
    /// - Parameter others: the runs of all charts that a reader compares this one with, which get one scale.
    init(runs: [ModeRun], journey: ReadingJourney, hz: Int, comparedWith others: [ModeRun] = []) {
        self.runs = runs
        self.journey = journey
        self.hz = max(hz, 1)
        budget = 1_000 / Double(max(hz, 1))
        laneHeight = runs.count <= 3 ? 132 : 84
        frameCount = runs.map(\.frames.count).max() ?? 0
        framesPerBar = max(
            1, (frameCount + FrameTimeChart.maximumColumnCount - 1) / FrameTimeChart.maximumColumnCount)
        // High enough for nearly all frames, low enough that the budget stays a visible part of the lane.
        let latencies = (runs + others).flatMap { run in run.frames.map { Double($0.latency) / 1_000_000 } }
            .sorted()
        let tail = latencies.isEmpty ? 0 : Distribution.percentile(99, of: latencies)
        ceiling = budget * min(max((tail * 1.15 / budget).rounded(.up), 2), 6)
    }

    /// What a reader must know about the bars.
    var caption: String {
        let bars =
            framesPerBar == 1 ? "Each bar is a frame" : "Each bar is the slowest of \(framesPerBar) frames"
        return
            "\(bars): the time from the tick at which it was to begin until the main thread was done with it. "
            + "A bar above the dashed budget line is a missed frame; a triangle marks one that is higher than the "
            + "lane. Touch or point at a bar for its figures."
    }

    /// The SVG element, well-formed as XML.
    func svg() -> String {
        let lanes = runs.enumerated().map { index, run in lane(run, top: top(ofLane: index)) }.joined()
        let speedTop = top(ofLane: runs.count)
        let height = speedTop + FrameTimeChart.speedHeight + 40
        let axis = TimeAxis(
            seconds: Double(frameCount) / Double(hz), left: FrameTimeChart.left, right: FrameTimeChart.right)
        let title = "time of the scroll, in seconds"
        return """
            <svg class="chart" viewBox="0 0 \(n(FrameTimeChart.width)) \(n(height))" role="img" \
            xmlns="http://www.w3.org/2000/svg" aria-label="Latency of each frame in each mode, and the speed of \
            the scroll">
            \(lanes)\(speed(top: speedTop))\(axis.svg(y: speedTop + FrameTimeChart.speedHeight, title: title))</svg>
            """
    }

    private func top(ofLane index: Int) -> Double {
        30 + Double(index) * (laneHeight + FrameTimeChart.laneGap)
    }

    private func x(_ frame: Int) -> Double {
        let share = frameCount > 0 ? Double(frame) / Double(frameCount) : 0
        return FrameTimeChart.left + share * (FrameTimeChart.right - FrameTimeChart.left)
    }

    private func lane(_ run: ModeRun, top: Double) -> String {
        let bottom = top + laneHeight
        let result = run.result
        var svg = """
            <text class="lane-name" x="\(n(FrameTimeChart.left))" y="\(n(top - 12))">\(result.mode.name)</text>
            <text class="lane-note" x="\(n(FrameTimeChart.right))" y="\(n(top - 12))">\
            \(result.framesOverBudget) of \(result.frames) frames over budget</text>

            """
        for step in 0...Int((ceiling / budget).rounded()) {
            let value = Double(step) * budget
            let y = bottom - value / ceiling * laneHeight
            let label = Spelling.coordinate((value * 10).rounded() / 10)
            if step != 1 { svg += line("grid", y: y) }
            svg +=
                "<text class=\"tick\" x=\"\(n(FrameTimeChart.left - 6))\" y=\"\(n(y + 4))\">\(label)</text>\n"
        }
        svg += "<text class=\"tick\" x=\"\(n(FrameTimeChart.left - 6))\" y=\"\(n(top - 12))\">ms</text>\n"
        for start in stride(from: 0, to: run.frames.count, by: framesPerBar) {
            let end = min(start + framesPerBar, run.frames.count)
            svg += bar(run, start..<end, bottom: bottom)
        }
        // Over the bars, or it could not be seen where every bar crosses it.
        svg += line("budget", y: bottom - budget / ceiling * laneHeight)
        return svg
    }

    private func bar(_ run: ModeRun, _ range: Range<Int>, bottom: Double) -> String {
        let index = range.max { run.frames[$0].latency < run.frames[$1].latency }!
        let frame = run.frames[index]
        let milliseconds = Double(frame.latency) / 1_000_000
        let height = max(min(milliseconds / ceiling, 1) * laneHeight, 0.75)
        let (left, right) = (x(range.lowerBound), x(range.upperBound))
        let gap = min((right - left) * 0.2, 1)
        let missed = run.frames[range].count { $0.isOverBudget }
        var title =
            "\(run.result.mode.name), frame \(index): \(Spelling.text(milliseconds, digits: 2)) ms"
        if missed > 0 { title += ", \(missed) of \(range.count) over budget" }
        var shape = rectangle(x: left, y: bottom - height, width: right - left - gap, height: height)
        if milliseconds > ceiling {
            let middle = (left + right - gap) / 2
            let tip = bottom - laneHeight - 7
            shape += """
                <path d="M\(n(middle)) \(n(tip))l3.5 5.5h-7z"/>
                """
        }
        let style = missed > 0 ? "missed" : run.result.mode.name
        return "<g class=\"\(style)\"><title>\(title)</title>\(shape)</g>\n"
    }

    private func speed(top: Double) -> String {
        let bottom = top + FrameTimeChart.speedHeight
        let speeds = zip(journey.steps, journey.steps.dropFirst()).map {
            abs($1.offset - $0.offset) * Double(hz)
        }
        let peak = speeds.max() ?? 0
        var svg = """
            <text class="lane-name" x="\(n(FrameTimeChart.left))" y="\(n(top - 12))">scroll speed, by its square root</text>
            <text class="lane-note" x="\(n(FrameTimeChart.right))" y="\(n(top - 12))">up to \
            \(Spelling.text(peak, digits: 0)) points/s</text>
            \(line("grid", y: bottom))
            """
        guard peak > 0 else { return svg }
        var path = "M\(n(FrameTimeChart.left)) \(n(bottom))"
        for start in stride(from: 0, to: speeds.count, by: framesPerBar) {
            let fastest = speeds[start..<min(start + framesPerBar, speeds.count)].max() ?? 0
            // By its root, so that flings can be seen beside a scroll to the top.
            let share = (fastest / peak).squareRoot()
            path += "L\(n(x(start + 1))) \(n(bottom - share * FrameTimeChart.speedHeight))"
        }
        svg += "<path class=\"speed\" d=\"\(path)L\(n(x(speeds.count))) \(n(bottom))Z\"/>\n"
        let again = n(x(journey.againFrame))
        svg += """
            <line class="mark" x1="\(again)" x2="\(again)" y1="\(n(top))" y2="\(n(bottom))"/>
            <text class="mark-note" x="\(again)" y="\(n(top - 12))">from here on over cells seen before</text>

            """
        return svg
    }

    private func line(_ style: String, y: Double) -> String {
        """
        <line class="\(style)" x1="\(n(FrameTimeChart.left))" x2="\(n(FrameTimeChart.right))" y1="\(n(y))" y2="\(n(y))"/>

        """
    }

    private func rectangle(x: Double, y: Double, width: Double, height: Double) -> String {
        "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\"/>"
    }

    private func n(_ number: Double) -> String {
        Spelling.coordinate(number)
    }
}
