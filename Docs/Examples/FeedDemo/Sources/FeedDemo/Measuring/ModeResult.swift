/// The figures of one mode, as they stand in `summary.json`. Every number is finite.
struct ModeResult: Codable, Equatable, Sendable {
    let renderer: FeedRenderer
    let mode: FeedMode
    let scenario: FeedMode.Scenario
    let hz: Int
    let frames: Int
    let framesOverBudget: Int
    let durationSeconds: Double
    let hitchMillisecondsPerSecond: Double
    let mainThreadMilliseconds: Distribution
    /// How long the draws took that were not cut short.
    let drawMilliseconds: Distribution
    let passes: PassCounts
    /// Those of ``passes`` that were of rows which had been shown before; absent in a storm.
    let passesAgain: PassCounts?
    let drawnButNeverShownRatio: Double
    let emptyCellRatio: Double
    /// Absent unless it was a storm.
    let storm: StormFigures?
    /// Absent where the system does not tell.
    let peakThreads: Int?
    let peakBytesInFlight: Int
    /// What the pictures took at the end that are kept for cells which come back; absent where none are.
    let cachedBytes: Int?
    /// Where the scroll ended, in points: the same in every mode of a renderer that scrolls.
    let finalOffset: Double
}

/// A mode's figures with what they were computed from.
struct ModeRun: Sendable {
    let result: ModeResult
    let frames: [FrameRecord]
    /// For each cell, in the order in which they came into view, the frames that showed a new picture of it.
    let framesWithNewPicture: [[Int]]

    /// Sums a mode up.
    init(
        renderer: FeedRenderer, mode: FeedMode, recorder: FrameRecorder, passes: PassCounts,
        again: PassCounts = PassCounts(),
        framesWithNewPicture: [[Int]] = [], drawMilliseconds: Distribution = Distribution([]),
        peakThreads: Int?, peakBytesInFlight: Int, cachedBytes: Int? = nil, finalOffset: Double
    ) {
        let statistics = FrameStatistics(recorder.frames, grid: recorder.grid)
        let isStorm = mode.scenario == .storm
        frames = recorder.frames
        self.framesWithNewPicture = framesWithNewPicture
        result = ModeResult(
            renderer: renderer, mode: mode, scenario: mode.scenario, hz: recorder.grid.hz,
            frames: statistics.frames,
            framesOverBudget: statistics.framesOverBudget, durationSeconds: statistics.durationSeconds,
            hitchMillisecondsPerSecond: statistics.hitchMillisecondsPerSecond,
            mainThreadMilliseconds: statistics.mainThreadMilliseconds, drawMilliseconds: drawMilliseconds,
            passes: passes, passesAgain: isStorm ? nil : again,
            drawnButNeverShownRatio: passes.drawnButNeverShownRatio,
            emptyCellRatio: statistics.emptyCellRatio,
            storm: isStorm
                ? StormFigures(framesWithNewPicture, frames: recorder.frames, grid: recorder.grid) : nil,
            peakThreads: peakThreads, peakBytesInFlight: max(peakBytesInFlight, 0), cachedBytes: cachedBytes,
            finalOffset: finalOffset.isFinite ? finalOffset : 0)
    }
}
