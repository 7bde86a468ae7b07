import AsyncLayers
import Testing

@testable import SDLFeed

@MainActor
@Suite("The feed under somebody's hands")
struct InteractiveFeedTests {
    private let feed: InteractiveFeed

    init() throws {
        let title = TitleBar(scale: 1, displaysAsynchronously: false)
        feed = InteractiveFeed(try ExampleFeed(cells: 40).view(), title, script: nil)
    }

    @Test("shows another frame once nobody holds it, without its scroll bar")
    func scrollBar() {
        let before = ShownFrame(feed)
        feed.handle(.press(Point(x: 200, y: 300)), at: 0)
        let held = ShownFrame(feed)
        #expect(held.hasScrollBar)
        #expect(held != before)
        feed.handle(.release(Point(x: 200, y: 300)), at: 1)
        #expect(ShownFrame(feed) == before)
    }
}
