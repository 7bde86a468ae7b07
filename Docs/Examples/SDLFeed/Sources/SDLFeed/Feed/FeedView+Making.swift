import AsyncLayers
import CairoRendering

extension FeedView {
    /// A feed as the options want it. Returns when all texts were laid out.
    static func make(
        _ options: Options, scale: Double, viewportHeight: Double
    ) throws -> FeedView {
        let photos = try PhotoStore(folder: options.images ?? PhotoStore.examplesFolder)
        let texts = CellTexts()
        var generator = FeedGenerator(seed: options.seed, pictureCount: photos.count)
        let content = FeedContent(posts: generator.posts(options.cells), texts: texts)
        let setting = CellSetting(
            scale: scale, drawing: CellDrawing(texts: texts, photos: photos),
            skeleton: try Skeleton.image(scale: scale),
            cache: ContentsCache(byteLimit: 48 << 20), displaysAsynchronously: options.mode == .layers)
        return FeedView(
            content, setting, viewportHeight: viewportHeight, prefetches: options.mode == .layers,
            reportFailure: { StandardError.tell("post \($0.number) cannot be drawn: \($1)") })
    }
}
