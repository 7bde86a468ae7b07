import Sentinels

/// What is drawn, and into which contexts: all that a thread needs.
struct DrawPlan: Sendable {
    let size: Size
    /// The whole picture.
    let description: ContextDescription
    /// The parts that it is drawn in, one after the other; nil for one context for the whole.
    var tiles: [ContextDescription]?
    let background: Color?
    var fillsBackground = true
    /// Nil only until a tree's drawing is planned.
    var work: DrawWork?
    /// The most bytes of contexts and contents that are alive at once.
    var byteCount: Int
    /// The bytes of the picture, if it is in one piece.
    var pictureByteCount = 0

    /// Draws, on the calling thread; without a ticket, it cannot be stopped.
    func run(with pipeline: DisplayPipeline, _ ticket: Ticket?) -> DrawResult {
        let scope = DrawScope(
            size: size, scale: description.scale, isOpaque: description.isOpaque, ticket: ticket)
        return work?.run(self, with: pipeline, scope) ?? .failed(CancellationError())
    }
}
