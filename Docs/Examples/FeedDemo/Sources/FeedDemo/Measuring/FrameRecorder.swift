/// Keeps the frames of one mode as they happen.
///
/// The recorder acts as the display: it says when the next frame begins, and at which tick a finished frame
/// is shown. A frame has one period for its work, from the tick at which it begins to the next. When its work
/// ends later it is shown at the first tick after that, and the next frame begins at that tick: nothing is
/// skipped, the scroll is held up. Whatever else makes the main thread late (other work of the run loop, the
/// scheduler) is part of the frame's latency, as it would be on a screen.
struct FrameRecorder {
    /// The display.
    let grid: FrameGrid
    /// The frames so far.
    private(set) var frames: [FrameRecord] = []
    private var nextTick = 0

    /// Starts recording; memory for the frames is taken now, not while they are measured.
    init(grid: FrameGrid, frameCount: Int) {
        self.grid = grid
        frames.reserveCapacity(max(frameCount, 0))
    }

    /// When the next frame is to begin, in nanoseconds.
    var nextFrameTime: UInt64 { grid.time(of: nextTick) }

    /// Records the next frame.
    ///
    /// - Parameters:
    ///   - begin: when the main thread began to work on it, in nanoseconds; not before ``nextFrameTime``.
    ///   - end: when the work had ended.
    ///   - visibleCells: how many cells are in view.
    ///   - emptyCells: how many of them have no picture.
    mutating func record(begin: UInt64, end: UInt64, visibleCells: Int = 0, emptyCells: Int = 0) {
        let end = max(begin, end)
        let scheduled = nextFrameTime
        let shownTick = max(grid.tick(notBefore: end), nextTick + 1)
        frames.append(
            FrameRecord(
                tick: nextTick, shownTick: shownTick, latency: end > scheduled ? end - scheduled : 0,
                mainThreadTime: end - begin, visibleCells: visibleCells, emptyCells: emptyCells))
        nextTick = shownTick
    }

    /// Adds what the main thread did after a frame's own work and before the next frame, such as showing
    /// pictures that were drawn meanwhile; before the first frame it counts for nothing.
    mutating func addMainThreadTime(_ nanoseconds: UInt64) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].mainThreadTime += nanoseconds
    }
}

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

/// The ticks of a display that refreshes evenly. Times are nanoseconds of a monotonic clock.
struct FrameGrid: Equatable, Sendable {
    /// Ticks a second.
    let hz: Int
    /// The time of tick 0.
    let origin: UInt64

    /// Makes a grid; below 1 tick a second counts as 1.
    init(hz: Int, origin: UInt64) {
        self.hz = max(hz, 1)
        self.origin = origin
    }

    /// The time from one tick to the next, in milliseconds.
    var periodMilliseconds: Double { 1_000 / Double(hz) }

    /// When a tick is. Every tick is computed from the origin, so that rounding never adds up.
    func time(of tick: Int) -> UInt64 {
        origin + UInt64(tick) * 1_000_000_000 / UInt64(hz)
    }

    /// The time from tick 0 to another one.
    func duration(to tick: Int) -> Duration { .nanoseconds(Int64(time(of: tick) - origin)) }

    /// The first tick that is not before a time.
    func tick(notBefore time: UInt64) -> Int {
        guard time > origin else { return 0 }
        var tick = Int((time - origin) * UInt64(hz) / 1_000_000_000)
        while self.time(of: tick) < time { tick += 1 }
        return tick
    }
}
