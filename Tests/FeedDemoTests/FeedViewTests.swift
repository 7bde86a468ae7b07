import AsyncLayers
import BitmapRendering
import Dispatch
import Testing

@testable import FeedDemo

@MainActor
@Suite("The feed's view", .timeLimit(.minutes(5)))
struct FeedViewTests {
    private static let viewport = Size(width: 320, height: 480)

    private static let layouts: [CellLayout] = (1...40).map { number in
        let words = Array(repeating: "drawn off the main thread", count: number % 7 + 1)
        let item = FeedItem(
            author: "Author \(number % 5)", source: "test", kind: FeedItem.Kind.allCases[number % 6],
            text: words.joined(separator: ", "))
        return CellLayout(item: item, number: number, width: viewport.width)
    }

    /// Scrolls through some offsets, a turn of the main queue each, and waits for the last pictures.
    private func scroll(_ mode: FeedMode, through offsets: [Double]) async throws -> FeedView {
        let view = FeedView(layouts: Self.layouts, viewport: Self.viewport, scale: 2, mode: mode)
        for offset in offsets {
            view.scroll(to: offset)
            await nextTurn()
        }
        while view.passes.unfinished > 0 || view.emptyCellCount > 0 { await nextTurn() }
        return view
    }

    private func nextTurn() async {
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    @Test("the last frame of both drawing modes is identical, pixel for pixel")
    func identicalLastFrames() async throws {
        let offsets = [0, 130.5, 900, 2_000.25, 1_333.1]
        let synchronous = try await scroll(.synchronous, through: offsets).screenshot()
        let layered = try await scroll(.layered, through: offsets).screenshot()
        #expect(synchronous.pixelWidth == 640)
        #expect(synchronous.pixelHeight == 960)
        #expect(synchronous.hasSamePixels(as: layered))

        let elsewhere = try await scroll(.layered, through: [0]).screenshot()
        #expect(!synchronous.hasSamePixels(as: elsewhere), "the comparison can tell frames apart")
    }

    @Test("every pass of a scroll has ended, and all that is in view is drawn")
    func accounts() async throws {
        let view = try await scroll(.layered, through: stride(from: 0, to: 2_500, by: 97).map { $0 })
        let passes = view.passes
        #expect(passes.begun >= view.visibleCells.count)
        #expect(passes.begun == passes.committed + passes.superseded.total + passes.cancelled + passes.failed)
        #expect(passes.failed == 0)
        #expect(view.bytesInFlight.current == 0)
        #expect(view.bytesInFlight.peak > 0)
    }

    @Test("the baseline draws nothing")
    func baseline() async throws {
        let view = try await scroll(.baseline, through: [0, 500])
        #expect(view.passes.begun == 0)
        #expect(!view.visibleCells.isEmpty)
    }

    @Test("a cell is as high as its wrapped text needs, and its parts lie within it")
    func layout() {
        for layout in Self.layouts {
            #expect(layout.lines.allSatisfy { $0.width <= layout.bubble.size.width - 2 * CellLayout.padding })
            let textBottom = layout.text.y + Double(layout.lines.count) * layout.textFont.lineHeight
            #expect(textBottom <= layout.bubble.maxY)
            #expect(layout.bubble.maxY <= layout.size.height)
            #expect(layout.bubble.maxX <= layout.size.width)
        }
    }
}
