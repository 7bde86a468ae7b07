import QueuePools

/// One drawing on its way: waiting for memory, waiting in the pool, being drawn, back on the main actor.
///
/// Usually one pass wants it. Passes of other layers with an equal key join it while it is in flight, and
/// each then gets the same picture; it is stopped when none of them is left.
@MainActor
final class Raster: DrawLatch, @unchecked Sendable {
    /// Where it is.
    private enum Stage {
        /// Made, or the budget has no room for it yet.
        case waitingForMemory
        /// In the pool; the job is nil if the pool refused it.
        case submitted(PoolJob?)
        /// Taken off the queue, or received by the main actor.
        case ended
    }

    private nonisolated let drawing: Drawing
    private nonisolated let id: UInt64
    let beganAt: Duration
    private let byteCount: Int
    private let key: RasterKey?
    private(set) var tier: QoSTier
    private var givesWay = true
    /// Where it waited before it gave way; nil if it has not, or has been moved since.
    private var formerTier: QoSTier?
    @exclusivity(unchecked) private var stage = Stage.waitingForMemory
    /// Who wants the picture: the pass that it was drawn for, or the oldest of those that joined it; and the
    /// others.
    @exclusivity(unchecked) private var first: DisplayPass?
    @exclusivity(unchecked) private var others: [DisplayPass] = []
    /// Who has the main thread wait for the drawing.
    private var waiters: [() -> Void] = []

    // The main actor's, but for the time between submitting the job and receiving it, when they are the
    // drawing thread's. The pool orders the two one way and `Arrivals` the other. What is drawn is only read
    // by the thread, so the main actor is the last to release it.
    @exclusivity(unchecked) private nonisolated(unsafe) var work: DrawWork?
    @exclusivity(unchecked) private nonisolated(unsafe) var result: DrawResult?
    private nonisolated(unsafe) var times: DrawTimes?

    /// Makes a drawing for a pass, whose number signposts and whose tier the pool gets.
    init(
        _ drawing: Drawing, _ work: DrawWork, byteCount: Int, for pass: DisplayPass, generation: UInt64
    ) {
        self.drawing = drawing
        self.work = work
        self.byteCount = byteCount
        id = pass.id
        beganAt = pass.beganAt
        tier = pass.task.tier
        key = pass.key
        first = pass
        super.init(of: pass.pipeline, generation: generation, overdueTime: pass.overdueTime)
    }

    private nonisolated var signposts: (any DisplaySignposts)? { host.signposts }

    var hasEnded: Bool {
        if case .ended = stage { true } else { false }
    }

    // MARK: Who wants it

    /// Lets a pass of another layer have the picture too; false if the drawing has been stopped.
    func join(_ pass: DisplayPass) -> Bool {
        guard keep() else { return false }
        others.append(pass)
        if pass.task.tier > tier { change(to: pass.task.tier) }
        return true
    }

    /// How a pass that is told to stop stands to its drawing.
    enum Leave {
        /// It is over for the pass: nothing was drawn for it alone.
        case left
        /// The drawing has begun, and may have ended; the pass will hear of it.
        case stopping
    }

    /// Stops the drawing for one pass.
    func leave(_ pass: DisplayPass) -> Leave {
        if hasEnded { return .stopping }
        guard others.isEmpty else {
            if first === pass { first = others.removeFirst() } else { others.removeAll { $0 === pass } }
            return .left
        }
        stop()
        switch stage {
        case .waitingForMemory:
            guard host.budget.withdraw(self) else { return .stopping }
            signposts?.end(.waiting, of: id)
            end()
            host.letEndedGo()
            return .left
        case .submitted(let job):
            guard job?.cancel() == true else { return .stopping }
            signposts?.end(.waiting, of: id)
            end()
            host.letEndedGo()
            host.budget.release(bytes: byteCount)
            return .left
        case .ended:
            return .stopping
        }
    }

    // MARK: Its tier

    /// Moves the drawing to a tier, if it waits; a drawing that several layers share is only raised. It keeps
    /// that tier then.
    func move(to tier: QoSTier) {
        givesWay = false
        formerTier = nil
        change(to: tier)
    }

