import AsyncLayers
import BitmapRendering
import Dispatch
import FeedKit
import Testing

@testable import FeedDemo

extension MeasuredFeed {
    /// What the window shows now.
    fileprivate func picture() throws -> Screenshot { try screenshot(of: shot) }
}

@MainActor
@Suite("The feed's view", .timeLimit(.minutes(5)))
struct MeasuredFeedTests {
    private static let viewport = Size(width: 320, height: 480)

    private static let layouts = layouts(BitmapPainter())

    private static func layouts<Painter: FeedPainter>(_ painter: Painter) -> [Painter.Layout] {
        (1...40).map { number in
            let words = Array(repeating: "drawn off the main thread", count: number % 7 + 1)
            let item = FeedItem(
                author: "Author \(number % 5)", source: "test", kind: FeedItem.Kind.allCases[number % 6],
                text: words.joined(separator: ", "))
            return painter.layOut(item, number: number, width: viewport.width)
        }
    }

    /// A view of cells in a stroke font.
    private func view(_ mode: FeedMode, drawCost: DrawCost = .none) -> MeasuredFeed<BitmapPainter> {
        MeasuredFeed(
            painter: BitmapPainter(), layouts: Self.layouts, viewport: Self.viewport, scale: 1, mode: mode,
            drawCost: drawCost)
    }

    /// Scrolls through some offsets, a turn of the main queue each, and waits for the last pictures.
    private func scroll<Painter: FeedPainter>(
        _ mode: FeedMode, through offsets: [Double], with painter: Painter = BitmapPainter()
    ) async throws -> MeasuredFeed<Painter> {
        let view = MeasuredFeed(
            painter: painter, layouts: Self.layouts(painter), viewport: Self.viewport, scale: 2, mode: mode)
        for offset in offsets {
            view.scroll(to: offset)
            await nextTurn()
            view.frameEnded()
        }
        while !view.isAtRest || view.cellsInView.empty > 0 { await nextTurn() }
        view.frameEnded()
        return view
    }

