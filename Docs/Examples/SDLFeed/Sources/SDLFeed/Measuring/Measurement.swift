import ScrollScheduling
import Dispatch
import FeedKit
import MainLoopBridges

/// `--measure`: scrolls through the whole feed without a window.
@MainActor
struct Measurement {
    let options: SDLFeedOptions

    static let hz = 60

    /// - Returns: false if hitches exceed the bar.
    func run() throws -> Bool {
        let waker = try MainLoopWaker(wake: {})  // frames come without a wake-up
        defer { waker.invalidate() }
        let view = try FeedView(
            options, scale: options.scale ?? 3, viewportHeight: WindowMeasures.feed.height)
        let frames = options.frames ?? 90 * Self.hz
        let way = FlickThrough(
            frames: frames, maximumOffset: max(view.window.column.contentHeight - view.window.height, 0),
            hz: Self.hz, seed: options.seed)
        var bar = ProgressBar()
        let run = FlickThroughRun(view, way) {
            bar.update("frames", done: $0, of: frames, now: DispatchTime.now().uptimeNanoseconds)
        }
        let loop = FrameLoop(
            waker: waker, stage: VirtualDisplay(hz: Self.hz, frameCount: frames),
            refreshInterval: .seconds(1) / Self.hz)
        loop.run(run)
        bar.finish()

        let figures = Figures(
            mode: options.mode, scale: view.setting.scale, view: view, loop: loop, run.blanks)
        print(figures.table, terminator: "")
        try options.json.map { try figures.write(to: $0) }
        guard let bar = options.bar, figures.hitchMillisecondsPerSecond > bar else { return true }
        print("more than the bar of \(bar) ms/s")
        return false
    }
}

/// Takes a feed through its flicks, one step a frame, and counts what is in view.
@MainActor
final class FlickThroughRun: FrameProgram {
    let isMoving = true
    private(set) var blanks = BlankCounter()

    private let view: FeedView
    private let way: FlickThrough
    private let progress: (Int) -> Void
    private var frame = 0

    /// - Parameter progress: called with how many frames are done.
    init(_ view: FeedView, _ way: FlickThrough, progress: @escaping (Int) -> Void) {
        self.view = view
        self.way = way
        self.progress = progress
    }

    func advance(to time: Duration) {
        view.scroll(to: way.offsets[frame], speed: way.speed(at: frame))
    }

    func frameWasShown(_ meter: FrameRateMeter) {
        view.frameWasShown()
        blanks.count(
            visible: view.window.visibleRows.count, blank: view.blankCount, isAtRest: frame >= way.restFrame)
        frame += 1
        progress(frame)
    }
}

/// A display that is not there: it refreshes evenly, by the real clock, and shows what is ready at each of
/// its ticks.
@MainActor
final class VirtualDisplay: FrameStage {
    private let grid: FrameGrid
    private let frameCount: Int
    private var frame = 0
    private var tick = 1

    init(hz: Int, frameCount: Int) {
        grid = FrameGrid(hz: hz, origin: DispatchTime.now().uptimeNanoseconds)
        self.frameCount = frameCount
    }

    func waitForFrame(isMoving: Bool) -> Bool {
        guard frame < frameCount else { return false }
        FrameClock.sleep(until: .nanoseconds(Int64(grid.time(of: tick))))
        return true
    }

    func showFrame(isMoving: Bool) -> FrameTime {
        let due = tick + 1
        tick = grid.shownTick(ofFrameAt: tick, endedAt: DispatchTime.now().uptimeNanoseconds)
        frame += 1
        return FrameTime(shownAt: grid.duration(to: tick), dueAt: grid.duration(to: due))
    }
}
