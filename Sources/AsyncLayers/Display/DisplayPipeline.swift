import QueuePools
import Synchronization
import QueuePoolsTransactions

/// Performs the actions of a layer's ``DisplayStateMachine``: moves draws to the pool, back to the main actor
/// and onto the screen.
///
/// What waits or runs on a pool thread retains the pipeline and never the layer, so a layer can be
/// deinitialized while its draws are queued, which cancels them. Only its subclass, which keeps the renderer,
/// is generic, for the reason that ``Picture`` gives.
///
/// What is marked `@exclusivity(unchecked)`, here, in `AsyncLayer`, `LayerPass`, `Drawing`, `Demotion`,
/// `MemoryBudget` and `DisplayHost`, is accessed for no longer than a call of its own methods takes, which
/// call nothing and release nothing of the program's. So on the one thread that may access it no two accesses
/// overlap, and the check at run time is left out
/// (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
@MainActor
class DisplayPipeline {
    final let host: DisplayHost
    let cache: PictureCache?

    @exclusivity(unchecked) var properties = LayerProperties()
    @exclusivity(unchecked) var machine = DisplayStateMachine<LayerPass>()
    @exclusivity(unchecked) var pace = DrawPace()
    @exclusivity(unchecked) var display = DisplayedPicture()
    /// Called after a change with the former picture, what is known of it, and of the new one.
    var onContentsChange: ((Picture?, DisplayedPicture.Facts, DisplayedPicture.Facts) -> Void)? {
        // What goes with a former closure may call the layer: once the new one is in its place.
        didSet { extendLifetime(oldValue) }
    }
    /// What the layer is to the group displays that wait for it; nil if none does.
    @exclusivity(unchecked) var member: GroupMember?
    /// The layer's place in the display that follows, and begins its passes later; nil if none does.
    @exclusivity(unchecked) var nextMember: GroupMember?
    @exclusivity(unchecked) var observers: LayerObservers?
    /// Why the newest pass failed, if it did; kept until the next one ends.
    @exclusivity(unchecked) var failure: (any Error)?
    @exclusivity(unchecked) private(set) var isSuspended = false
    /// True while the program is asked for a task, and until the pass has begun.
    @exclusivity(unchecked) var isAsking = false
    /// True if a picture was shown since the layer was made or last stopped (``AsyncLayer/cancelDisplay()``).
    @exclusivity(unchecked) var hasShown = false
    /// The tier that the next pass was moved to before it began.
    @exclusivity(unchecked) var nextTier: QoSTier?

    // The only state that any thread sets, by an exchange that also tells whether the end of the turn was
    // requested. The second bit is the note of a cancellation.
    nonisolated let needsDisplay = Atomic<UInt8>(0)
    nonisolated let request = DisplayRequest()

    init(host: DisplayHost, cache: PictureCache?) {
        (self.host, self.cache) = (host, cache)
    }

    /// The bytes that a context of the layer's renderer takes.
    nonisolated func byteCount(of description: ContextDescription) -> Int { fatalError("abstract") }

    /// The layer, unless it is gone.
    var layer: (any LayerOwner)? { request.reference?.layer }

    var isLayerGone: Bool { request.reference?.isGone ?? true }

    /// Requests a pass at the end of the turn. Draws continue until it begins.
    ///
    /// The caller that sets the flag requests the end of the turn. One that finds it set need not: the flag
    /// is cleared before its pass begins, so that pass is still to come. Both sides exchange, releasing and
    /// acquiring: the pass that clears the flag sees what each caller wrote before, also callers that found
    /// it set.
    nonisolated func setNeedsDisplay() {
        guard needsDisplay.exchange(1, ordering: .acquiringAndReleasing) & 1 == 0 else { return }
        requestDisplay()
    }

    nonisolated func requestDisplay() { host.transactions.commit(request) }

    var isDisplayNeeded: Bool { needsDisplay.load(ordering: .acquiring) & 1 != 0 }

    func clearNeedsDisplay() { _ = needsDisplay.exchange(0, ordering: .acquiringAndReleasing) }

    /// Clears the mark, and not the note of a cancellation.
    func clearMark() { _ = needsDisplay.bitwiseAnd(2, ordering: .acquiringAndReleasing) }

