#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks
#endif

/// A layer, as its pipeline sees it: without its renderer's type.
@MainActor
protocol LayerOwner: AnyObject {
    /// Displays if that was requested, at the end of a turn.
    func turnEnds()

    /// Requests the delegate's task, and calls its `onStart`; a task with no work empties the layer.
    func beginTask(_ task: inout BaseTask)
}

/// A reference to a layer that does not keep it alive: nil once the layer's last reference is gone.
///
/// Not `weak`, which gives an object a side table: 48 bytes for each layer, and every retain and release of
/// it takes longer (`duplicate-request` 40 ns, not 16). An unowned reference keeps the memory, and the
/// runtime's own way to retain an object unless it is being deinitialized tells whether the layer is there.
/// The runtime does not promise that; where it is found to behave otherwise, this is a weak reference.
struct LayerReference: ~Copyable {
    #if os(Linux)
        /// Nil if the reference is weak.
        private let object: Unmanaged<AnyObject>?
        private unowned(unsafe) let owner: any LayerOwner
        private weak var weakOwner: (any LayerOwner)?

        init(_ layer: any LayerOwner, isByHand: Bool = canBeMadeByHand) {
            owner = layer
            object = isByHand ? .passUnretained(layer) : nil
            if let object { cqp_reference_keep(object.toOpaque()) } else { weakOwner = layer }
        }

        deinit { if let object { cqp_reference_release(object.toOpaque()) } }

        /// The layer, unless it is gone.
        var layer: (any LayerOwner)? {
            guard let object else { return weakOwner }
            guard cqp_reference_try_retain(object.toOpaque()) else { return nil }
            defer { object.release() }
            return owner
        }

        /// True once the layer is gone. Reads its counts, and changes none.
        var isGone: Bool { object.map { cqp_reference_is_gone($0.toOpaque()) } ?? (weakOwner == nil) }

        /// Whether the runtime keeps an object's memory and tells when the object is gone: tried once.
        static let canBeMadeByHand: Bool = {
            guard SwiftRuntime.isKnown else { return false }
            final class Probe {}
            let owned = Unmanaged.passRetained(Probe())
            let object = owned.toOpaque()
            cqp_reference_keep(object)
            guard !cqp_reference_is_gone(object), cqp_reference_try_retain(object) else { return false }
            for _ in 0..<2 { owned.release() }
            guard cqp_reference_is_gone(object), !cqp_reference_try_retain(object) else { return false }
            cqp_reference_release(object)
            return true
        }()
    #else
        private(set) weak var layer: (any LayerOwner)?

        var isGone: Bool { layer == nil }

        init(_ layer: any LayerOwner) { self.layer = layer }
    #endif
}
