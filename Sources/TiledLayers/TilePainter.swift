import AsyncLayers
import QueuePools

/// What became of a draw.
enum DrawEnd {
    case done
    /// The pool's tier has no room.
    case refused
    case failed(any Error)
}

/// Draws a tile, whatever it is drawn with.
@MainActor
protocol TilePainting: AnyObject {
    /// Is told what becomes of a draw.
    var tile: Tile? { get set }
    func draw(deadline: Duration?)
    func cancelDraw()
    /// Lets the picture go.
    func letGo()
}

/// Draws a tile with a layer of its own.
@MainActor
final class TilePainter<R: Renderer>: TilePainting, AsyncLayerDelegate {
    weak var tile: Tile?
    private weak var owner: TiledLayer<R>?
    private let layer: AsyncLayer<TileRenderer<R>>
    /// What the picture shows, in points of the content.
    private let area: Rect

    /// - Parameter frame: the pixels of the picture, of those of a level.
    init(_ frame: PixelRect, scale: Double, owner: TiledLayer<R>) {
        self.owner = owner
        let renderer = TileRenderer(base: owner.renderer, originX: frame.minX, originY: frame.minY)
        area = frame.rect * (1 / scale)
        layer = AsyncLayer(renderer: renderer, host: owner.pipeline.host)
        layer.bounds.size = area.size
        layer.contentsScale = scale
        layer.delegate = self
        layer.onContentsChange = { [weak self] transition in
            // Nil: the picture was let go.
            guard let self, layer.contents != nil else { return }
            tile?.pictureHasChanged(former: transition.former)
        }
    }

    func draw(deadline: Duration?) {
        layer.displayDeadline = deadline
        layer.display()
    }

    func cancelDraw() { layer.cancelDisplay() }

    func letGo() { layer.clear() }

    /// The picture that is shown; nil if the program has uploaded it.
    func contents(_ shown: Tile.Shown) -> R.Contents? {
        switch shown {
        case .nothing, .uploaded: nil
        case .newest: layer.contents
        // It is what this painter's layer has reported.
        case .former(let former): unsafeDowncast(former, to: FormerContents<R.Contents>.self).contents
        }
    }

    func displayTask(for _: AsyncLayer<TileRenderer<R>>) -> DisplayTask<TileRenderer<R>>? {
        guard let owner else { return nil }
        let (draw, size, area) = (owner.content, owner.contentSize, area.inset(by: -owner.pipeline.outset))
        return DisplayTask(
            onEnd: { [weak self] outcome in
                var end = DrawEnd.done
                if case .failed(let error) = outcome {
                    end = (error as? PoolError)?.code == .full ? .refused : .failed(error)
                }
                self?.tile?.drawHasEnded(end)
            },
            draw: { [scale = layer.contentsScale] context, scope in
                try draw?(context, TileScope(area: area, scale: scale, contentSize: size, scope))
            })
    }
}
