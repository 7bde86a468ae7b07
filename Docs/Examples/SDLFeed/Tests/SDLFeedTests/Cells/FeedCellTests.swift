import AsyncLayers
import CairoRendering
import Testing

@testable import SDLFeed

@MainActor
@Suite("A cell")
struct FeedCellTests {
    private struct Unwell: Error {}

    @MainActor
    private final class Log {
        var finished: [Int] = []
        var failed: [Int] = []
    }

    private let log = Log()
    private let feed: ExampleFeed
    private let cell: FeedCell

    init() throws {
        feed = try ExampleFeed(cells: 2)
        cell = FeedCell(
            try feed.setting(), pictureIsFinished: { [log] in log.finished.append($0.number) },
            pictureHasFailed: { [log] post, _ in log.failed.append(post.number) })
    }

    private func show(_ row: Int) {
        cell.show(feed.content.posts[row], feed.content.layouts[row], isInView: true)
    }

    /// Begins a pass by hand, and returns how it is told of its end.
    private func beginPass() throws -> @MainActor @Sendable (DisplayOutcome) -> Void {
        try #require(cell.displayTask(for: cell.layer)?.didDisplay)
    }

    @Test("waits for its newest picture, whatever becomes of older ones")
    func olderPasses() throws {
        show(0)
        let older = [try beginPass(), try beginPass()]
        cell.update(feed.content.posts[0])
        let newest = try beginPass()
        older[0](.committed)
        #expect(cell.isWaiting)
        #expect(log.finished == [0])
        older[1](.failed(Unwell()))
        #expect(cell.isWaiting)
        #expect(!cell.hasFailed)
        newest(.committed)
        #expect(!cell.isWaiting)
    }

    @Test("that is used again does not mistake the end of its former post's pass for its own")
    func recycled() throws {
        show(0)
        let former = try beginPass()
        cell.recycle()
        show(1)
        former(.failed(Unwell()))
        #expect(cell.isWaiting)
        #expect(log.failed.isEmpty)
    }

    @Test("tells once that its picture cannot be drawn, and again when it is asked for anew")
    func failure() throws {
        show(0)
        for pass in [try beginPass(), try beginPass()] { pass(.failed(Unwell())) }
        #expect(!cell.isWaiting)
        #expect(cell.hasFailed)
        #expect(log.failed == [0])
        cell.update(feed.content.posts[0])
        #expect(!cell.hasFailed)
        try beginPass()(.failed(Unwell()))
        #expect(log.failed == [0, 0])
    }
}
