import QueuePools
import Sentinels
import Synchronization
import Transactions

/// Performs what a layer's ``DisplayStateMachine`` decides: takes passes to the pool, back to the main actor
/// and onto the screen.
///
/// Whatever waits or runs on a pool thread holds the pipeline and never the layer, so a layer can go while
/// its draws are queued, and its going cancels them. It is not generic, for the reason that ``Picture`` gives.
///
/// What is marked `@exclusivity(unchecked)`, here, in `MemoryBudget` and in `DisplayHost`, is accessed for no
/// longer than a call of its own methods takes, which call nobody and let go of nothing that is the program's.
/// So on the one thread that may access it no two accesses overlap, and looking for that at run time is left
/// out (`Docs/Decisions/0007-passes-without-the-renderers-type.md`).
@MainActor
final class DisplayPipeline {
    let renderer: AnyRenderer
    let host: DisplayHost
    let cache: PictureCache?

    var properties = LayerProperties()
    @exclusivity(unchecked) var machine = DisplayStateMachine()
    @exclusivity(unchecked) var freshness = Freshness()
    var passCount: DisplayStateMachine.Pass = 0
    /// The passes in flight, oldest first.
    @exclusivity(unchecked) var passes: [DisplayPass] = []
    @exclusivity(unchecked) var display = DisplayedPicture()
    /// Told of a change with the former picture, when it had appeared, and whether it was a placeholder.
    var contentsDidChange: ((Parcel<Picture>, Duration, Bool) -> Void)?
    /// The group display that the layer has a seat in.
    var round: DisplayRound?
    var observers: LayerObservers?
    /// How many passes of layers above this one are in flight whose outcomes are this layer's too.
    var composedPassCount = 0
    /// Why the newest pass failed, if it did; kept until the next one ends.
    var failure: (any Error)?
    /// True while the layer lies in another one.
    private(set) var isSublayer = false
    /// How often any layer has come into another one, or left it.
    private(set) static var treeChangeCount: UInt64 = 0
    /// True while the layer or one above it is suspended.
    var isSuspended = false
    /// True while the layer is suspended and missing from a picture of its tree for that reason. Not the mark: that is
    /// the layer's own, and whoever cancels its display takes it back.
    var wasLeftOut = false
    /// True from the moment when the sentinel was found raised until a newer pass begins: the mark, which whoever
    /// raised the sentinel sets next, may not be there yet.
    var isInvalidated = false
    /// True while a display that was due waits for an interim pass to end.
    var isDeferred = false

    // Invalidations may come from any thread. They raise the sentinel, which stops draws at once; the machine
    // hears of them before the next event that it handles, by comparing with the generation that it knows.
    nonisolated let sentinel = Sentinel()
    var knownGeneration: UInt64 = 0
    nonisolated let needsDisplay = Atomic<Bool>(false)
    private nonisolated let request = DisplayRequest()

    init(_ renderer: AnyRenderer, host: DisplayHost, cache: PictureCache?) {
        self.renderer = renderer
        self.host = host
        self.cache = cache
    }

    /// The layer, unless it is gone.
    var layer: (any LayerOwner)? {
        get { request.layer }
        set { request.layer = newValue }
    }

    /// The layer has come into another one, or left it.
    func treeChanged(isSublayer: Bool) {
        self.isSublayer = isSublayer
        Self.treeChangeCount += 1
    }

    // MARK: Requests

    /// Makes what is in flight stale, and asks for a pass at the end of the turn.
    ///
    /// Whoever sets the mark asks for the end of the turn. A caller that finds the mark set may leave it at
    /// that: the mark is taken off before the pass begins that it asks for, so that pass is still to come.
    /// Both sides exchange, releasing and acquiring: whoever takes the mark off sees what each of those who
    /// set it wrote before, also of those who found it set.
    nonisolated func setNeedsDisplay() {
        sentinel.increase()
        guard !needsDisplay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        requestDisplay()
    }

    nonisolated func requestDisplay() { host.transactions.commit(request) }

    /// The sentinel's value, for draws to look at without taking a reference to the sentinel.
    nonisolated var generation: UInt64 {
        @inline(never) get { sentinel.value }
    }

    /// Whether the mark is set.
    var isDisplayNeeded: Bool { needsDisplay.load(ordering: .acquiring) }

    /// Takes the mark off.
    func takeMark() { _ = needsDisplay.exchange(false, ordering: .acquiringAndReleasing) }

    /// Sets the mark without asking for a display.
    func leaveMark() { _ = needsDisplay.exchange(true, ordering: .acquiringAndReleasing) }

