import Sentinels

/// What a draw closure knows of its pass: the layer's properties when the pass began, and whether the pass is
/// cancelled. *Thread-safe.*
public struct DrawScope: Sendable {
    /// The layer's size in points.
    public let size: Size

    /// Pixels per point.
    public let scale: Double

    /// True if the context was filled with an opaque background.
    public let isOpaque: Bool

    /// Nil in a synchronous pass, which is never cancelled.
    let ticket: Ticket?

    /// The whole picture, in points, with its origin at zero.
    public var bounds: Rect { Rect(size: size) }

    /// True once the pass is cancelled; a long draw should check it now and then, and return. Never false
    /// again.
    ///
    /// A newer request cancels a draw only if that brings the newest picture sooner without keeping the layer
    /// from showing pictures: most stale draws are finished and shown.
    ///
    /// One atomic load. Always false in a synchronous pass.
    public var isCancelled: Bool { ticket?.isCancelled ?? false }

    /// Throws `CancellationError` when ``isCancelled``. Thrown on, it ends the pass as superseded or
    /// cancelled, not as failed.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }
}
