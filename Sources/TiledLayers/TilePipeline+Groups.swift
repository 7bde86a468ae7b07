public import AsyncLayers

extension DisplayGroup {
    /// Adds a tiled layer, once. Does not retain it. O(1), amortized.
    ///
    /// It takes part in a display with the tiles in view that are damaged: they appear with the other layers.
    /// Tiles that come into view meanwhile do not wait.
    public func add<R>(_ layer: TiledLayer<R>) { add(layer.pipeline) }

    /// Removes a tiled layer, if it is in the group. A display that has begun keeps it. O(1).
    public func remove<R>(_ layer: TiledLayer<R>) { remove(layer.pipeline) }
}

/// A tiled layer as a member of group displays: its edit appears when its group does.
///
/// Its pass is an update, which takes the damage. What was damaged and is in view is the edit, whose pictures
/// are held. A layer that follows takes no damage before its display begins, but goes on to draw what comes
/// into view, with the content as it was.
extension TilePipeline: GroupedLayer {
    /// Whether an edit waits for a group, or for the end of a suspension, and not for its limit.
    var isEditHeld: Bool { isSuspended || member?.isWaiting == true }

    /// Whether damage stays in the list, and the content is asked for later.
    var isDamageDeferred: Bool { isSuspended || isFollowing }

    var isAsking: Bool { isUpdating }

    /// Nothing to show is something too: the display takes it as it is.
    var hasPass: Bool { true }

    var isBeingDrawn: Bool {
        edit?.tiles.values.contains { $0.state.held != nil || $0.painter.isBeingDrawn } ?? false
    }

    var isHeld: Bool { !isUpdating && !isDamaged && isEditAtRest }

    /// A tile shows each picture that comes when its edit has ended.
    var latePass: UInt64 { 0 }

    func begin() {
        // An update that is asking for the content has the newest. Damage that came since is of the next one.
        if !isUpdating, !isSuspended { update() }
    }

    func leaveIfSettled() {
        guard let member, !isUpdating else { return }
        if source == nil || isSuspended {
            leaveGroup(.cancelled)
        } else if member.isWaiting {
            updateGroup()
        } else if isUpToDate {
            leaveGroup(outcome)
        }
    }

    /// Whether all that is in view and was there before shows the newest edits, or has failed.
    private var isUpToDate: Bool {
        guard edit == nil, !isDamaged else { return false }
        return !hasContent || inView.allSatisfy { $0.state.shown == nil || $0.state.isAtRest }
    }

    private var outcome: GroupOutcome { inView.contains { $0.state.hasFailed } ? .failed : .shown }

    /// Edits are on the highest tier.
    func raise() {}

    func suspend() {
        isSuspended = true
        stopFollowing()
        leaveGroup(.cancelled)
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        releaseEdit()
        scheduleUpdate()
        host.afterwards { [weak self] in self?.announce() }
    }

    func dropInvalidated() { leaveIfSettled() }

    func showHeld() {
        let isComplete = isHeld
        releaseEdit()
        if isComplete { leaveGroup(outcome) }
        resumeWaiters()
        host.afterwards { [weak self] in self?.announce() }
    }

    /// The layer is gone. Without a group that waits for it, so is its pipeline.
    func sourceIsGone() {
        host.enter {
            stopFollowing()
            leaveGroup(.cancelled)
        }
    }
}
