import AsyncLayers
import QueuePools
import QueuePoolsTransactions

/// This package's layers, on a pool of their own.
@MainActor
final class AsyncLayerHost: LayerHost {
    /// How a layer is invalidated.
    enum Request {
        /// `setNeedsDisplay()`, which displays at the end of the main loop's turn.
        case setNeedsDisplay
        /// `setNeedsDisplay()`, in a program that flushes by itself at the end of each of its frames.
        case setNeedsDisplayAndFlush
        /// `display()`, which displays at once.
        case display
    }

    private let pool: DefaultQueuePool
    private let host: DisplayHost
    private let request: Request
    private let isAsynchronous: Bool
    private let cache: ContentsCache<PictureRenderer>?
    private let draft: Double

    init(
        workers: Int, request: Request = .setNeedsDisplay, isAsynchronous: Bool = true,
        hasCache: Bool = false, draft: Double = 0
    ) throws {
        pool = try DefaultQueuePool(label: "layers", queuesPerTier: .exactly(workers))
        host = DisplayHost(
            pool: pool,
            transactions: request == .setNeedsDisplayAndFlush
                ? TransactionQueue(driver: ManualTurnDriver()) : .main)
        self.request = request
        self.isAsynchronous = isAsynchronous
        self.draft = draft
        cache = hasCache ? ContentsCache(byteLimit: 1 << 20, pool: pool) : nil
    }

    func makeLayer(_ source: any DrawSource) -> any ContenderLayer {
        let layer = makeBareLayer()
        return request == .display
            ? DisplayingLayer(layer, source) : InvalidatedLayer(layer, source)
    }

    /// A layer without a delegate.
    func makeBareLayer() -> AsyncLayer<PictureRenderer> {
        let layer = AsyncLayer(renderer: PictureRenderer(), host: host, cache: cache)
        layer.size = Size(width: 100, height: 40)
        layer.displaysAsynchronously = isAsynchronous
        layer.draft = draft
        return layer
    }

    /// A group without a time limit for its members.
    func makeGroup() -> DisplayGroup { DisplayGroup(timeLimit: .seconds(3_600), host: host) }

    func endTurn() {
        if request == .setNeedsDisplayAndFlush { host.transactions.flush() }
    }

    func shutDown() {
        pool.shutdownBlocking()
    }
}

/// Describes the passes of one layer, or of many.
@MainActor
class AsyncLayerSource: AsyncLayerDelegate {
    private let source: any DrawSource

    init(_ source: any DrawSource) {
        self.source = source
    }

    final func displayTask(for layer: AsyncLayer<PictureRenderer>) -> DisplayTask<PictureRenderer>? {
        let draw = source.nextDraw()
        var task = DisplayTask<PictureRenderer> { context, scope in
            // As many pixels fewer as a draft has, at a scale of 1.
            context.picture = draw.makePicture(share: scope.scale * scope.scale) { scope.isCancelled }
        }
        task.key = draw.key.map { ContentKey($0) }
        return task
    }
}

private class InvalidatedLayer: AsyncLayerSource, ContenderLayer {
    fileprivate final let layer: AsyncLayer<PictureRenderer>

    init(_ layer: AsyncLayer<PictureRenderer>, _ source: any DrawSource) {
        self.layer = layer
        super.init(source)
        layer.delegate = self
    }

    func invalidate() { layer.setNeedsDisplay() }
    func comesIntoView(_ isInView: Bool) { layer.qos = isInView ? .userInitiated : .default }
    func leaveView() { layer.cancelDisplay() }
    var picture: Picture? { layer.contents }
}

private final class DisplayingLayer: InvalidatedLayer {
    override func invalidate() { layer.display() }
}