    /// Marks the layer without requesting the end of the turn.
    func markNeedsDisplay() { _ = needsDisplay.exchange(1, ordering: .acquiringAndReleasing) }

    /// Notes, on any thread, that a caller no longer waits; the next request withdraws the note.
    nonisolated func noteCancellation() { needsDisplay.bitwiseOr(2, ordering: .acquiringAndReleasing) }

    var hasNoteOfCancellation: Bool { needsDisplay.load(ordering: .acquiring) & 2 != 0 }

    /// Withdraws a request for display, and stops the passes in flight.
    func cancel() {
        let wasSettled = isSettled
        stopFollowing()
        clearNeedsDisplay()
        hasShown = false
        nextTier = nil
        setFailure(nil)
        perform(machine.handle(.cancelled))
        // Leaves the group also if a pass is still being drawn, or only the mark was set.
        leaveGroup(after: .cancelled(.waiting))
        // What has ended already is reported with its own outcome.
        if !wasSettled { settle(.cancelled(.waiting)) }
    }

    /// Stops the passes in flight and marks the layer for display on resume.
    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        if machine.current != nil || machine.interimCount > 0 || isFollowing { markNeedsDisplay() }
        stopFollowing()
        perform(machine.handle(.cancelled))
        leaveGroup(.cancelled)
    }

    /// Displays at the end of the turn what was requested meanwhile.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        if isDisplayNeeded { requestDisplay() }
    }

    /// The layer was deinitialized: nothing is shown any more.
    func layerIsGone() {
        let former = onContentsChange
        onContentsChange = nil
        host.append(.call { extendLifetime(former) })
        clear()
        finishStreamsIfDone()
    }

    /// Stops what is requested and in flight, and shows nothing.
    func clear() {
        cancel()
        leaveGroup(.cancelled)
        if !display.isEmpty { show(nil, key: nil, DisplayedPicture.Facts(shownAt: host.now)) }
    }

    /// True when the layer shows what was last requested, as far as it can: no newer pass will begin, and
    /// passes in flight are stale.
    var isSettled: Bool { machine.current == nil && !isOutdated && !isFollowing }

    /// True when a pass is requested, or about to begin.
    var isOutdated: Bool { isDisplayNeeded || isAsking }

    /// True while a caller waits for the layer to be up to date.
    var isAwaited: Bool {
        observers?.hasWaiters == true || member?.isAwaited == true || nextMember?.isAwaited == true
    }

    /// Raises the pass that waits, if one does, to a tier.
    func raise(to tier: QoSTier) { machine.current?.raise(to: tier) }

    /// Moves the pass that waits, or the next one if it is requested, to another tier.
    func move(to tier: QoSTier) {
        if isDisplayNeeded || isFollowing { nextTier = tier }
        machine.current?.move(to: tier)
    }

    /// Performs the machine's actions. They call nothing of the program.
    func perform(_ actions: consuming DisplayActions<LayerPass>) {
        while let action = actions.popFirst() {
            switch consume action {
            case .stop(let pass): stop(pass)
            case .start(let pass): if pass.isPlanned { host.heldBack.append(pass) }
            case .end(let pass, let outcome): end(pass, outcome)
            }
        }
    }

    private func stop(_ pass: LayerPass) {
        if let stage = pass.drop() {
            perform(machine.handle(.stopped(pass, stage)))
        } else {
            pass.drawing?.stop()
        }
    }

    /// Ends the wait for the group of a picture that is not wanted any more, since the layer has been
    /// invalidated, or is gone.
    func dropInvalidated() {
        guard let current = machine.current, current.isHeld else { return }
        if isLayerGone { return perform(machine.handle(.cancelled)) }
        if isOutdated, !isFollowing { perform(machine.handle(.invalidated)) }
    }
}

/// Represents the layer in the transaction queue, which retains what is pending: if that were the layer or
/// its pipeline, which retain the queue, then a queue that is dropped without a last flush would never be
/// released.
final class DisplayRequest: TurnTarget {
    /// Nil until the layer has been made.
    @exclusivity(unchecked) @MainActor var reference: LayerReference?

    nonisolated init() {}

    func turnEnds() { reference?.layer?.turnEnds() }
}
