import FeedKit

/// Keeps the frames of one mode as they happen.
///
/// The recorder acts as the display: it says when the next frame begins, and at which tick of the grid a
/// finished frame is shown. What else makes the main thread late (other work of the run loop, the scheduler)
/// is part of the frame's latency, as it would be on a screen.
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
    ///   - cells: what the cells in view show.
    mutating func record(begin: UInt64, end: UInt64, cells: CellCounts = CellCounts()) {
        let end = max(begin, end)
        let scheduled = nextFrameTime
        let shownTick = grid.shownTick(ofFrameAt: nextTick, endedAt: end)
        frames.append(
            FrameRecord(
                tick: nextTick, shownTick: shownTick, latency: end > scheduled ? end - scheduled : 0,
                mainThreadTime: end - begin, cells: cells))
        nextTick = shownTick
    }

    /// Adds what the main thread did after a frame's own work and before the next frame, such as showing
    /// pictures that were drawn meanwhile; before the first frame it counts for nothing.
    mutating func addMainThreadTime(_ nanoseconds: UInt64) {
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].mainThreadTime += nanoseconds
    }
}

/// What the cells in view show, of one frame or of several.
struct CellCounts: Equatable, Sendable {
    /// Cells in view.
    var visible = 0
    /// Those of them that have no picture yet.
    var empty = 0
    /// Those of them whose picture is a draft.
    var drafts = 0

    static func + (left: CellCounts, right: CellCounts) -> CellCounts {
        CellCounts(
            visible: left.visible + right.visible, empty: left.empty + right.empty,
            drafts: left.drafts + right.drafts)
    }

    /// The share of the cells in view that a count is of: 0…1; 0 when none were in view.
    func share(_ count: Int) -> Double { visible > 0 ? Double(count) / Double(visible) : 0 }
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
    /// What the cells in view showed.
    var cells: CellCounts

    /// By how many ticks the frame was shown later than it was due.
    var ticksLate: Int { shownTick - (tick + 1) }
    /// True when the frame missed its tick.
    var isOverBudget: Bool { ticksLate > 0 }
}
