import QueuePools
import Sentinels
import Synchronization
import Transactions

/// Performs what a layer's ``DisplayStateMachine`` decides: takes passes to the pool, back to the main actor
/// and onto the screen.
///
/// Whatever waits or runs on a pool thread holds the pipeline and never the layer, so a layer can go while
/// its draws are queued, and its going cancels them.
@MainActor
final class DisplayPipeline<R: Renderer> {
    typealias Pass = DisplayStateMachine.Pass

    weak var layer: AsyncLayer<R>?
    let renderer: R
    let host: DisplayHost
    let cache: ContentsCache<R>?

    var machine = DisplayStateMachine()
    var freshness = Freshness()
    var passCount: Pass = 0
    /// The passes in flight, oldest first.
    var passes: [PassRecord<R>] = []
    var display = DisplayedPicture<R.Contents>()
    /// The group display that the layer has a seat in.
    var round: DisplayRound?
    var observers: LayerObservers?
    /// True while the layer or one above it is suspended.
    var isSuspended = false
    /// True while a display that was due waits for an interim pass to end.
    var isDeferred = false

    // Invalidations may come from any thread. They raise the sentinel, which stops draws at once; the machine
    // hears of them before the next event that it handles, by comparing with the generation that it knows.
    nonisolated let sentinel = Sentinel()
    var knownGeneration: UInt64 = 0
    nonisolated let needsDisplay = Atomic<Bool>(false)

    init(renderer: R, host: DisplayHost, cache: ContentsCache<R>?) {
        self.renderer = renderer
        self.host = host
        self.cache = cache
    }

    // MARK: Requests

    /// Makes what is in flight stale, and asks for a pass at the end of the turn.
    ///
    /// Whoever sets the mark commits the transaction. A caller that finds the mark set may leave it at that:
    /// the mark is taken off before the pass begins that it asks for, so that pass is still to come. Both
    /// sides exchange, releasing and acquiring: whoever takes the mark off sees what each of those who set it
    /// wrote before, also of those who found it set.
    nonisolated func setNeedsDisplay() {
        sentinel.increase()
        guard !needsDisplay.exchange(true, ordering: .acquiringAndReleasing) else { return }
        requestDisplay()
    }

    nonisolated func requestDisplay() {
        // The sentinel stands for the layer, since a transaction holds its target: were that the pipeline,
        // which holds the queue, then a queue that is dropped without a last flush would never go.
        Transaction(sentinel, "display") { [weak self] _ in self?.displayIfNeeded() }
            .commit(to: host.transactions)
    }

    /// Whether the mark is set.
    var isDisplayNeeded: Bool { needsDisplay.load(ordering: .acquiring) }

    /// Takes the mark off.
    func takeMark() { _ = needsDisplay.exchange(false, ordering: .acquiringAndReleasing) }

    /// Sets the mark without asking for a display.
    func leaveMark() { needsDisplay.store(true, ordering: .releasing) }

    /// Takes back a request for display, and stops the passes in flight.
    func cancel() {
        takeMark()
        isDeferred = false
        knownGeneration = sentinel.increase()
        perform(machine.handle(.cancelled))
        settleIfIdle(.failure(CancellationError()))
    }

    /// Stops the passes in flight and remembers that the layer is to be displayed on resume.
    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        guard !machine.isIdle else { return }
        leaveMark()
        knownGeneration = sentinel.increase()
        perform(machine.handle(.cancelled))
    }

    /// Displays at the end of the turn what was asked for meanwhile.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        if isDisplayNeeded { requestDisplay() }
    }

    /// Makes draws stop, from any thread; ``layerIsGone()`` must follow on the main actor.
    nonisolated func makeStale() {
        sentinel.increase()
    }

    /// The layer is gone: nothing is shown any more.
    func layerIsGone() {
        cancel()
        display.clear(on: host.pool)
    }

    /// True when the layer shows what it was last asked to, as far as it can.
    var isSettled: Bool { machine.isIdle && !isDisplayNeeded }

    /// Raises the pass that waits, if one does, to a tier.
    func raise(to tier: QoSTier) {
        guard let pass = machine.current, let raster = record(of: pass)?.raster, raster.tier < tier else {
            return
        }
        raster.move(to: tier)
    }

    /// Moves the pass that waits, if one does, to another tier.
    func move(to tier: QoSTier) {
        guard let pass = machine.current else { return }
        record(of: pass)?.raster?.move(to: tier)
    }

    // MARK: Actions

    /// Callbacks may ask for anything, a new pass included: each action is complete before it calls out.
    func perform(_ actions: [DisplayStateMachine.Action]) {
        for action in actions {
            switch action {
            case .stop(let pass): stop(pass)
            case .keep(let pass): record(of: pass)?.raster?.latch.keep()
            case .end(let pass, let ending): end(pass, ending)
            }
        }
    }

    private func stop(_ pass: Pass) {
        guard let index = passes.firstIndex(where: { $0.pass == pass }) else { return }
        if passes[index].isHeld {
            // Its picture is finished and waits for the rest of its group.
            passes[index].isHeld = false
            round?.setReady(self, false)
            perform(machine.handle(.stopped(pass, .committing)))
        } else if let raster = passes[index].raster, case .left = raster.leave(self, pass) {
            perform(machine.handle(.dequeued(pass)))
        }
    }

    /// Tells the machine of invalidations that came from other threads, or before the end of this turn.
    func catchUpWithInvalidations() {
        let generation = sentinel.value
        guard generation != knownGeneration else { return }
        knownGeneration = generation
        perform(machine.handle(layer == nil ? .cancelled : .invalidated(isOverdue: isOverdue)))
    }

    /// True when the draw in flight had better be finished.
    var isOverdue: Bool {
        guard let pass = machine.current, let raster = record(of: pass)?.raster else { return false }
        return raster.latch.isOverdue
    }

    func record(of pass: Pass) -> PassRecord<R>? { passes.last { $0.pass == pass } }

    func updateRecord(of pass: Pass, _ update: (inout PassRecord<R>) -> Void) {
        guard let index = passes.lastIndex(where: { $0.pass == pass }) else { return }
        update(&passes[index])
    }
}

/// A pass in flight, as the main actor sees it. The task is held here until the pass has ended, so it is here
/// that its closures are released last.
struct PassRecord<R: Renderer> {
    let pass: DisplayStateMachine.Pass
    /// The pass's number among those of all layers of its host.
    let id: UInt64
    let task: DisplayTask<R>?
    let isSynchronous: Bool
    let beganAt: Duration
    var raster: Raster<R>?
    var key: RasterKey?
    var parcel: Parcel<Picture<R.Contents>>?
    var error: (any Error)?
    var source = DisplaySource.drawn
    /// When it was drawn; nil until it has been, and if another pass owns the drawing.
    var times: DrawTimes?
    /// True while the picture waits for the rest of its group.
    var isHeld = false

    mutating func join(_ raster: Raster<R>) {
        self.raster = raster
        source = .shared
    }
}
