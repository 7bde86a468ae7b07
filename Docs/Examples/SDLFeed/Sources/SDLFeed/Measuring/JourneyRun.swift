import AsyncLayers

/// Takes a feed along a journey, one step a frame, and counts what is in view.
@MainActor
final class JourneyRun: FrameProgram {
    let isMoving = true
    private(set) var blanks = BlankCounter()

    private let view: FeedView
    private let journey: Journey
    private let progress: (Int) -> Void
    private var frame = 0

    /// - Parameter progress: told how many frames are done.
    init(_ view: FeedView, _ journey: Journey, progress: @escaping (Int) -> Void) {
        self.view = view
        self.journey = journey
        self.progress = progress
    }

    func advance(to time: Duration) {
        view.scroll(to: journey.offsets[frame], speed: journey.speed(at: frame))
    }

    func frameWasShown(_ meter: FrameRateMeter) {
        view.frameWasShown()
        blanks.count(
            visible: view.visibleRows.count, blank: view.blankCount, isAtRest: frame >= journey.restFrame)
        frame += 1
        progress(frame)
    }
}
