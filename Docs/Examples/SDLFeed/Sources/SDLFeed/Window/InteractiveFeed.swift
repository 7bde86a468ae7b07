import AsyncLayers
import ScrollScheduling
import FeedKit

/// The feed with its input: input moves the scroller, the scroller moves the view.
@MainActor
final class InteractiveFeed: FrameProgram {
    let view: FeedView
    let title: TitleBar
    private(set) var scroller: Scroller
    /// True when the program is to end.
    private(set) var isDone = false
    private(set) var blanks = BlankCounter()

    /// Where the feed's top left is in the window.
    private var origin = Point(x: 0, y: WindowMeasures.titleHeight)
    private var script: ScriptPlayer?
    private var pressed: Point?
    private var hasJustRested = false

    /// Arrow keys and the wheel go this far, in points.
    private static let step = 60.0
    /// A page leaves this much of the one before in view.
    private static let pageOverlap = 60.0
    /// A press that moves farther is no click.
    private static let clickDistance = 4.0

    init(_ view: FeedView, _ title: TitleBar, script: ScriptPlayer?) {
        self.view = view
        self.title = title
        self.script = script
        scroller = Scroller(
            contentHeight: view.window.column.contentHeight, viewportHeight: view.window.height)
    }

    var isMoving: Bool { !scroller.isResting || script != nil }

    /// The window has another size, in points, or other pixels.
    func windowChanged(_ size: Size, scale: Double) throws {
        origin.x = WindowMeasures.feedLeft(windowWidth: size.width)
        let viewportHeight = max(size.height - origin.y, 1)
        scroller.viewportHeight = viewportHeight
        view.window.height = viewportHeight
        title.change(scale: scale)
        try view.change(scale: scale)
    }

    // MARK: Input

    /// Handles what the reader does; points are the window's, times are in seconds.
    func handle(_ event: InputEvent, at time: Double) {
        switch event.mappingPoints({ Point(x: $0.x - origin.x, y: $0.y - origin.y) }) {
        case .press(let point):
            pressed = point
            scroller.touch(point.y, at: time)
        case .move(let point):
            scroller.drag(point.y, at: time)
            if let pressed, abs(point.y - pressed.y) + abs(point.x - pressed.x) > Self.clickDistance {
                self.pressed = nil
            }
        case .release(let point):
            scroller.lift(at: time)
            if let pressed { view.click(x: pressed.x, y: point.y) }
            pressed = nil
        case .wheel(let notches): scroller.scroll(by: -notches * Self.step, at: time)
        case .key(let key): scroll(key, at: time)
        case .quit: isDone = true
        }
    }

    private func scroll(_ key: ScrollKey, at time: Double) {
        let page = max(view.window.height - Self.pageOverlap, Self.step)
        switch key {
        case .up: scroller.scroll(by: -Self.step, at: time)
        case .down: scroller.scroll(by: Self.step, at: time)
        case .pageup: scroller.scroll(by: -page, at: time)
        case .pagedown: scroller.scroll(by: page, at: time)
        case .home: scroller.scroll(to: 0, at: time)
        case .end: scroller.scroll(to: scroller.maximumOffset, at: time)
        }
    }

    // MARK: Frames

    func advance(to time: Duration) {
        playScript(at: time)
        scroller.step(to: time.seconds)
        let events = scroller.takeEvents()
        hasJustRested = events.last == .rested
        view.scroll(to: scroller.offset, speed: scroller.speed, after: events)
    }

    private func playScript(at time: Duration) {
        guard script != nil else { return }
        let isComplete = scroller.isResting && view.isComplete && !title.isWaiting
        let events = script?.events(at: time.seconds, isResting: scroller.isResting, isComplete: isComplete)
        for (event, time) in events ?? [] { handle(event, at: time) }
        if script?.isOver == true { script = nil }
    }

    func frameWasShown(_ meter: FrameRateMeter) {
        view.frameWasShown()
        blanks.count(
            visible: view.window.visibleRows.count, blank: view.blankCount, isAtRest: hasJustRested)
        title.update(meter.recent, waitingCount: view.waitingCount, at: FrameClock.now)
    }
}
