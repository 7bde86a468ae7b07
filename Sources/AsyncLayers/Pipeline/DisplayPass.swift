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
    var task: BaseTask
    /// Whom else to tell of the outcome: the layers that are drawn into the same picture.
    var parts: [ComposedPart] = []

    var source = DisplaySource.drawn
    var key: RasterKey?
    /// From when on the pass is finished, though stale: its own, also if another layer's drawing is what it gets.
    var overdueTime = Duration.zero
    var raster: Raster?
    /// When it was drawn; nil until it has been, and if another pass owns the drawing.
    var times: DrawTimes?
    var parcel: Parcel<Picture>?
    var error: (any Error)?
    /// True while the picture waits for the rest of its group.
    var isHeld = false

    init(
        _ number: DisplayStateMachine.Pass, id: UInt64, of pipeline: DisplayPipeline, _ task: BaseTask,
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
