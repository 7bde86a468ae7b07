import AsyncLayers
import ScrollScheduling
import FeedKit
import Testing

@testable import SDLFeed

@MainActor
@Suite("The interactive feed")
struct InteractiveFeedTests {
    private let feed: InteractiveFeed

    init() throws { feed = try Self.feed() }

    private static func feed(script: [ScriptAction] = []) throws -> InteractiveFeed {
        let title = TitleBar(scale: 1, displaysAsynchronously: false)
        return InteractiveFeed(
            try ExampleFeed(cells: 40).view(), title, script: script.isEmpty ? nil : ScriptPlayer(script))
    }

    /// Where the first post's heart is in a window with that much room on the feed's left.
    private func heart(left: Double) -> Point {
        let heart = feed.view.layouts[0].heart
        return Point(x: left + heart.minX + 20, y: WindowMeasures.titleHeight + heart.minY + 12)
    }

    private func click(_ point: Point) {
        feed.handle(.press(point), at: 0)
        feed.handle(.release(point), at: 0)
    }

    @Test("shows another frame once it is released, without its scroll bar")
    func scrollBar() {
        let before = ShownFrame(feed)
        feed.handle(.press(Point(x: 200, y: 300)), at: 0)
        let held = ShownFrame(feed)
        #expect(held.hasScrollBar)
        #expect(held != before)
        feed.handle(.release(Point(x: 200, y: 300)), at: 1)
        #expect(ShownFrame(feed) == before)
    }

    @Test("counts the cells that frames have shown blank, and those of the first frame at rest")
    func blanks() throws {
        let meter = FrameRateMeter(refreshInterval: .milliseconds(16))
        feed.advance(to: .zero)
        feed.frameWasShown(meter)
        // No turn of the main loop has come between: nothing is drawn yet.
        #expect(feed.blanks.share == 1)
        #expect(feed.blanks.atRest == 0)
        feed.handle(.wheel(-1), at: 0)
        feed.advance(to: .seconds(9))
        for _ in 0..<2 {
            feed.frameWasShown(meter)
            feed.advance(to: .seconds(10))
        }
        #expect(feed.blanks.atRest == feed.view.window.visibleRows.count)
    }

    @Test("is clicked where it is shown, also in the middle of a wider window")
    func wideWindow() throws {
        try feed.windowChanged(Size(width: 720, height: 764), scale: 1)
        click(heart(left: 0))
        #expect(!feed.view.layouts[0].post.isLiked)
        click(heart(left: 150))
        #expect(feed.view.layouts[0].post.isLiked)
    }

    @Test("is clicked by a script where the mouse would click it")
    func script() throws {
        let place = heart(left: 150)
        let feed = try Self.feed(script: [.click(x: place.x, y: place.y)])
        try feed.windowChanged(Size(width: 720, height: 764), scale: 1)
        feed.advance(to: .zero)
        #expect(feed.view.layouts[0].post.isLiked)
    }

    @Test("is not clicked through the title bar")
    func title() throws {
        let place = heart(left: 0)
        // The heart comes to lie behind the bar's middle.
        let hidden = WindowMeasures.titleHeight / 2
        feed.handle(.press(Point(x: 5, y: 400)), at: 0)
        feed.handle(.move(Point(x: 5, y: 400 - (place.y - hidden))), at: 0.1)
        feed.handle(.release(Point(x: 5, y: 400 - (place.y - hidden))), at: 1)
        feed.advance(to: .seconds(2))
        #expect(feed.view.window.offset == place.y - hidden)
        click(Point(x: place.x, y: hidden))
        #expect(!feed.view.layouts.contains { $0.post.isLiked })
    }
}
