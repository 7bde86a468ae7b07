import QueuePools

/// A task without its renderer's type.
struct PassTask {
    var key: ContentKey?
    var tier = QoSTier.userInitiated
    var placeholder: Picture?
    var didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)?
    /// What the layer draws; nil for nothing.
    var work: DrawWork?
    /// The layer with all below it, if they are drawn into one picture.
    var composed: (any ComposedLayers)?
}

/// A pass in flight, as the main actor sees it. The task is held here until the pass has ended, so it is here
/// that its closures are released last.
@MainActor
final class DisplayPass {
    let number: DisplayStateMachine.Pass
    /// The pass's number among those of all layers of its host.
    let id: UInt64
    let pipeline: DisplayPipeline
    let isSynchronous: Bool
    let beganAt: Duration
    var task: PassTask
    /// Whom else to tell of the outcome: the layers that are drawn into the same picture.
    var parts: [@MainActor @Sendable (DisplayOutcome) -> Void] = []

    var source = DisplaySource.drawn
    var key: RasterKey?
    var raster: Raster?
    /// When it was drawn; nil until it has been, and if another pass owns the drawing.
    var times: DrawTimes?
    var parcel: Parcel<Picture>?
    var error: (any Error)?
    /// True while the picture waits for the rest of its group.
    var isHeld = false

    init(
        _ number: DisplayStateMachine.Pass, id: UInt64, of pipeline: DisplayPipeline, _ task: PassTask,
        isSynchronous: Bool, at time: Duration
    ) {
        self.number = number
        self.id = id
        self.pipeline = pipeline
        self.task = task
        self.isSynchronous = isSynchronous
        beganAt = time
    }
}
