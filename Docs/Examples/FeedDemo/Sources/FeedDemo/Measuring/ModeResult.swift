import AsyncLayers
import ScrollScheduling
import FeedKit

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
    let draftCellRatio: Double
    /// Absent unless it was a storm.
    let storm: StormFigures?
    /// Absent where the system does not report it.
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
            emptyCellRatio: statistics.emptyCellRatio, draftCellRatio: statistics.draftCellRatio,
            storm: isStorm
                ? StormFigures(framesWithNewPicture, frames: recorder.frames, grid: recorder.grid) : nil,
            peakThreads: peakThreads, peakBytesInFlight: max(peakBytesInFlight, 0), cachedBytes: cachedBytes,
            finalOffset: finalOffset.isFinite ? finalOffset : 0)
    }
}

/// The figures of a mode's frames.
struct FrameStatistics: Equatable, Sendable {
    /// How many frames there were.
    let frames: Int
    /// How many of them were shown later than they were due.
    let framesOverBudget: Int
    /// From the tick at which the first frame began to the one at which the last was shown, in seconds.
    let durationSeconds: Double

    /// The hitch time, in milliseconds per second of scrolling, by the library's `FrameRateMeter`: how much
    /// later than due the frames were shown. Apple's "Explore UI animation hitches and the render loop" (Tech
    /// Talk, 2020) calls less than 5 ms/s good and more than 10 ms/s critical. Without frames it is 0.
    let hitchMillisecondsPerSecond: Double

    /// The time per frame that the main thread worked, in milliseconds.
    let mainThreadMilliseconds: Distribution
    /// The share of the cells in view that had no picture yet, over all frames: 0…1.
    let emptyCellRatio: Double
    /// The share of them that showed a draft.
    let draftCellRatio: Double

    /// Computes the figures. O(n log n).
    init(_ frames: [FrameRecord], grid: FrameGrid) {
        self.frames = frames.count
        framesOverBudget = frames.count { $0.isOverBudget }
        var meter = FrameRateMeter(refreshInterval: .seconds(1) / grid.hz)
        if let first = frames.first { meter.resume(at: grid.duration(to: first.tick)) }
        for frame in frames {
            meter.recordFrame(
                shownAt: grid.duration(to: frame.shownTick), dueAt: grid.duration(to: frame.tick + 1))
        }
        durationSeconds = meter.total.duration / .seconds(1)
        hitchMillisecondsPerSecond = meter.total.hitchMillisecondsPerSecond
        mainThreadMilliseconds = Distribution(frames.map { Double($0.mainThreadTime) / 1_000_000 })
        let cells = frames.reduce(CellCounts()) { $0 + $1.cells }
        emptyCellRatio = cells.share(cells.empty)
        draftCellRatio = cells.share(cells.drafts)
    }
}

/// What a storm of invalidations lets through. Only what a frame has shown counts, and only frames of the
/// storm itself: when it is over, everything settles.
struct StormFigures: Codable, Equatable, Sendable {
    /// How many cells were invalidated in every frame.
    let cells: Int
    /// New pictures a second, of one cell, on average.
    let newPicturesPerSecond: Double
    /// The longest time for which a cell showed nothing new, in milliseconds, from the storm's beginning to
    /// its end.
    let longestWithoutNewPictureMilliseconds: Double

    /// Computes the figures.
    ///
    /// - Parameter framesWithNewPicture: for each cell the numbers of the frames that showed a new picture.
    init(_ framesWithNewPicture: [[Int]], frames: [FrameRecord], grid: FrameGrid) {
        cells = framesWithNewPicture.count
        let start = frames.first?.tick ?? 0
        let end = frames.last?.shownTick ?? 0
        let seconds = Double(end - start) / Double(grid.hz)
        let pictures = framesWithNewPicture.reduce(0) { $0 + $1.count }
        newPicturesPerSecond = cells > 0 && seconds > 0 ? Double(pictures) / Double(cells) / seconds : 0
        let longest =
            framesWithNewPicture.map { shown in
                let ticks = [start] + shown.map { frames[$0].shownTick } + [end]
                return zip(ticks, ticks.dropFirst()).map { $1 - $0 }.max() ?? 0
            }.max() ?? 0
        longestWithoutNewPictureMilliseconds = Double(longest) * grid.periodMilliseconds
    }
}
