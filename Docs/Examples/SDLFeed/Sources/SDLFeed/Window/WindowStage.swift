import AsyncLayers
import CSDL2
import CairoRendering
import SDLWindows

/// Frames in a window. At rest it sleeps until SDL has an event: of the user's, or a ``WakeEvent``.
@MainActor
final class WindowStage: FrameStage {
    private let window: Window
    private let presenter: Presenter
    private let feed: InteractiveFeed
    private var pacing: FramePacing
    private var shown: ShownFrame?
    /// Called with the window's picture before the last frame is shown; nil if it is not wanted, since
    /// reading it back can fail.
    private let capture: ((CairoImage) throws -> Void)?
    private(set) var error: (any Error)?

    init(_ window: Window, _ feed: InteractiveFeed, capture: ((CairoImage) throws -> Void)?) {
        self.window = window
        self.feed = feed
        self.capture = capture
        presenter = Presenter(window)
        pacing = FramePacing(interval: window.refreshInterval, now: FrameClock.now)
        sizeChanged()
    }

    // MARK: Waiting

    func waitForFrame(isMoving: Bool) -> Bool {
        guard !feed.isDone, error == nil else { return false }
        var event = SDL_Event()
        if isMoving {
            // A renderer that waits for the display has done so when it showed the last frame.
            if !window.waitsForDisplay { FrameClock.sleep(until: pacing.nextFrame) }
        } else if SDL_WaitEvent(&event) != 0 {
            handle(event)
        }
        while SDL_PollEvent(&event) != 0 { handle(event) }
        return true
    }

    private func handle(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_WINDOWEVENT:
            shown = nil
            sizeChanged()
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
            shown = nil
            presenter.texturesAreLost()
        default:
            guard let input = InputEvent(event) else { return }
            let units = window.pointsPerUnit
            feed.handle(
                input.mappingPoints { Point(x: $0.x * units, y: $0.y * units) }, at: FrameClock.now.seconds)
        }
    }

    private func sizeChanged() {
        do { try feed.windowChanged(window.size, scale: window.scale) } catch { self.error = error }
    }

    // MARK: Showing

    func showFrame(isMoving: Bool) -> FrameTime {
        let frame = ShownFrame(feed)
        if isMoving || frame != shown || feed.isDone {
            presenter.draw(feed.view, title: feed.title, hasScrollBar: frame.hasScrollBar)
            if feed.isDone { captureWindow() }
            presenter.show()
            shown = frame
        }
        let now = FrameClock.now
        pacing.frameWasShown(at: now)
        return FrameTime(shownAt: now)
    }

    private func captureWindow() {
        guard let capture else { return }
        do { try capture(window.capture()) } catch { self.error = error }
    }
}

/// What a frame shows. One that shows what the last one did need not be shown.
struct ShownFrame: Equatable {
    let offset: Double
    /// When each layer in view came to show what it shows.
    let pictures: [Duration?]
    /// There is a scroll bar while the feed moves or is held.
    let hasScrollBar: Bool

    @MainActor
    init(_ feed: InteractiveFeed) {
        offset = feed.view.window.offset
        pictures =
            [feed.title.layer.shownAt]
            + feed.view.window.visibleRows.map { feed.view.cells[$0]?.layer.shownAt }
        hasScrollBar = !feed.scroller.isResting
    }
}

/// When the next frame is due where showing one does not wait for the display. Pure: its input is the time.
struct FramePacing: Sendable {
    let interval: Duration
    private(set) var nextFrame: Duration

    init(interval: Duration, now: Duration) {
        self.interval = interval
        nextFrame = now
    }

    /// In step with the frame before, unless that was long ago. A turn at rest does not wait and comes before
    /// its frame is due: it counts from now, else many of them would add up to a long sleep.
    mutating func frameWasShown(at now: Duration) {
        nextFrame = max(min(nextFrame, now) + interval, now)
    }
}
