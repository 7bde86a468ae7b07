import BitmapRendering
import Synchronization

@testable import AsyncLayers

/// The bitmap renderer, with a gauge on the bytes of the contexts and pictures that are alive.
struct MeteredRenderer: CompositingRenderer {
    final class Gauge: Sendable {
        private let counts = Mutex((current: 0, peak: 0))

        var current: Int { counts.withLock(\.current) }
        var peak: Int { counts.withLock(\.peak) }

        func add(_ bytes: Int) {
            counts.withLock { counts in
                counts.current += bytes
                counts.peak = max(counts.peak, counts.current)
            }
        }
    }

    /// Bytes that are counted until they are gone.
    final class Load: Sendable {
        private let bytes: Int
        private let gauge: Gauge

        init(bytes: Int, gauge: Gauge) {
            (self.bytes, self.gauge) = (bytes, gauge)
            gauge.add(bytes)
        }

        deinit { gauge.add(-bytes) }
    }

    struct Context {
        let bitmap: BitmapContext
        let load: Load
    }

    struct Picture: Sendable {
        let bitmap: Bitmap
        let load: Load
    }

    private let base = BitmapRenderer()
    let gauge = Gauge()

    func byteCount(of description: ContextDescription) -> Int { base.byteCount(of: description) }

    func makeContext(_ description: ContextDescription) throws -> Context {
        Context(
            bitmap: try base.makeContext(description),
            load: Load(bytes: byteCount(of: description), gauge: gauge))
    }

    func fill(_ context: Context, with color: Color) { base.fill(context.bitmap, with: color) }

    func makeContents(from context: Context) -> Picture {
        Picture(bitmap: base.makeContents(from: context.bitmap), load: context.load)
    }

    func draw(_ contents: Picture, into context: Context, placed placement: ContentsPlacement) {
        base.draw(contents.bitmap, into: context.bitmap, placed: placement)
    }

    /// A layer that draws the same with this renderer.
    static func node(_ node: LayerTreeNode<BitmapRenderer>) -> LayerTreeNode<MeteredRenderer> {
        var copy = LayerTreeNode<MeteredRenderer>(size: node.size)
        copy.scale = node.scale
        copy.isOpaque = node.isOpaque
        copy.backgroundColor = node.backgroundColor
        if let draw = node.draw {
            copy.draw = { context, scope in try draw(context.bitmap, scope) }
        }
        copy.origin = node.origin
        copy.anchor = node.anchor
        copy.transform = node.transform
        copy.opacity = node.opacity
        copy.masksToBounds = node.masksToBounds
        copy.cornerRadius = node.cornerRadius
        copy.zPosition = node.zPosition
        copy.isHidden = node.isHidden
        return copy
    }
}
