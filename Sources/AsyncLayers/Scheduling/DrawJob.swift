/// The pool's job of a drawing, which is told also if the pool drops the job.
final class DrawJob: Sendable {
    private let drawing: Drawing

    /// The slot counts it already.
    init(of drawing: Drawing) { self.drawing = drawing }

    deinit { drawing.jobEnds() }

    func run() { drawing.run() }
}
