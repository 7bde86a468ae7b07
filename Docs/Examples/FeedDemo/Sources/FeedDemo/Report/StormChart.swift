/// Draws as inline SVG when each cell showed something new during a storm: a row for each cell, a tick for
/// each new picture.
struct StormChart {
    private static let width = 960.0
    private static let left = 46.0
    private static let right = 948.0
    private static let rowHeight = 22.0
    private static let rowGap = 4.0
    private static let laneGap = 44.0

    private let runs: [ModeRun]
    private let seconds: Double
    private let hz: Int

    /// Prepares a chart.
    init(runs: [ModeRun], hz: Int) {
        self.runs = runs
        self.hz = max(hz, 1)
        seconds = runs.map(\.result.durationSeconds).max() ?? 0
    }

    /// What a reader must know about the ticks.
    static let caption =
        "A row for each cell, a tick for each new picture that a frame of the storm has shown. A row without ticks "
        + "is a cell that showed nothing new all the time."

    /// The SVG element, well-formed as XML.
    func svg() -> String {
        var top = 30.0
        var lanes = ""
        for run in runs {
            lanes += lane(run, top: top)
            top += Double(rows(run).count) * (StormChart.rowHeight + StormChart.rowGap) + StormChart.laneGap
        }
        let axis = TimeAxis(seconds: seconds, left: StormChart.left, right: StormChart.right)
        let bottom = top - StormChart.laneGap
        return """
            <svg class="chart" viewBox="0 0 \(n(StormChart.width)) \(n(bottom + 48))" role="img" \
            xmlns="http://www.w3.org/2000/svg" aria-label="New pictures of each cell during the storm">
            \(lanes)\(axis.svg(y: bottom, title: "time of the storm, in seconds"))</svg>
            """
    }

    /// At least one, so that a mode in which nothing was ever in view has its lane.
    private func rows(_ run: ModeRun) -> [[Int]] {
        run.framesWithNewPicture.isEmpty ? [[]] : run.framesWithNewPicture
    }

    private func lane(_ run: ModeRun, top: Double) -> String {
        let note = run.result.storm.map {
            Spelling.text($0.newPicturesPerSecond, digits: 1) + " new pictures a second of each cell"
        }
        var svg = """
            <text class="lane-name" x="\(n(StormChart.left))" y="\(n(top - 12))">\(run.result.mode.name)</text>
            <text class="lane-note" x="\(n(StormChart.right))" y="\(n(top - 12))">\(note ?? "")</text>

            """
        for (index, frames) in rows(run).enumerated() {
            let y = top + Double(index) * (StormChart.rowHeight + StormChart.rowGap)
            svg += """
                <text class="tick" x="\(n(StormChart.left - 6))" y="\(n(y + 15))">\(index + 1)</text>
                <rect class="track" x="\(n(StormChart.left))" y="\(n(y))" \
                width="\(n(StormChart.right - StormChart.left))" height="\(n(StormChart.rowHeight))"/>
                <path class="\(run.result.mode.name)" d="\(ticks(frames, of: run, y: y))"/>

                """
        }
        return svg
    }

    /// Ticks that would lie on one another are drawn once.
    private func ticks(_ frames: [Int], of run: ModeRun, y: Double) -> String {
        var path = ""
        var last = -1.0
        let start = run.frames.first?.tick ?? 0
        for frame in frames where run.frames.indices.contains(frame) {
            let time = Double(run.frames[frame].shownTick - start) / Double(hz)
            let share = seconds > 0 ? time / seconds : 0
            let x = StormChart.left + share * (StormChart.right - StormChart.left) - 1.5
            guard x - last >= 0.5 else { continue }
            last = x
            path += "M\(n(x)) \(n(y))h1.5v\(n(StormChart.rowHeight))h-1.5z"
        }
        return path
    }

    private func n(_ number: Double) -> String { Spelling.coordinate(number) }
}
