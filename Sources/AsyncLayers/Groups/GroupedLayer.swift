import QueuePools

/// A layer, as group displays know it. A pass is what a layer does for one display: a tiled layer draws an
/// edit.
///
/// A group holds layers of several kinds, and what it does is the same for each kind. So it knows no renderer
/// and no kind, and has the few questions and calls that are listed here.
@MainActor
package protocol GroupedLayer: AnyObject {
    var host: DisplayHost { get }
    /// What the layer is to the group displays that wait for it; nil if none does.
    var member: GroupMember? { get set }
    /// The layer's place in the display that follows, and begins its passes later; nil if none does.
    var nextMember: GroupMember? { get set }

    /// True while the program is asked for the content. The pass that follows shows the newest state.
    var isAsking: Bool { get }
    /// Whether the display that waits has something of the layer to show, or will have.
    var hasPass: Bool { get }
    /// Whether a thread draws its pass, or has drawn it.
    var isBeingDrawn: Bool { get }
    /// Whether it is ready for its display to appear.
    var isHeld: Bool { get }
    /// The pass that is late if the display appears now; 0 for none.
    var latePass: UInt64 { get }

    /// Begins its pass. May call the program.
    func begin()
    /// Leaves the display if there is nothing to wait for, or tells it whether the layer is ready.
    func leaveIfSettled()
    /// Raises its pass, for which a caller waits.
    func raise()
    func suspend()
    func resume()
    /// The display is about to appear: what the layer holds may be stale, or the layer gone.
    func dropInvalidated()
    /// The display appears. Calls nothing of the program.
    func showHeld()
}

/// A layer of one picture as a member of group displays.
extension DisplayPipeline: GroupedLayer {
    var hasPass: Bool { machine.current != nil }

    var isBeingDrawn: Bool { machine.current.map { $0.isBeingDrawn || $0.isHeld } ?? false }

    var isHeld: Bool { machine.current?.isHeld == true }

    var latePass: UInt64 { isHeld ? 0 : machine.newest }

    func begin() { if let layer { beginPass(of: layer) } }

    func leaveIfSettled() { leaveGroup(after: .cancelled(.waiting)) }

    func raise() { raise(to: .userInitiated) }

    func showHeld() {
        if let current = machine.current, current.isHeld { perform(machine.handle(.finished(current))) }
    }

    /// Leaves the group if no newer pass follows, except one of the display that follows.
    func leaveGroup(after outcome: DisplayOutcome) {
        guard member != nil else { return }
        let isDone = machine.current == nil && (!isOutdated || isFollowing)
        guard isDone || isSuspended else { return updateGroup() }
        switch outcome {
        case .committed: leaveGroup(.shown)
        case .failed: leaveGroup(.failed)
        case .superseded, .cancelled: leaveGroup(.cancelled)
        }
    }
}
