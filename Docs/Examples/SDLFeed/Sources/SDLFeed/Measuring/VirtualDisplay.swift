/// A display that is not there: it refreshes evenly, by the real clock, and shows whatever is ready at each of its ticks.
///
/// A frame's work begins at a tick and has until the next one. If it takes longer, the frame is shown at the first tick
/// after its end, and the next frame begins there: nothing is skipped, the scroll is held up, as on a screen.
@MainActor
final class VirtualDisplay: FrameStage {
    private let interval: Duration
    private let frameCount: Int
    private let origin: Duration
    private var frame = 0
    private var tick = 1

    init(hz: Int, frameCount: Int) {
        interval = .seconds(1) / hz
        self.frameCount = frameCount
        origin = FrameClock.now
    }

    func waitForFrame(isMoving: Bool) -> Bool {
        guard frame < frameCount else { return false }
        FrameClock.sleep(until: origin + interval * tick)
        return true
    }

    func showFrame(isMoving: Bool) -> FrameTime {
        let due = tick + 1
        let ticksUntilNow = ((FrameClock.now - origin) / interval).rounded(.up)
        let shown = max(due, Int(ticksUntilNow))
        frame += 1
        tick = shown
        return FrameTime(shownAt: origin + interval * shown, dueAt: origin + interval * due)
    }
}
