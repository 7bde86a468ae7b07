import Sentinels

/// What a draw closure may know of its pass: the layer's properties when the pass began, and whether the pass
/// is still wanted. *Thread-safe.*
public struct DrawScope: Sendable {
    /// The layer's size in points.
    public let size: Size

    /// Pixels per point.
    public let scale: Double

    /// True when the context was filled with an opaque background.
    public let isOpaque: Bool

    /// Nil in a synchronous pass, which nothing can make stale.
    let ticket: Ticket?

    /// The whole picture, in points, with its origin at zero.
    public var bounds: Rect { Rect(size: size) }

    /// True once this pass is not wanted any more; a long draw should look now and then and return. It never
    /// becomes false again.
    ///
    /// A cancellation makes a pass unwanted. So does a newer request, if stopping brings the newest picture sooner without
    /// keeping the layer from showing pictures: most stale draws are finished and shown.
    ///
    /// One atomic load. Always false in a synchronous pass.
    public var isCancelled: Bool { ticket?.isCancelled ?? false }

    /// Throws `CancellationError` when ``isCancelled``. Let through, it ends the pass as superseded or
    /// cancelled, not as failed.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }
}
