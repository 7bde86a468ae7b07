import QueuePools

/// One display pass of a layer, from the request to its outcome.
///
///     planned ──► subscribed ──► ready ──► (held for the group) ──► ended
///        │          ``Drawing``    ▲
///        └── its picture exists, or there is nothing to draw
///
/// The layer's ``DisplayStateMachine`` decides what happens to it, and its pipeline does it.
@MainActor
final class LayerPass: DisplayPass {
    enum Phase {
        /// Its picture is to be drawn, once older draws of the layer have ended.
        case planned(DrawPlan)
        /// It awaits the picture of a drawing, alone or with passes of other layers.
        case subscribed(Drawing)
        /// The picture is there. Nil where there is nothing to show, or where the layer shows it already.
        case ready(Picture?)
        /// The picture waits for those of the layer's group.
        case held(Picture?)
        /// It could not be planned, or was drawn on the main actor and failed. Until it is released, when the
        /// outcome was reported: the error may be the program's.
        case failed(any Error)
        /// Its outcome is decided.
        case ended
    }

    nonisolated let number: UInt64
    /// The pass's number among those of all layers of its host.
    nonisolated let id: UInt64
    nonisolated let pipeline: DisplayPipeline
    let isSynchronous: Bool
    let requestedAt: Duration
    /// The time without requests for the layer before this one.
    let quietTime: Duration
    /// Released when the outcome was reported, on the main actor, with its closures.
    @exclusivity(unchecked) var task: BaseTask
    @exclusivity(unchecked) var phase = Phase.ready(nil)

    @exclusivity(unchecked) var source = DisplaySource.drawn
    @exclusivity(unchecked) var key: PictureKey?
    /// Of the whole picture, drawn or found.
    @exclusivity(unchecked) var geometry = ContentsGeometry(size: .zero, scale: 1)
    /// The layer's, before the program compared keys.
    @exclusivity(unchecked) var background = Background.clear
    /// True for a picture of less than the layer's scale, after which the whole is drawn.
    @exclusivity(unchecked) var isDraft = false
    /// True if the program has chosen its tier: it is not demoted then.
    @exclusivity(unchecked) var isMoved = false
    /// Its drawing, once that is made; nil if another pass reports the drawing. Released when the outcome was
    /// reported, with what its closures and errors captured.
    @exclusivity(unchecked) var product: DrawProduct?
    /// When it has ended.
    @exclusivity(unchecked) var endedAt: Duration
    /// Its place among the subscribers of its drawing.
    @exclusivity(unchecked) var seat = 0

    init(
        _ number: UInt64, id: UInt64, of pipeline: DisplayPipeline, _ task: consuming BaseTask,
        isSynchronous: Bool, at time: Duration, quietTime: Duration
    ) {
        self.number = number
        self.id = id
        self.pipeline = pipeline
        self.task = task
        self.isSynchronous = isSynchronous
        self.quietTime = quietTime
        (requestedAt, endedAt) = (time, time)
    }

    /// Where it waits, or was drawn.
    var tier: QoSTier { drawing?.tier ?? task.qos }

    /// What it has subscribed to.
    var drawing: Drawing? {
        if case .subscribed(let drawing) = phase { drawing } else { nil }
    }

    /// True from when a thread takes it until it comes back.
    var isBeingDrawn: Bool { drawing?.isWaiting == false }

    var isPlanned: Bool { if case .planned = phase { true } else { false } }

    var isHeld: Bool { if case .held = phase { true } else { false } }

    /// True until it has its picture, or has ended.
    var isPending: Bool {
        switch phase {
        case .planned, .subscribed: true
        case .ready, .held, .failed, .ended: false
        }
    }

    /// Moves it to a tier; the program has chosen that then.
    func move(to tier: QoSTier) {
        isMoved = true
        if let drawing { drawing.move(self, to: tier) } else { task.qos = tier }
    }

    func raise(to tier: QoSTier) { move(to: max(tier, task.qos)) }

    /// Takes it off its place, if nothing is lost.
    ///
    /// - Returns: the stage that it ends at; nil if it is being drawn for this pass alone.
    func drop() -> DisplayStage? {
        switch phase {
        case .planned:
            pipeline.host.signposts?.end(.waiting, of: id)
            return .waiting
        case .subscribed(let drawing): return drawing.leave(self) ? .waiting : nil
        case .ready, .held, .failed, .ended: return .committing
        }
    }

    /// Takes its plan, to subscribe it to a drawing; nil if it is not planned.
    func takePlan() -> DrawPlan? {
        guard isPlanned, case .planned(let plan) = exchangePhase(for: .ready(nil)) else { return nil }
        return plan
    }

    /// Ends it: no event concerns it any more. Returns its picture, if it has one.
    func end() -> Picture? {
        if case .failed = phase { return nil }
        return switch exchangePhase(for: .ended) {
        case .ready(let picture), .held(let picture): picture
        default: nil
        }
    }

    /// Moves the phase out, where an assignment would copy it.
    private func exchangePhase(for new: consuming Phase) -> Phase {
        swap(&phase, &new)
        return new
    }
}