    private func nextTurn() async {
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    nonisolated static let drawingModes = FeedMode.allCases.filter {
        $0.scenario == .scroll && $0.showsCells
    }

    @Test(
        "the last frame of every drawing mode is identical, pixel for pixel, with each renderer",
        arguments: drawingModes, FeedRenderer.builtIn)
    func identicalLastFrames(mode: FeedMode, renderer: FeedRenderer) async throws {
        try await identicalLastFrames(mode, with: renderer.painter(FeedDemoOptions.defaults))
    }

    private func identicalLastFrames(_ mode: FeedMode, with painter: some FeedPainter) async throws {
        let offsets = [0, 130.5, 900, 2_000.25, 1_333.1]
        let synchronous = try await scroll(.synchronous, through: offsets, with: painter).picture()
        let picture = try await scroll(mode, through: offsets, with: painter).picture()
        #expect(synchronous.pixelWidth == 640)
        #expect(synchronous.pixelHeight == 960)
        #expect(synchronous.hasSamePixels(as: picture))

        let elsewhere = try await scroll(mode, through: [0], with: painter).picture()
        #expect(!synchronous.hasSamePixels(as: elsewhere), "the comparison can tell frames apart")
    }

    @Test(
        "every pass of a scroll has ended, and all that is in view is drawn",
        arguments: drawingModes, FeedRenderer.builtIn)
    func accounts(mode: FeedMode, renderer: FeedRenderer) async throws {
        try await accounts(mode, with: renderer.painter(FeedDemoOptions.defaults))
    }

    private func accounts(_ mode: FeedMode, with painter: some FeedPainter) async throws {
        let offsets = Array(stride(from: 0.0, to: 2_500, by: 97))
        let view = try await scroll(mode, through: offsets, with: painter)
        let passes = view.counters.total
        #expect(passes.begun >= view.window.visibleRows.count)
        #expect(passes.begun == passes.committed + passes.superseded.total + passes.cancelled + passes.failed)
        #expect(passes.failed == 0)
        #expect(view.painter.base.bytesInFlight.current == 0)
        #expect(view.painter.base.bytesInFlight.peak > 0)
        #expect(view.painter.drawTimes.milliseconds.max > 0)
    }

    @Test("the baseline draws nothing, and has no cell that could be empty")
    func baseline() async throws {
        let view = try await scroll(.baseline, through: [0, 500])
        #expect(view.counters.total.begun == 0)
        #expect(!view.window.visibleRows.isEmpty)
        #expect(view.cellsInView.empty == 0)
    }

    @Test("drawn on the main thread, every pass is shown within its own turn and by its own frame")
    func synchronousTurns() async throws {
        let view = try await scroll(.synchronous, through: [0, 400, 0])
        let passes = view.counters.total
        #expect(passes.committedInSameTurn == passes.begun)
        #expect(passes.drawnButNeverShown == 0)
        #expect(view.counters.framesWithNewPicture.allSatisfy { $0.count == 1 })
    }

    @Test(
        "cells that come back are drawn again, unless their pictures were kept: then they are there at once",
        arguments: [FeedMode.layered, .yyAsyncLayer, .filtered, .cached])
    func comingBack(mode: FeedMode) async throws {
        let view = view(mode)
        var cells = 0
        for offset in [0, 1_000, 2_000.0] {
            try await show(view, at: offset)
            cells = view.counters.total.begun
        }
        #expect(view.counters.again.begun == 0)
        for offset in [1_000, 0.0] { try await show(view, at: offset) }
        let again = view.counters.again
        #expect(again.begun > 5)
        // Rows that are drawn ahead may never have been shown.
        if mode.rows != .prefetched { #expect(view.counters.total.begun == cells + again.begun) }
        #expect(again.drawn == (mode == .cached ? 0 : again.begun))
        if mode == .cached { #expect(again.committedInSameTurn == again.begun) }
        #expect((view.cachedBytes != nil) == (mode == .cached))
        if let bytes = view.cachedBytes { #expect(bytes > 100_000) }
    }

    /// Scrolls to a place and waits until all that is in view has been drawn and shown.
    private func show(_ view: MeasuredFeed<some FeedPainter>, at offset: Double) async throws {
        view.scroll(to: offset)
        repeat {
            await nextTurn()
            view.frameEnded()
        } while !view.isAtRest
        #expect(view.cellsInView.empty == 0)
    }

    @Test("rows are drawn before they come into view, a few at a time, and are there at once when they do")
    func prefetched() async throws {
        let view = view(.layered)
        view.scroll(to: 0)
        let first = view.window.visibleRows.count
        #expect(view.counters.framesWithNewPicture.count == first, "at rest, what is in view comes first")
        try await show(view, at: 0)
        view.scroll(to: 0)
        let cells = view.counters.framesWithNewPicture.count
        #expect(first < 8 && cells > first && cells <= first + 8)
        try await show(view, at: 0)
        let begun = view.counters.total.begun
        #expect(begun >= first + first / 2)
        // By half a screenful.
        view.scroll(to: Self.viewport.height / 2, speed: 1_000)
        #expect(view.cellsInView.visible > first / 2)
        #expect(view.cellsInView.empty == 0)
        view.frameEnded()
        view.scroll(to: 0)
        #expect(view.cellsInView.empty == 0, "rows that have left are kept for a while")
        view.close()
        let unshown = view.counters.total.drawnButNeverShown
        #expect(unshown > 0 && unshown < begun, "those that were never in view count as never shown")
    }

    @Test("a row that passes before it has a picture is not drawn after the event")
    func passed() async throws {
        let view = view(.layered, drawCost: DrawCost(milliseconds: 30...30))
        view.scroll(to: 0)
        await nextTurn()
        let empty = view.cellsInView.empty
        let end = view.window.column.contentHeight - Self.viewport.height
        view.scroll(to: end, speed: 100_000)
        try await show(view, at: end)
        #expect(view.counters.total.cancelled >= empty)
        #expect(view.cellsInView.drafts == 0, "in the end all is drawn in full")
    }

    @Test("rows that a fast scroll only passes are not drawn, and those where it stops are")
    func filtered() async throws {
        let view = view(.filtered)
        let end = view.window.column.contentHeight - Self.viewport.height
        view.scroll(to: 0, after: [.touched])
        let first = view.window.visibleRows.count
        await nextTurn()
        #expect(view.counters.total.begun == first)
        view.scroll(to: 5, after: [.released(target: end)])
        for offset in [end / 3, end / 2] { view.scroll(to: offset) }
        await nextTurn()
        #expect(view.counters.total.begun == first)
        #expect(view.cellsInView.empty == view.window.visibleRows.count)

        view.scroll(to: end / 2, after: [.rested])
        await nextTurn()
        let caught = view.window.visibleRows.count
        #expect(view.counters.total.begun == first + caught, "what stops it is drawn where it stopped")

        view.scroll(to: end / 2, after: [.touched, .released(target: end)])
        view.scroll(to: end)
        await nextTurn()
        let last = view.window.visibleRows.count
        #expect(view.counters.total.begun == first + caught + last)

        view.scroll(to: end / 2, after: [.scrollsToTop])
        await nextTurn()
        #expect(view.counters.total.begun == first + caught + last)
        try await show(view, at: 0)
        #expect(view.counters.total.begun == 2 * first + caught + last)
    }

    @Test("to invalidate is to ask for a pass of every cell in view")
    func invalidation() async throws {
        let view = try await scroll(.synchronous, through: [0])
        let cells = view.window.visibleRows.count
        #expect(cells > 2)
        #expect(view.counters.total.begun == cells)
        view.invalidate()
        await nextTurn()
        view.frameEnded()
        #expect(view.counters.total.begun == 2 * cells)
        #expect(view.counters.framesWithNewPicture.count == cells)
        #expect(view.counters.framesWithNewPicture.allSatisfy { $0.count == 2 })
    }

    @Test("what drawing costs at least is waited for, by each cell's own number")
    func drawCost() async throws {
        let view = view(.synchronous, drawCost: DrawCost(milliseconds: 20...20))
        view.scroll(to: 0)
        await nextTurn()
        let times = view.painter.drawTimes.milliseconds
        #expect(times.p50 >= 20)
    }

    @Test("a cell is as high as its wrapped text needs, and its parts lie within it")
    func layout() {
        for layout in Self.layouts {
            let geometry = layout.geometry
            let bubble = geometry.bubble
            #expect(layout.lines.allSatisfy { $0.width <= bubble.size.width - 2 * CellGeometry.padding })
            let textBottom = geometry.content.y + Double(layout.lines.count) * layout.textFont.lineHeight
            #expect(textBottom <= bubble.maxY)
            #expect(bubble.maxY <= layout.size.height)
            #expect(bubble.maxX <= layout.size.width)
        }
    }
}
