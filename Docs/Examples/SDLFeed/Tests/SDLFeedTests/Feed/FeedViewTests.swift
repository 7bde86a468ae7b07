import AsyncLayers
import CairoRendering
import FeedKit
import Testing

@testable import SDLFeed

@MainActor
@Suite("The feed's view", .timeLimit(.minutes(2)))
struct FeedViewTests {
    private let feed: ExampleFeed
    private let view: FeedView

    init() throws {
        feed = try ExampleFeed(cells: 120)
        view = try feed.view()
    }

    /// Waits until all that was asked for is drawn.
    private func settle() async throws {
        for cell in view.cells.values { try await cell.layer.displayed() }
    }

    private func expectOwnPictures() throws {
        for row in view.window.visibleRows {
            let cell = try #require(view.cells[row])
            #expect(cell.layout?.number == row)
            if cell.picture == nil { continue }
            let shown = try #require(cell.layer.contents)
            let expected = try feed.picture(of: row)
            #expect(
                shown.rows(0..<shown.pixelHeight) == expected.rows(0..<expected.pixelHeight), "row \(row)")
        }
    }

    @Test("a cell that is used again never shows the post of the row that has left")
    func recycling() async throws {
        var offset = 0.0
        for step in 0..<8 {
            view.scroll(to: offset, speed: 3_000)
            try expectOwnPictures()
            try await settle()
            #expect(view.isComplete)
            try expectOwnPictures()
            view.frameWasShown()
            offset += step % 3 == 2 ? -900 : 2_500
        }
        #expect(view.counters.flashCount == 0)
    }

    @Test("rows that come next are drawn before they are seen")
    func prefetch() async throws {
        view.scroll(to: 0)
        try await settle()
        let first = view.window.visibleRows
        view.scroll(to: feed.column.top(of: first.upperBound + 1), speed: 1_000)
        #expect(view.window.visibleRows.lowerBound > first.lowerBound)
        #expect(view.blankCount == 0)
    }

    @Test("rows far from view have no cells")
    func memory() async throws {
        for offset in stride(from: 0.0, to: 20_000, by: 400) { view.scroll(to: offset, speed: 24_000) }
        #expect(view.cells.count < 26)
        #expect(view.cells.keys.allSatisfy { abs($0 - view.window.visibleRows.lowerBound) < 24 })
    }

    @Test("a scroll to the other end passes the rows between, and shows those at its end")
    func jump() async throws {
        view.scroll(to: 0)
        try await settle()
        let end = feed.column.contentHeight - view.window.height
        var events = [ScrollEvent.released(target: end)]
        var rows: Set<Int> = []
        for step in 1...20 {
            view.scroll(to: end * Double(step) / 20, speed: 50_000, after: events)
            rows.formUnion(view.cells.keys)
            events = []
        }
        view.scroll(to: end, after: [.rested])
        try await settle()
        #expect(view.isComplete)
        rows.formUnion(view.cells.keys)
        #expect(rows.count < 40, "\(rows.count) rows were drawn")
    }

    @Test("a click on a heart draws that post again, and its old picture stays until then")
    func like() async throws {
        view.scroll(to: 0)
        try await settle()
        view.frameWasShown()
        let heart = feed.layouts[0].heart
        let before = try #require(view.cells[0]?.layer.contents)
        view.click(x: heart.minX + 20, y: heart.minY + 10)
        #expect(view.layouts[0].post.isLiked)
        #expect(view.waitingCount == 1)
        #expect(view.cells[0]?.layer.contents === before)
        try await settle()
        let after = try #require(view.cells[0]?.layer.contents)
        let expected = try feed.picture(of: 0, isLiked: true)
        #expect(after.rows(0..<after.pixelHeight) == expected.rows(0..<expected.pixelHeight))
        #expect(after.rows(0..<after.pixelHeight) != before.rows(0..<before.pixelHeight))

        view.click(x: 10, y: heart.minY + 10)
        #expect(view.layouts[0].post.isLiked)
    }

    @Test("a window on a display with more pixels is drawn again, in those pixels")
    func scale() async throws {
        view.scroll(to: 0)
        try await settle()
        try view.change(scale: 2)
        #expect(view.blankCount == 0)
        try await settle()
        let contents = try #require(view.cells[0]?.layer.contents)
        #expect(contents.pixelWidth == 2 * Int(CellStyle.width))
        #expect(contents.scale == 2)
    }

    @Test("a post that cannot be drawn is reported, and is not waited for")
    func failure() async throws {
        // Cairo makes no picture of so many pixels.
        let post = Post(
            number: 0, author: Author.all[0], minutesAgo: 0, text: "",
            photo: Photo(picture: 0, height: 40_000),
            replyCount: 0, shareCount: 0, likeCount: 0)
        let layouts = [PostLayout]([post], texts: feed.drawing.texts)
        var failed: [Int] = []
        let view = FeedView(
            layouts, try feed.setting(), viewportHeight: 720, prefetches: true,
            reportFailure: { post, _ in failed.append(post.number) })
        view.scroll(to: 0)
        let cell = try #require(view.cells[0])
        await #expect(throws: (any Error).self) { try await cell.layer.displayed() }
        #expect(failed == [0])
        #expect(cell.picture == nil)
        #expect(view.isComplete)
        #expect(view.waitingCount == 0)
    }

    @Test("a picture file that is missing leaves its area grey, and the text is there")
    func missingFile() throws {
        let photos = PhotoStore(files: ["/nowhere.png"])
        let broken = CellDrawing(texts: feed.drawing.texts, photos: photos)
        let row = try #require(feed.layouts.firstIndex { $0.photo != nil })
        let layout = feed.layouts[row]
        let rect = try #require(layout.photo)
        let image = try feed.picture(of: row, drawing: broken)
        let middle = image[x: Int(rect.minX + 50), y: Int(rect.minY + 50)]
        #expect(middle & 0xFF == UInt32((CellStyle.placeholder.blue * 255).rounded()))
        let text = image.rows(Int(layout.body.y)..<Int(rect.minY)).joined()
        #expect(text.contains { $0 & 0xFF < 0x60 })
    }
}
