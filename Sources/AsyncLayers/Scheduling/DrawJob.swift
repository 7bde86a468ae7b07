import QueuePoolsSentinels

/// The pool's job of a drawing, which is told also if the pool drops the job.
final class DrawJob: Sendable {
    private let drawing: Drawing

    /// The slot counts it already.
    init(of drawing: Drawing) { self.drawing = drawing }

    deinit { drawing.jobEnds() }

    func run() { drawing.run() }
}

/// What a drawing and its jobs hand over to each other, under the drawing's lock.
struct DrawSlot {
    /// What the thread that comes first will draw.
    var plan: DrawPlan?
    /// Stops the thread that has taken the plan, until it has drawn.
    var sentinel: Sentinel?
    /// How many jobs may still take the plan.
    var jobs = 0

    /// Replaces the plan, unless it was taken; returns the former one.
    mutating func exchange(for new: DrawPlan?) -> DrawPlan? {
        guard let former = plan else { return nil }
        plan = new
        return former
    }
}
