import CoreFoundation
import FeedKit
import Foundation

/// Runs frames from the main run loop: a timer begins each at its tick, and the end of the loop's turn ends
/// it, when everything that the frame asked for has been done.
///
/// An observer that comes after all others, the transactions' included, marks the end of a turn. So a frame's
/// time holds what was drawn at the end of its turn, and the turns between two frames are accounted for as
/// well.
@MainActor
final class RunLoopFrames {
    /// Begins a frame; gets its number.
    typealias Frame = @MainActor (Int) -> Void
    /// What the cells in view show.
    typealias Count = @MainActor () -> CellCounts

    private(set) var recorder: FrameRecorder
    private let frameCount: Int
    private let frame: Frame
    private let count: Count
    /// Called after each frame, outside of its time.
    private let afterFrame: Frame
    private var turnBegan: UInt64?
    private var frameBegan: UInt64?
    private var isDone: @MainActor () -> Bool = { true }
    private var observer: CFRunLoopObserver?

    /// - Parameter lead: how long after now the first tick is, in nanoseconds.
    init(
        hz: Int, frameCount: Int, lead: UInt64 = 50_000_000, frame: @escaping Frame, count: @escaping Count,
        afterFrame: @escaping Frame
    ) {
        self.frameCount = frameCount
        self.frame = frame
        self.count = count
        self.afterFrame = afterFrame
        recorder = FrameRecorder(
            grid: FrameGrid(hz: hz, origin: ProcessProbe.now + lead), frameCount: frameCount)
    }

    /// Runs all frames, continues until `isDone` returns true, and returns.
    func run(until isDone: @escaping @MainActor () -> Bool) {
        self.isDone = isDone
        observe()
        scheduleNextFrame()
        CFRunLoopRun()
        CFRunLoopObserverInvalidate(observer)
    }

    private func observe() {
        let activities = CFRunLoopActivity([.afterWaiting, .beforeWaiting]).rawValue
        observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, .max) {
            [unowned self] _, activity in
            MainActor.assumeIsolated {
                if activity == .afterWaiting { turnBegan = ProcessProbe.now } else { turnEnded() }
            }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopDefaultMode)
    }

    private func scheduleNextFrame() {
        let now = ProcessProbe.now
        let due = recorder.nextFrameTime
        let delay = due > now ? Double(due - now) / 1_000_000_000 : 0
        let timer = CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent() + delay, 0, 0, 0) {
            [unowned self] _ in
            MainActor.assumeIsolated { beginFrame() }
        }
        CFRunLoopAddTimer(CFRunLoopGetMain(), timer, kCFRunLoopDefaultMode)
    }

    private func beginFrame() {
        var now = ProcessProbe.now
        // What this turn did before the frame, such as showing pictures, is work too.
        if let turnBegan { recorder.addMainThreadTime(now - turnBegan) }
        // A timer may come a little early; the frame waits for its tick.
        while now < recorder.nextFrameTime { now = ProcessProbe.now }
        frameBegan = now
        frame(recorder.frames.count)
    }

    private func turnEnded() {
        let now = ProcessProbe.now
        if let began = frameBegan {
            recorder.record(begin: began, end: now, cells: count())
            afterFrame(recorder.frames.count - 1)
            if recorder.frames.count < frameCount { scheduleNextFrame() }
        } else if let turnBegan {
            recorder.addMainThreadTime(now - turnBegan)
        }
        frameBegan = nil
        turnBegan = nil
        if recorder.frames.count == frameCount, isDone() { CFRunLoopStop(CFRunLoopGetMain()) }
    }
}
