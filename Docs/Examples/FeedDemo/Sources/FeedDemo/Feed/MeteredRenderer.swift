import AsyncLayers

/// A renderer with a gauge on the memory of the contexts that are being drawn into.
struct MeteredRenderer<Base: Renderer>: Renderer {
    /// A context that counts until it is gone, however its pass ends.
    final class Context {
        let base: Base.Context
        private let bytes: Int
        private let gauge: PeakGauge

        fileprivate init(_ base: Base.Context, bytes: Int, gauge: PeakGauge) {
            self.base = base
            self.bytes = bytes
            self.gauge = gauge
            gauge.add(bytes)
        }

        deinit { gauge.add(-bytes) }
    }

    private let base: Base
    let bytesInFlight: PeakGauge

    init(_ base: Base, bytesInFlight: PeakGauge) {
        self.base = base
        self.bytesInFlight = bytesInFlight
    }

    func byteCount(of description: ContextDescription) -> Int { base.byteCount(of: description) }

    func makeContext(_ description: ContextDescription) throws -> Context {
        Context(
            try base.makeContext(description), bytes: byteCount(of: description), gauge: bytesInFlight)
    }

    func fill(_ context: Context, with color: Color) { base.fill(context.base, with: color) }

    func makeContents(from context: Context) throws -> Base.Contents {
        try base.makeContents(from: context.base)
    }
}
