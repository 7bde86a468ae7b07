#if os(Linux)
    import CLinuxThreads
#endif

/// A layer, as its pipeline sees it: without its renderer's type.
@MainActor
protocol LayerOwner: AnyObject {
    /// Displays if that was requested, at the end of a turn.
    func turnEnds()

    /// Requests the delegate's task, and calls its `willDisplay`; a task with no work empties the
    /// layer, unless it is drawn with all below it into one picture.
    func beginTask(_ task: inout BaseTask) -> (any ComposedLayers)?

    /// The topmost layer above this one that draws it into its own picture.
    var composingPipeline: DisplayPipeline? { get }
}

/// A reference to a layer that does not keep it alive: nil once the layer's last reference is gone.
///
/// Not `weak`, which gives an object a side table: 48 bytes for each layer, and every retain and release of
/// it takes three times as long (`duplicate-request` 77 ns, not 24). An unowned reference keeps the memory,
/// and the runtime's own way to retain an object unless it is being deinitialized tells whether the layer is
/// there.
struct LayerReference: ~Copyable {
    #if os(Linux)
        private let object: Unmanaged<AnyObject>
        private unowned(unsafe) let owner: any LayerOwner

        init(_ layer: any LayerOwner) {
            (object, owner) = (.passUnretained(layer), layer)
            clinux_reference_keep(object.toOpaque())
        }

        deinit { clinux_reference_release(object.toOpaque()) }

        /// The layer, unless it is gone.
        var layer: (any LayerOwner)? {
            guard clinux_reference_try_retain(object.toOpaque()) else { return nil }
            defer { object.release() }
            return owner
        }

        /// True once the layer is gone. Reads its counts, and changes none.
        var isGone: Bool { clinux_reference_is_gone(object.toOpaque()) }
    #else
        private(set) weak var layer: (any LayerOwner)?

        var isGone: Bool { layer == nil }

        init(_ layer: any LayerOwner) { self.layer = layer }
    #endif
}

/// A layer that is drawn into the picture of one above it, as the pass of that one knows it: not the layer
/// itself.
@MainActor
struct ComposedPart {
    let pipeline: DisplayPipeline
    let didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)?
}

/// A layer with all below it, on the way into one picture.
@MainActor
protocol ComposedLayers: AnyObject {
    /// The layers that receive the outcome.
    var parts: [ComposedPart] { get }

    /// False if a layer was left out because it is suspended.
    var isComplete: Bool { get }

    /// Plans the drawing, with the layers' properties of the first call.
    func plan(_ picture: ContextDescription) throws -> LayerTreePlan

    /// The drawing, as planned.
    func work(_ plan: LayerTreePlan) -> DrawWork
}
