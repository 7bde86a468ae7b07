import Dispatch
import FeedKit

/// A display that is not there: it refreshes evenly, by the real clock, and shows what is ready at each of its ticks.
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
