import AsyncLayers
import BitmapRendering

/// The bitmap renderer, with a gauge on the memory of the contexts that are being drawn into.
struct MeteredRenderer: Renderer {
    /// A bitmap context that counts until it is gone, however its pass ends.
    final class Context {
        let bitmap: BitmapContext
        private let bytes: Int
        private let gauge: PeakGauge

        fileprivate init(_ bitmap: BitmapContext, bytes: Int, gauge: PeakGauge) {
            self.bitmap = bitmap
            self.bytes = bytes
            self.gauge = gauge
            gauge.add(bytes)
        }

        deinit { gauge.add(-bytes) }
    }

    private let base = BitmapRenderer()
    let bytesInFlight: PeakGauge

    func byteCount(of description: ContextDescription) -> Int { base.byteCount(of: description) }

    func makeContext(_ description: ContextDescription) throws -> Context {
        Context(
            try base.makeContext(description), bytes: byteCount(of: description), gauge: bytesInFlight)
    }

    func fill(_ context: Context, with color: Color) { base.fill(context.bitmap, with: color) }

    func makeContents(from context: Context) throws -> Bitmap { base.makeContents(from: context.bitmap) }
}
