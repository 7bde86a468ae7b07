/// What was measured of one frame. Times are nanoseconds of a monotonic clock.
struct FrameRecord: Equatable, Sendable {
    /// The tick at which the frame was to begin; it was due on screen at the next one.
    var tick: Int
    /// The tick at which it was on screen: the first at which its work had ended.
    var shownTick: Int
    /// From the tick at which it was to begin until its work ended: late wake-up included.
    var latency: UInt64
    /// The time that the main thread worked for it, plus what it did until the next frame began.
    var mainThreadTime: UInt64
    /// Cells in view, and how many of them had no picture yet when the frame was shown.
    var visibleCells: Int
    var emptyCells: Int

    /// By how many ticks the frame was shown later than it was due.
    var ticksLate: Int { shownTick - (tick + 1) }
    /// True when the frame missed its tick.
    var isOverBudget: Bool { ticksLate > 0 }
}
