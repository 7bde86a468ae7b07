import ScrollScheduling
import MainLoopBridges

/// What frames are shown on: a window, or a display that is only computed.
@MainActor
protocol FrameStage: AnyObject {
    /// Waits until the next frame is due; at rest, until there is something to do.
    ///
    /// - Returns: false when no more frames are wanted.
    func waitForFrame(isMoving: Bool) -> Bool

    /// Shows what there is to be seen now.
    func showFrame(isMoving: Bool) -> FrameTime
}

/// When a frame was shown, and when it should have been: nil where only the distance from the frame before
/// tells.
struct FrameTime {
    let shownAt: Duration
    var dueAt: Duration?
}

/// What moves from frame to frame.
@MainActor
protocol FrameProgram: AnyObject {
    /// True while the next frame will be another one.
    var isMoving: Bool { get }

    /// Makes the next frame: moves what moves, and asks layers for their display.
    func advance(to time: Duration)

    /// The frame has been shown.
    func frameWasShown(_ meter: FrameRateMeter)
}

/// The program's own loop. One turn of it is one frame:
///
///     wait ──► input ──► advance ──► main queue, then transactions ──► show
///              scroll    cells ask   pictures that were drawn          textures of what
///                        to display  are committed, passes begin       has changed
///
/// The same loop runs the window and the measurement.
@MainActor
final class FrameLoop {
    private let waker: MainLoopWaker
    private let stage: any FrameStage
    private(set) var meter: FrameRateMeter
    /// What the main thread has worked for each frame in motion, without waiting and showing.
    private(set) var workTimes: [Duration] = []
    /// The same in time on a processor: what is left out is what other programs and threads have taken.
    private(set) var processorTimes: [Duration] = []

    init(waker: MainLoopWaker, stage: any FrameStage, refreshInterval: Duration) {
        self.waker = waker
        self.stage = stage
        meter = FrameRateMeter(refreshInterval: refreshInterval)
    }

    /// Runs until the stage wants no more frames.
    func run(_ program: some FrameProgram) {
        while stage.waitForFrame(isMoving: program.isMoving) {
            let (began, processorBegan) = (FrameClock.now, FrameClock.threadTime)
            program.advance(to: began)
            waker.performTurn()
            let isMoving = program.isMoving
            if isMoving {
                workTimes.append(FrameClock.now - began)
                processorTimes.append(FrameClock.threadTime - processorBegan)
            }
            let time = stage.showFrame(isMoving: isMoving)
            if isMoving {
                meter.recordFrame(shownAt: time.shownAt, dueAt: time.dueAt)
            } else {
                meter.suspend()
            }
            program.frameWasShown(meter)
        }
    }
}
