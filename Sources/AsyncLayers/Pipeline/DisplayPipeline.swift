import Dispatch
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
    /// Brings a piece of work to the main actor, in order.
    typealias MainHop = @Sendable (_ work: @escaping @MainActor @Sendable () -> Void) -> Void

    /// A pass in flight, as the main actor sees it. The task is held here until the pass has ended, so it is
    /// here that its closures are released last.
    private struct PassRecord {
        var task: DisplayTask<R>?
        var job: PoolJob?
        var parcel = Parcel<R.Contents>(nil)
        var error: (any Error)?
    }

    private(set) var contents: R.Contents?
    weak var layer: AsyncLayer<R>?

    private let renderer: R
    private let pool: any JobSubmitting
    private let transactions: TransactionQueue
    private let hop: MainHop
    private var machine = DisplayStateMachine()
    private var passCount: DisplayStateMachine.Pass = 0
    private var passes: [DisplayStateMachine.Pass: PassRecord] = [:]

    // Invalidations may come from any thread. They raise the sentinel, which stops draws at once; the machine
    // hears of them before the next event that it handles, by comparing with the generation that it knows.
    private nonisolated let sentinel = Sentinel()
    private var knownGeneration: UInt64 = 0
    private nonisolated let needsDisplay = Atomic<Bool>(false)

    init(renderer: R, pool: any JobSubmitting, transactions: TransactionQueue, hop: @escaping MainHop) {
        self.renderer = renderer
        self.pool = pool
        self.transactions = transactions
        self.hop = hop
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
        // The sentinel stands for the layer, since a transaction holds its target: were that the pipeline,
        // which holds the queue, then a queue that is dropped without a last flush would never go.
        Transaction(sentinel, "display") { [weak self] _ in self?.displayIfNeeded() }.commit(to: transactions)
    }

    func displayIfNeeded() {
        if needsDisplay.load(ordering: .acquiring) { display() }
    }

    /// Takes back a request for display, and stops the passes in flight.
    func cancel() {
        _ = needsDisplay.exchange(false, ordering: .acquiringAndReleasing)
        knownGeneration = sentinel.increase()
        perform(machine.handle(.cancelled))
    }

    /// Makes draws stop, from any thread; ``cancel()`` must follow on the main actor.
    nonisolated func makeStale() {
        sentinel.increase()
    }

    /// The layer is gone: nothing is shown any more.
    func layerIsGone() {
        cancel()
        let parcel = Parcel<R.Contents>(nil)
        parcel.exchange(with: &contents)
        parcel.empty(on: pool)
    }

    // MARK: A pass begins

    func display() {
        guard let layer else { return }
        _ = needsDisplay.exchange(false, ordering: .acquiringAndReleasing)
        // A number by the order in which tasks are asked for: should the delegate display again before it
        // returns, or in `willDisplay`, then that inner task is the newer one.
        passCount += 1
        let pass = passCount
        let task = layer.delegate?.displayTask(for: layer)
        task?.willDisplay?()

        let isSynchronous = !layer.displaysAsynchronously || task?.draw == nil
        passes[pass] = PassRecord(task: task)
        let actions = machine.handle(.began(pass, isSynchronous: isSynchronous))
        guard machine.isInFlight(pass) else { return perform(actions) }

        // The generation is taken only now, so that what `willDisplay` invalidates does not count against
        // this pass; before anybody is called back, who may begin a newer pass with a newer ticket; and in
        // one step with raising it, so that nobody's invalidation is lost between the two.
        let ticket = sentinel.increaseAndTakeTicket()
        knownGeneration = ticket.value
        perform(actions)

        guard let draw = task?.draw else { return show(Parcel(nil), of: pass) }
        do {
            switch try ContextPlan(
                size: layer.bounds.size, scale: layer.contentsScale, isOpaque: layer.isOpaque)
            {
            case .nothing:
                show(Parcel(nil), of: pass)
            case .context(let description):
                try checkBytes(of: description, limit: layer.maximumContextBytes)
                let drawing = Drawing(
                    renderer: renderer, description: description, background: layer.backgroundColor,
                    scope: DrawScope(
                        size: layer.bounds.size, scale: description.scale, isOpaque: description.isOpaque,
                        ticket: isSynchronous ? nil : ticket))
                if isSynchronous {
                    receive(drawing.run(draw), of: pass)
                } else {
                    try submit(drawing, draw, for: pass)
                }
            }
        } catch {
            receive(.failed(error), of: pass)
        }
    }

    private func checkBytes(of description: ContextDescription, limit: Int) throws(DisplayError) {
        let needed = renderer.byteCount(of: description)
        guard (0...max(0, limit)).contains(needed) else { throw .tooManyBytes(needed: needed, limit: limit) }
    }

    private func submit(
        _ drawing: Drawing<R>, _ draw: @escaping DisplayTask<R>.Draw, for pass: DisplayStateMachine.Pass
    ) throws(PoolError) {
        let borrowed = BorrowedDraw<R>(draw)
        let job = try pool.async(qos: .userInitiated) { [hop] in
            // The thread gives the closure back before it reports, so that the main actor, which still holds
            // the task, is the last to release it.
            let result = borrowed.runAndForget(drawing)
            hop { self.receive(result, of: pass) }
        }
        passes[pass]?.job = job
    }

    // MARK: A pass goes on

    private func show(_ parcel: Parcel<R.Contents>, of pass: DisplayStateMachine.Pass) {
        passes[pass]?.parcel = parcel
        perform(machine.handle(.finished(pass)))
    }

    private func receive(_ result: Drawing<R>.Result, of pass: DisplayStateMachine.Pass) {
        catchUpWithInvalidations()
        switch result {
        case .finished(let parcel):
            show(parcel, of: pass)
        case .stopped(let stage):
            perform(machine.handle(.stopped(pass, stage)))
        case .failed(let error):
            passes[pass]?.error = error
            perform(machine.handle(.failed(pass)))
        }
    }

    private func catchUpWithInvalidations() {
        let generation = sentinel.value
        guard generation != knownGeneration else { return }
        knownGeneration = generation
        perform(machine.handle(layer == nil ? .cancelled : .invalidated))
    }

    // MARK: Actions

    /// Callbacks may ask for anything, a new pass included: each action is complete before it calls out.
    private func perform(_ actions: [DisplayStateMachine.Action]) {
        for action in actions {
            switch action {
            case .dequeue(let pass):
                if passes[pass]?.job?.cancel() == true { perform(machine.handle(.dequeued(pass))) }
            case .end(let pass, let ending):
                end(pass, ending)
            }
        }
    }

    private func end(_ pass: DisplayStateMachine.Pass, _ ending: DisplayStateMachine.Ending) {
        guard let record = passes.removeValue(forKey: pass) else { return }
        if ending == .committed { record.parcel.exchange(with: &contents) }
        record.parcel.empty(on: pool)
        record.task?.didDisplay?(DisplayOutcome(ending, error: record.error))
    }
}

/// A draw closure on its way through a pool thread.
private final class BorrowedDraw<R: Renderer>: @unchecked Sendable {
    // Touched by `init` and by the one job that runs it; submitting the job orders the two.
    private var draw: DisplayTask<R>.Draw?

    init(_ draw: @escaping DisplayTask<R>.Draw) { self.draw = draw }

    @inline(never)
    func runAndForget(_ drawing: Drawing<R>) -> Drawing<R>.Result {
        guard let draw = draw.take() else { return .stopped(.waiting) }
        return drawing.run(draw)
    }
}

extension DisplayOutcome {
    fileprivate init(_ ending: DisplayStateMachine.Ending, error: (any Error)?) {
        switch ending {
        case .committed: self = .committed
        case .superseded(let stage): self = .superseded(stage)
        case .cancelled(let stage): self = .cancelled(stage)
        case .failed: self = .failed(error ?? CancellationError())
        }
    }
}
