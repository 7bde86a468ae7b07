#if os(Linux)
    import CLinuxThreads
#endif

/// A layer, as its pipeline sees it: without its renderer's type.
@MainActor
protocol LayerOwner: AnyObject {
    /// Displays if that was requested, at the end of a turn.
    func turnEnds()

    /// Requests the delegate's task, and calls its `willDisplay`; a task with no work empties the layer.
    func beginTask(_ task: inout BaseTask)
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
