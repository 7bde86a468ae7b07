import AsyncLayers
import QueuePools

/// What became of a draw.
enum DrawEnd {
    /// With a picture.
    case done
    /// It is not wanted any more.
    case cancelled
    /// The pool's tier has no room, or no thread yet.
    case refused
    case failed(any Error)

    /// A draw that the pool has refused is tried again.
    var isFailure: Bool { if case .failed = self { true } else { false } }
}

/// Draws a tile, whatever it is drawn with.
@MainActor
protocol TilePainting: AnyObject {
    /// Is told what becomes of a draw.
    var tile: Tile? { get set }
    /// - Parameter pixels: those of its picture that differ from the one to be drawn; nil: all may.
    func draw(_ pixels: PixelRect?, because reason: TileStatistics.Reason, timeLimit: Duration?)
    /// Moves a draw that waits.
    func move(to tier: QoSTier)
    func cancelDraw()
    /// Whether a thread draws it.
    var isBeingDrawn: Bool { get }
    var hasPicture: Bool { get }
    /// Lets the picture go.
    func letGo()
}

/// Draws a tile with a layer of its own.
@MainActor
final class TilePainter<R: Renderer>: TilePainting, AsyncLayerDelegate {
    weak var tile: Tile?
    private weak var owner: TiledLayer<R>?
    private let layer: AsyncLayer<TileRenderer<R>>
    /// The layer's picture that the tile knows. The layer swaps in the pictures of a step before it reports
    /// any: in a callback of the first, the others' would be seen before their tiles hold them back.
    private var reported: R.Contents?
    /// The pixels of the picture, of those of its level.
    private let frame: PixelRect
    /// For the draw that is about to begin.
    private var (pixels, reason): (PixelRect?, TileStatistics.Reason) = (nil, .first)

    /// - Parameter frame: the pixels of the picture, of those of a level.
    init(_ frame: PixelRect, scale: Double, owner: TiledLayer<R>) {
        self.owner = owner
        let renderer = TileRenderer(base: owner.renderer, originX: frame.minX, originY: frame.minY)
        self.frame = frame
        layer = AsyncLayer(renderer: renderer, host: owner.pipeline.host)
        layer.size = (frame.rect * (1 / scale)).size
        layer.contentsScale = scale
        layer.delegate = self
        layer.onContentsChange = { [weak self] transition in
            // Nil: the picture was let go.
            guard let self, let contents = layer.contents else { return }
            reported = contents
            tile?.pictureHasChanged(former: transition)
        }
    }

    func draw(_ pixels: PixelRect?, because reason: TileStatistics.Reason, timeLimit: Duration?) {
        (self.pixels, self.reason) = (pixels, reason)
        layer.background = owner?.background ?? .clear
        layer.displayTimeLimit = timeLimit
        layer.display()
        // A draw that was moved is not demoted: tiles that come into view would go before an edit that waits.
        layer.qos = self.reason.tier
    }

    func move(to tier: QoSTier) { layer.qos = tier }

    func cancelDraw() { layer.cancelDisplay() }

    var isBeingDrawn: Bool { layer.isBeingDrawn }

    var hasPicture: Bool { layer.contents != nil }

    func letGo() {
        reported = nil
        if hasPicture { layer.removeContents() }
    }

    /// The picture that is shown; nil if the program has uploaded it.
    func contents(of tile: Tile) -> R.Contents? {
        guard tile.state.shown != nil else { return nil }
        return switch tile.state.keeper {
        case .painter: reported
        // It is what this painter's layer has reported.
        case .tile: tile.former.flatMap { unsafeDowncast($0, to: ContentsTransition<R.Contents>.self).former }
        case .program: nil
        }
    }

    func displayTask(for _: AsyncLayer<TileRenderer<R>>) -> DisplayTask<TileRenderer<R>>? {
        guard let owner else { return nil }
        let part = pixels.flatMap { $0.area < frame.area ? $0 : nil }
        let former = part.flatMap { pixels in
            layer.contents.map { FormerPicture<TileRenderer<R>>($0, redrawing: pixels) }
        }
        let (draw, size) = (owner.content, owner.documentSize)
        let outset = owner.pipeline.outset(at: layer.contentsScale)
        let (reason, times, loop) = (reason, owner.pipeline.drawTimes, owner.pipeline.host.loop)
        // In tiles of the wanted level.
        let wanted = owner.pipeline.levels.first?.grid
        let count = Double(frame.area) / Double(wanted?.tileArea ?? frame.area)
        let ratio = (wanted?.scale ?? layer.contentsScale) / layer.contentsScale
        return DisplayTask(
            qos: reason.tier, over: former,
            onEnd: { [weak self] outcome in
                let end: DrawEnd =
                    switch outcome {
                    case .committed: .done
                    case .failed(let error):
                        switch (error as? PoolError)?.code {
                        case .full, .noThread: .refused
                        default: .failed(error)
                        }
                    case .cancelled, .superseded: .cancelled
                    }
                self?.tile?.drawHasEnded(end)
            },
            draw: { [frame, scale = layer.contentsScale] context, scope in
                let pixels = scope.redrawn.map { $0.moved(x: frame.minX, y: frame.minY) } ?? frame
                let area = (pixels.rect * (1 / scale)).inset(by: -outset)
                guard let draw else { return }
                let start = loop.now
                var hasEnded = false
                defer {
                    // One that failed tells nothing.
                    if scope.redrawn == nil, hasEnded || scope.isCancelled {
                        times.drew(
                            in: loop.now - start, because: reason, pixels: count,
                            content: count * ratio * ratio, isStopped: scope.isCancelled)
                    }
                }
                try draw(context, TileScope(area: area, scale: scale, documentSize: size, scope))
                hasEnded = true
            })
    }
}
