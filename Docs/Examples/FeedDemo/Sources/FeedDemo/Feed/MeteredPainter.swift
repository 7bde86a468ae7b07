import AsyncLayers
import FeedKit
import Synchronization

/// Draws cells as another painter does, and measures what that takes.
struct MeteredPainter<Painter: FeedPainter>: CellPainter {
    let painter: Painter
    let base: MeteredRenderer<Painter.Base>
    /// How long drawing a cell takes at least, at the scale; a draft takes as much less as it has fewer
    /// pixels.
    let drawCost: DrawCost
    let scale: Double
    /// How long drawing took.
    let drawTimes = DrawTimes()

    init(_ painter: Painter, drawCost: DrawCost, scale: Double) {
        self.painter = painter
        self.drawCost = drawCost
        self.scale = scale
        base = MeteredRenderer(painter.base, bytesInFlight: PeakGauge())
    }

    func draw(
        _ layout: Painter.Layout, in context: MeteredRenderer<Painter.Base>.Context,
        isCancelled: () -> Bool
    ) throws {
        let start = ProcessProbe.now
        try painter.draw(layout, in: context.base, isCancelled: isCancelled)
        let share = context.scale * context.scale / (scale * scale)
        let isWhole = drawCost.waste(
            nanosecondsOf: layout.number, share: share, since: start, now: { ProcessProbe.now },
            isCancelled: isCancelled)
        // What was cut short says nothing about the length of a draw, nor does a draft.
        if isWhole, share >= 1 { drawTimes.record(ProcessProbe.now - start) }
    }
}

/// A renderer with a gauge on the memory of the contexts that are being drawn into.
struct MeteredRenderer<Base: Renderer>: Renderer {
    /// A context that counts until it is gone, however its pass ends.
    final class Context {
        let base: Base.Context
        /// Pixels per point.
        let scale: Double
        private let bytes: Int
        private let gauge: PeakGauge

        fileprivate init(_ base: Base.Context, scale: Double, bytes: Int, gauge: PeakGauge) {
            self.base = base
            self.scale = scale
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
            try base.makeContext(description), scale: description.scale,
            bytes: byteCount(of: description), gauge: bytesInFlight)
    }

    func fill(_ context: Context, with color: Color) { base.fill(context.base, with: color) }

    func makeContents(from context: Context) throws -> Base.Contents {
        try base.makeContents(from: context.base)
    }
}

/// How long draws took, gathered from many threads. *Thread-safe.*
final class DrawTimes: Sendable {
    private let times = Mutex<[UInt64]>([])

    /// Keeps the length of a draw, in nanoseconds.
    func record(_ nanoseconds: UInt64) {
        times.withLock { $0.append(nanoseconds) }
    }

    /// What was recorded so far.
    var milliseconds: Distribution {
        Distribution(times.withLock { $0 }.map { Double($0) / 1_000_000 })
    }
}

/// A level that many threads raise and lower, and the highest it has been. *Thread-safe*; lock-free.
final class PeakGauge: Sendable {
    private let level = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)

    /// Where the level is now.
    var current: Int { level.load(ordering: .relaxed) }
    /// The highest level since the start or the last ``reset()``.
    var peak: Int { highest.load(ordering: .relaxed) }

    /// Raises the level, or lowers it by a negative amount; wraps around rather than trap.
    func add(_ amount: Int) {
        let new = level.wrappingAdd(amount, ordering: .relaxed).newValue
        // A plain store could write a lower peak over a higher one of another thread.
        if amount > 0 { highest.max(new, ordering: .relaxed) }
    }

    /// Forgets the peak: from now on it is the highest level after this call.
    func reset() {
        highest.store(level.load(ordering: .relaxed), ordering: .relaxed)
    }
}
