import AsyncLayers
import CairoRendering
import FeedKit
import Testing

@testable import SDLFeed

/// The feed that the program shows for a number of cells, and what its rows look like, drawn without layers.
struct ExampleFeed {
    let layouts: [PostLayout]
    let drawing: CellDrawing

    init(cells: Int, seed: UInt64 = 1) throws {
        let texts = CellTexts()
        let photos = try PhotoStore(folder: nil)
        var generator = FeedGenerator(seed: seed, pictureCount: photos.count)
        layouts = [PostLayout](generator.posts(cells), texts: texts)
        drawing = CellDrawing(texts: texts, photos: photos)
    }

    var column: CellColumn { CellColumn(heights: layouts.map(\.size.height)) }

    @MainActor
    func setting() throws -> PostCell.Setting {
        var setting = PostCell.Setting(painter: drawing, scale: 1, backgroundColor: CellStyle.page)
        setting.placeholder = try Skeleton.image(scale: 1)
        setting.cache = ContentsCache(byteLimit: 16 << 20)
        return setting
    }

    /// A view in which a post that cannot be drawn is an issue.
    @MainActor
    func view(viewportHeight: Double = 720) throws -> FeedView {
        FeedView(
            layouts, try setting(), viewportHeight: viewportHeight, prefetches: true,
            reportFailure: { Issue.record("post \($0.number): \($1)") })
    }

    @MainActor
    func picture(
        of row: Int, isLiked: Bool = false, drawing: CellDrawing? = nil
    ) throws -> CairoImage {
        var layout = layouts[row]
        layout.post.isLiked = isLiked
        let (drawing, layer) = (drawing ?? self.drawing, AsyncLayer(renderer: CairoRenderer()))
        layer.size = layout.size
        layer.background = .opaque()
        layer.displaysAsynchronously = false
        let delegate = Drawing { [layout] context, scope in
            try drawing.draw(layout, in: context) { scope.isCancelled }
        }
        layer.delegate = delegate
        layer.display()
        return try #require(layer.contents)
    }
}

/// A delegate that always draws the same.
@MainActor
private final class Drawing: AsyncLayerDelegate {
    private let draw: DisplayTask<CairoRenderer>.Draw

    init(_ draw: @escaping DisplayTask<CairoRenderer>.Draw) { self.draw = draw }

    func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
        DisplayTask(draw: draw)
    }
}

extension CairoImage {
    /// Rows of pixels without alpha.
    func rows(_ rows: Range<Int>) -> [[UInt32]] {
        rows.map { y in (0..<pixelWidth).map { self[x: $0, y: y] & 0xFF_FFFF } }
    }
}
