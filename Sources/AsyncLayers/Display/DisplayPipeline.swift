import QueuePools
import Synchronization
import Transactions

/// Performs the actions of a layer's ``DisplayStateMachine``: moves draws to the pool, back to the main actor
/// and onto the screen.
///
/// What waits or runs on a pool thread retains the pipeline and never the layer, so a layer can be
/// deinitialized while its draws are queued, which cancels them. Only its subclass, which keeps the renderer,
/// is generic, for the reason that ``Picture`` gives.
///
/// What is marked `@exclusivity(unchecked)`, here, in `AsyncLayer`, `Draw`, `DrawPlace`, `MemoryBudget` and
/// `DisplayHost`, is accessed for no longer than a call of its own methods takes, which call nothing and
/// release nothing of the program's. So on the one thread that may access it no two accesses overlap, and the
/// check at run time is left out (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
@MainActor
class DisplayPipeline {
    final let host: DisplayHost
    let cache: PictureCache?

    @exclusivity(unchecked) var properties = LayerProperties()
    @exclusivity(unchecked) var machine = DisplayStateMachine<Draw>()
    @exclusivity(unchecked) var pace = DrawPace()
    var passCount: UInt64 = 0
    @exclusivity(unchecked) var display = DisplayedPicture()
    /// Called after a change with the former picture. What goes with a former closure may call the layer:
    /// once the new one is in its place.
    var contentsDidChange: ((Picture?, DisplayedPicture.Facts) -> Void)? {
        didSet { extendLifetime(oldValue) }
    }
    /// The group display that the layer is a member of.
    var group: GroupDisplay?
    var observers: LayerObservers?
    /// How many passes in flight, of layers above this one, have outcomes that are also this layer's.
    var composedPassCount = 0
    /// Why the newest pass failed, if it did; kept until the next one ends. Released as the closure above.
    var failure: (any Error)? { didSet { extendLifetime(oldValue) } }
    /// True while the layer lies in another one.
    private(set) var isSublayer = false
    /// Whether the layer is drawn with all below it.
    var drawsSublayers = false
    /// How often any layer has been added to another one, or removed.
    private(set) static var treeChangeCount: UInt64 = 0
    /// Whether the layer or one above it is suspended.
    var suspension = Suspension.none
    /// True if a picture was shown since the layer was made or last stopped (``AsyncLayer/cancelDisplay()``).
    var hasShown = false
    /// How many passes are ending now, one within the callback of the other.
    var endingDepth: UInt32 = 0
    static let maximumEndingDepth: UInt32 = 16
    /// How often a request was withdrawn.
    private(set) var cancellations: UInt32 = 0
    /// True after ``AsyncLayer/suspend()``.
    var suspendsItself = false
    /// The tier that the next pass was moved to before it began.
    var nextTier: QoSTier?

    enum Suspension {
        case none
        case suspended
        /// Suspended, and missing in a picture of its tree. Not kept as a request for display: that is the
        /// layer's own, and `cancelDisplay()` withdraws it.
        case leftOut
    }

    // The only state that any thread sets, by an exchange that also tells whether the end of the turn was
    // requested. The second bit is the note of a cancellation.
    nonisolated let needsDisplay = Atomic<UInt8>(0)
    nonisolated let request = DisplayRequest()

    init(host: DisplayHost, cache: PictureCache?) {
        (self.host, self.cache) = (host, cache)
    }

    /// The bytes that a context of the layer's renderer takes.
    nonisolated func byteCount(of description: ContextDescription) -> Int { fatalError("abstract") }

    /// The bytes of a picture that is drawn in these contexts.
    final nonisolated func byteCount(of contexts: [ContextDescription]) -> Int {
        contexts.reduce(0) { sum, description in
            let (next, overflow) = sum.addingReportingOverflow(byteCount(of: description))
            return overflow ? .max : next
        }
    }

    /// The layer, unless it is gone.
    var layer: (any LayerOwner)? { request.reference?.layer }

    var isLayerGone: Bool { request.reference?.isGone ?? true }

    /// The layer was added to another one, or removed.
    func treeChanged(isSublayer: Bool) {
        self.isSublayer = isSublayer
        Self.treeChangeCount += 1
    }

    /// Requests a pass at the end of the turn. Draws continue until it begins.
    ///
    /// The caller that sets the flag requests the end of the turn. One that finds it set need not: the flag
    /// is cleared before its pass begins, so that pass is still to come. Both sides exchange, releasing and
    /// acquiring: the pass that clears the flag sees what each caller wrote before, also callers that found
    /// it set.
    nonisolated func setNeedsDisplay() {
        guard needsDisplay.exchange(1, ordering: .acquiringAndReleasing) & 1 == 0 else { return }
        requestDisplay(in: host)
    }

    nonisolated func requestDisplay(in host: DisplayHost) { host.transactions.commit(request) }

    var isDisplayNeeded: Bool { needsDisplay.load(ordering: .acquiring) & 1 != 0 }

