/// The figures of a mode's frames.
struct FrameStatistics: Equatable, Sendable {
    /// How many frames there were.
    let frames: Int
    /// How many of them were shown later than they were due.
    let framesOverBudget: Int
    /// From the tick at which the first frame began to the one at which the last was shown, in seconds.
    let durationSeconds: Double

    /// The hitch time, in milliseconds per second of scrolling.
    ///
    /// A frame's hitch time is the time from the tick at which it was due on screen to the tick at which it
    /// was shown: 0 for a frame in time, a whole number of periods for a late one. The figure is the sum over
    /// all frames, divided by the duration of the scroll. That is the hitch time ratio of Apple's "Explore UI
    /// animation hitches and the render loop" (Tech Talk, 2020), which calls less than 5 ms/s good and more
    /// than 10 ms/s critical. It lies between 0 and 1,000; without frames it is 0.
    let hitchMillisecondsPerSecond: Double

    /// The time per frame that the main thread worked, in milliseconds.
    let mainThreadMilliseconds: Distribution
    /// The share of the cells in view that had no picture yet, over all frames: 0…1.
    let emptyCellRatio: Double

    /// Computes the figures. O(n log n).
    init(_ frames: [FrameRecord], grid: FrameGrid) {
        self.frames = frames.count
        framesOverBudget = frames.count { $0.isOverBudget }
        let ticks = (frames.last?.shownTick ?? 0) - (frames.first?.tick ?? 0)
        durationSeconds = Double(ticks) / Double(grid.hz)
        let hitches = Double(frames.reduce(0) { $0 + $1.ticksLate }) * grid.periodMilliseconds
        hitchMillisecondsPerSecond = ticks > 0 ? hitches / durationSeconds : 0
        mainThreadMilliseconds = Distribution(frames.map { Double($0.mainThreadTime) / 1_000_000 })
        let visible = frames.reduce(0) { $0 + $1.visibleCells }
        emptyCellRatio = visible > 0 ? Double(frames.reduce(0) { $0 + $1.emptyCells }) / Double(visible) : 0
    }
}