    /// Raises the drawing to a tier, if it waits; it does not give way any more.
    func raise(to tier: QoSTier) { move(to: max(tier, self.tier)) }

    /// Lets newer drawings go first, unless somebody has said where this one is to wait.
    func giveWay() {
        guard givesWay, let lower = QoSTier(rawValue: tier.rawValue - 1) else { return }
        let former = tier
        move(to: lower)
        formerTier = former
    }

    /// Has the drawing finished, though it is stale. Its layer has shown nothing new for long enough, and will not
    /// before this is done: it gives way no more, and takes back that it did.
    func finish() {
        keep()
        raise(to: formerTier ?? tier)
    }

    private func change(to tier: QoSTier) {
        guard tier != self.tier, tier > self.tier || others.isEmpty else { return }
        switch stage {
        case .waitingForMemory:
            self.tier = tier
            host.budget.moveToTier(self)
        case .submitted(let job):
            guard job?.cancel() == true else { return }
            self.tier = tier
            start()
        case .ended:
            break
        }
    }

    // MARK: On its way

    /// Asks for memory, and goes into the pool when there is some.
    func begin() {
        if let key { pipeline.cache?.drawings[key] = self }
        signposts?.begin(.waiting, of: id)
        host.beginWaiting(self)
        host.budget.admit(self, bytes: byteCount)
    }

    func start() {
        do {
            stage = .submitted(try host.pool.async(qos: tier) { [self] in run() })
        } catch {
            // Told later, as everything else is, and not to a caller that is still beginning the pass.
            stage = .submitted(nil)
            signposts?.end(.waiting, of: id)
            result = .failed(error)
            host.post(self)
        }
    }

    private nonisolated func run() {
        signposts?.end(.waiting, of: id)
        draw(self)
        host.post(self)
    }

    /// Draws on the main actor, while the caller waits; nothing stops it.
    func drawNow() {
        host.budget.charge(bytes: byteCount)
        draw(nil)
        receive()
    }

    private nonisolated func draw(_ latch: DrawLatch?) {
        let start = host.now
        signposts?.begin(.drawing, of: id)
        result = work?.run(drawing, with: pipeline.renderer, latch)
        signposts?.end(.drawing, of: id)
        if result?.isFinished == true { signposts?.begin(.committing, of: id) }
        times = DrawTimes(start: start, end: host.now)
    }

    func receive() {
        let first = first.take()
        let others = others
        end()
        host.budget.release(bytes: byteCount)
        guard let result = result.take(), let first else { return }
        if let key, let cache = pipeline.cache, case .finished(let parcel) = result {
            cache.insert(
                parcel.copy(), for: key, bytes: pipeline.renderer.byteCount(of: drawing.contexts))
        }
        let isFinished = result.isFinished
        // Copied before the first pass gets the parcel itself, which swaps another picture into it.
        let shares = others.map { (pass: $0, result: result.copy()) }
        first.pipeline.receive(consume result, times, ownsDrawing: true, of: first)
        for (pass, result) in shares { pass.pipeline.receive(result, times, ownsDrawing: false, of: pass) }
        if isFinished { signposts?.end(.committing, of: id) }
    }

    private func end() {
        stage = .ended
        first = nil
        others = []
        work = nil
        if let key, let cache = pipeline.cache, cache.drawings[key] === self { cache.drawings[key] = nil }
    }

    // MARK: A main thread that waits for it

    /// Makes the main thread wait for the drawing, with all else that this turn waits for.
    ///
    /// - Parameter body: called when it has ended or the time has come. At once if the main thread has waited in
    ///   this turn already: it might go on so for ever.
    func wait(until time: Duration, then body: @escaping () -> Void) {
        move(to: .userInteractive)
        guard !host.isWaiting else { return body() }
        waiters.append(body)
        host.wait(for: self, until: time)
    }

    func waitIsOver() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter() }
    }
}

/// When a draw began and ended on its thread.
struct DrawTimes: Sendable {
    let start: Duration
    let end: Duration
}
