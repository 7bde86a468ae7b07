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