    /// Takes back a request for display, and stops the passes in flight.
    func cancel() {
        takeMark()
        isDeferred = false
        isInvalidated = false
        failure = nil
        knownGeneration = sentinel.increase()
        perform(machine.handle(.cancelled))
        // A pass that is being drawn still, or if only the mark was left none at all, ends and gives up the seat
        // in a group.
        leaveRound(after: .cancelled(.waiting))
        settle(.cancelled(.waiting))
    }

    /// Stops the passes in flight and remembers that the layer is to be displayed on resume.
    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        freshness.cancelled()
        if let current, !current.isSynchronous { leaveMark() }
        if !machine.isIdle {
            knownGeneration = sentinel.increase()
            perform(machine.handle(.cancelled))
        }
        // Whoever was called back may have resumed the layer, and displayed it in another group.
        if isSuspended { giveUpSeat(.cancelled(.waiting)) }
    }

    /// Displays at the end of the turn what was asked for meanwhile, and the picture that lacks the layer.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        if isDisplayNeeded { requestDisplay() }
        guard wasLeftOut else { return }
        wasLeftOut = false
        // None, if the layer has left the tree meanwhile.
        composing?.setNeedsDisplay()
    }

    /// Makes draws stop, from any thread; ``layerIsGone()`` must follow on the main actor.
    nonisolated func makeStale() {
        sentinel.increase()
    }

    /// The layer is gone: nothing is shown any more.
    func layerIsGone() {
        contentsDidChange = nil
        cancel()
        giveUpSeat(.cancelled(.waiting))
        show(Parcel(nil), key: nil, isPlaceholder: false, at: display.shownAt)
    }

    /// True when the layer shows what it was last asked to, as far as it can: no newer pass will begin, and what may
    /// be in flight is stale.
    var isSettled: Bool { machine.current == nil && !isOutdated }

    /// True when a pass is asked for, or about to begin.
    var isOutdated: Bool { isDisplayNeeded || isInvalidated || machine.newest != passCount }

    /// True while somebody waits for the layer to be up to date.
    var isAwaited: Bool { observers?.hasWaiters == true || round?.isAwaited == true }

    /// Raises the pass that waits, if one does, to a tier.
    func raise(to tier: QoSTier) {
        current?.raster?.raise(to: tier)
    }

    /// Moves the pass that waits, if one does, to another tier.
    func move(to tier: QoSTier) {
        current?.raster?.move(to: tier)
    }

    // MARK: Actions

    /// Callbacks may ask for anything, a new pass included: each action is complete before it calls out.
    func perform(_ actions: DisplayActions) {
        for action in actions {
            switch action {
            case .stop(let number): pass(number).map { stop($0) }
            case .keep(let number): pass(number)?.raster?.finish()
            case .end(let number, let ending): end(number, ending)
            }
        }
    }

    private func stop(_ pass: DisplayPass) {
        if pass.isHeld {
            // Its picture is finished and waits for the rest of its group.
            pass.isHeld = false
            round?.setReady(self, false)
            perform(machine.handle(.stopped(pass.number, .committing)))
        } else if let raster = pass.raster, case .left = raster.leave(pass) {
            perform(machine.handle(.dequeued(pass.number)))
        }
    }

    /// Tells the machine of invalidations that came from other threads, or before the end of this turn.
    func catchUpWithInvalidations() {
        let generation = sentinel.value
        guard generation != knownGeneration else { return }
        knownGeneration = generation
        isInvalidated = layer != nil
        perform(machine.handle(layer == nil ? .cancelled : .invalidated(isOverdue: isOverdue)))
    }

    /// True when the draw in flight had better be finished. One that is finished, and waits for its group, is no
    /// longer in flight.
    var isOverdue: Bool {
        guard let current, !current.isHeld, current.raster != nil else { return false }
        return host.now >= current.overdueTime
    }

    /// The newest pass of those that nothing has made stale.
    var current: DisplayPass? { machine.current.flatMap { pass($0) } }

    private func pass(_ number: DisplayStateMachine.Pass) -> DisplayPass? {
        index(of: number).map { passes[$0] }
    }

    /// Where in ``passes`` a pass is. In a loop: a closure would ask each time whether it is on the main actor.
    func index(of number: DisplayStateMachine.Pass) -> Int? {
        for index in passes.indices.reversed() where passes[index].number == number { return index }
        return nil
    }
}

/// Stands for the layer in the transaction queue, which holds what is pending: were that the layer or its pipeline,
/// which hold the queue, then a queue that is dropped without a last flush would never go.
private final class DisplayRequest: TurnTarget {
    // Weak references make all that is done with references to an object dearer, so it is not the pipeline, of
    // which a pass takes some.
    @MainActor weak var layer: (any LayerOwner)?

    nonisolated init() {}

    func turnEnds() { layer?.displayIfNeeded() }
}
