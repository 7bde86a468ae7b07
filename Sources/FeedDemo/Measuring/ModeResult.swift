/// The figures of one mode, as they stand in `summary.json`. Every number is finite.
struct ModeResult: Codable, Equatable, Sendable {
    let mode: FeedMode
    let hz: Int
    let frames: Int
    let framesOverBudget: Int
    let durationSeconds: Double
    let hitchMillisecondsPerSecond: Double
    let mainThreadMilliseconds: Distribution
    let passes: PassCounts
    let drawnButNeverShownRatio: Double
    let emptyCellRatio: Double
    /// Absent where the system does not tell.
    let peakThreads: Int?
    let peakBytesInFlight: Int
    /// Where the scroll ended, in points: the same in every mode.
    let finalOffset: Double
}

/// A mode's figures with the frames that they were computed from.
struct ModeRun: Sendable {
    let result: ModeResult
    let frames: [FrameRecord]

    /// Sums a mode up.
    init(
        mode: FeedMode, recorder: FrameRecorder, passes: PassCounts, peakThreads: Int?,
        peakBytesInFlight: Int,
        finalOffset: Double
    ) {
        let statistics = FrameStatistics(recorder.frames, grid: recorder.grid)
        frames = recorder.frames
        result = ModeResult(
            mode: mode, hz: recorder.grid.hz, frames: statistics.frames,
            framesOverBudget: statistics.framesOverBudget, durationSeconds: statistics.durationSeconds,
            hitchMillisecondsPerSecond: statistics.hitchMillisecondsPerSecond,
            mainThreadMilliseconds: statistics.mainThreadMilliseconds, passes: passes,
            drawnButNeverShownRatio: passes.drawnButNeverShownRatio,
            emptyCellRatio: statistics.emptyCellRatio, peakThreads: peakThreads,
            peakBytesInFlight: max(peakBytesInFlight, 0), finalOffset: finalOffset.isFinite ? finalOffset : 0)
    }
}