    func clearNeedsDisplay() { _ = needsDisplay.exchange(0, ordering: .acquiringAndReleasing) }

    /// Marks the layer without requesting the end of the turn.
    func markNeedsDisplay() { _ = needsDisplay.exchange(1, ordering: .acquiringAndReleasing) }

    /// Notes, on any thread, that a caller no longer waits; the next request or pass withdraws the note.
    nonisolated func noteCancellation() { needsDisplay.bitwiseOr(2, ordering: .acquiringAndReleasing) }

    var hasNoteOfCancellation: Bool { needsDisplay.load(ordering: .acquiring) & 2 != 0 }

    /// Withdraws a request for display, and stops the passes in flight.
    func cancel() {
        clearNeedsDisplay()
        cancellations &+= 1
        hasShown = false
        stopPasses()
    }

    /// Stops the passes in flight.
    func stopPasses() {
        nextTier = nil
        failure = nil
        perform(machine.handle(.cancelled))
        // Leaves the group also if a pass is still being drawn, or only the mark was set.
        leaveGroup(after: .cancelled(.waiting))
        settle(.cancelled(.waiting))
    }

    var isSuspended: Bool { suspension != .none }

    /// Stops the passes in flight and marks the layer for display on resume.
    func suspend() {
        guard !isSuspended else { return }
        suspension = .suspended
        if let current = machine.current, !current.isSynchronous { markNeedsDisplay() }
        if !machine.isIdle { perform(machine.handle(.cancelled)) }
        // A callback may have resumed the layer, and displayed it in another group.
        if isSuspended { leaveGroup(.cancelled(.waiting), showingHeld: true) }
    }

    /// Displays at the end of the turn what was requested meanwhile, and the picture that lacks the layer.
    func resume() {
        guard isSuspended else { return }
        let wasLeftOut = suspension == .leftOut
        suspension = .none
        if isDisplayNeeded { requestDisplay(in: host) }
        // Nil if the layer has left the tree meanwhile.
        if wasLeftOut { composing?.setNeedsDisplay() }
    }

    /// The layer was deinitialized: nothing is shown any more.
    func layerIsGone() {
        contentsDidChange = nil
        clear()
    }

    /// Stops what is requested and in flight, and shows nothing.
    func clear() {
        let newest = passCount
        cancel()
        leaveGroup(.cancelled(.waiting), showingHeld: true)
        if machine.shown <= newest, !display.isEmpty {  // a callback may have displayed
            show(nil, key: nil, DisplayedPicture.Facts(shownAt: host.now))
        }
    }

    /// True when the layer shows what was last requested, as far as it can: no newer pass will begin, and
    /// passes in flight are stale.
    var isSettled: Bool { machine.current == nil && !isOutdated }

    /// True when a pass is requested, or about to begin.
    var isOutdated: Bool { isDisplayNeeded || machine.newest != passCount }

    /// True while a caller waits for the layer to be up to date.
    var isAwaited: Bool { observers?.hasWaiters == true || group?.isAwaited == true }

    /// Raises the pass that waits, if one does, to a tier.
    func raise(to tier: QoSTier) { machine.current?.raise(to: tier) }

    /// Moves the pass that waits, or the next one if it is requested, to another tier.
    func move(to tier: QoSTier) {
        if isDisplayNeeded { nextTier = tier }
        guard let current = machine.current else { return }
        if let place = current.waitingPlace { return place.move(to: tier) }
        current.task.tier = tier
        current.isMoved = true
    }

    // MARK: Actions

    /// Callbacks may request anything, also a new pass: each action is complete before it calls out.
    func perform(_ actions: consuming DisplayActions<Draw>) {
        while let action = actions.next() {
            switch consume action {
            case .stop(let draw): stop(draw)
            case .start(let draw): startHeldBack(draw)
            case .end(let draw, let outcome): end(draw, outcome)
            }
        }
    }

    private func stop(_ draw: Draw) {
        if let stage = draw.drop() {
            if stage == .committing { group?.setReady(self, false) }
            perform(machine.handle(.stopped(draw, stage)))
        } else {
            draw.stop()
        }
    }

    /// Lets a draw wait for memory and a thread, if it must be drawn and need not wait for an older one.
    func start(_ draw: Draw) {
        guard machine.interimCount < pace.drawsAtATime else { return }
        draw.begin(on: host, mayDemoteOthers: !hasShown)
        // The caller may have begun to wait before the pass began.
        if isAwaited { draw.waitingPlace?.raise(to: .userInitiated) }
    }

    /// Ends the wait for the group of a picture that is not wanted any more, since the layer has been
    /// invalidated.
    func dropInvalidated() {
        guard let current = machine.current, current.isHeld, !current.isSynchronous else { return }
        if isLayerGone { return perform(machine.handle(.cancelled)) }
        if isDisplayNeeded { perform(machine.handle(.invalidated)) }
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
