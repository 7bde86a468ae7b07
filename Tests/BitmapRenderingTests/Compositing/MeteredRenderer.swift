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

    /// A part that draws the same with this renderer.
    static func part(_ part: Composition<BitmapRenderer>.Part) -> Composition<MeteredRenderer>.Part {
        var copy = Composition<MeteredRenderer>.Part(
            size: part.size, scale: part.scale, placement: part.placement,
            parts: part.parts.map(MeteredRenderer.part))
        copy.background = part.background
        copy.key = part.key
        if let draw = part.draw {
            copy.draw = { context, scope in try draw(context.bitmap, scope) }
        }
        return copy
    }
}
