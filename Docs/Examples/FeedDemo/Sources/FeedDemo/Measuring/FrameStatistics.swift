import AsyncLayers

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
        let visible = frames.reduce(0) { $0 + $1.visibleCells }
        emptyCellRatio = visible > 0 ? Double(frames.reduce(0) { $0 + $1.emptyCells }) / Double(visible) : 0
    }
}
