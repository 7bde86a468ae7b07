import AsyncLayers
import CairoRendering
import Testing

@testable import SDLFeed

/// The feed that the program shows for a number of cells, and what its rows look like, drawn without layers.
struct ExampleFeed {
    let content: FeedContent
    let drawing: CellDrawing

    init(cells: Int, seed: UInt64 = 1) throws {
        let texts = CellTexts()
        let photos = try PhotoStore(folder: PhotoStore.examplesFolder)
        var generator = FeedGenerator(seed: seed, pictureCount: photos.count)
        content = FeedContent(posts: generator.posts(cells), texts: texts)
        drawing = CellDrawing(texts: texts, photos: photos)
    }

    @MainActor
    func setting() throws -> CellSetting {
        CellSetting(
            scale: 1, drawing: drawing, skeleton: try Skeleton.image(scale: 1),
            cache: ContentsCache(byteLimit: 16 << 20), displaysAsynchronously: true)
    }

    /// A view in which a post that cannot be drawn is an issue.
    @MainActor
    func view(viewportHeight: Double = 720) throws -> FeedView {
        FeedView(
            content, try setting(), viewportHeight: viewportHeight, prefetches: true,
            reportFailure: { Issue.record("post \($0.number): \($1)") })
    }

    @MainActor
    func picture(
        of row: Int, isLiked: Bool = false, drawing: CellDrawing? = nil
    ) throws -> CairoImage {
        var post = content.posts[row]
        post.isLiked = isLiked
        let layout = content.layouts[row]
        let (drawing, layer) = (drawing ?? self.drawing, AsyncLayer(renderer: CairoRenderer()))
        layer.bounds = Rect(size: layout.size)
        layer.isOpaque = true
        layer.displaysAsynchronously = false
        let delegate = Drawing { [post] in try drawing.draw(post, layout, in: $0, scope: $1) }
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
