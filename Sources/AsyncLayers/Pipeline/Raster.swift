import QueuePools

/// One drawing on its way: waiting for memory, waiting in the pool, being drawn, back on the main actor.
///
/// Usually one pass wants it. Passes of other layers with an equal key join it while it is in flight, and
/// each then gets the same picture; it is stopped when none of them is left.
@MainActor
final class Raster<R: Renderer>: BudgetedDraw, AwaitedDraw, Arrival {
    private struct Subscriber {
        let pipeline: DisplayPipeline<R>
        let pass: DisplayStateMachine.Pass
    }

    /// Where it is.
    private enum Stage {
        /// The budget has no room for it yet.
        case waitingForMemory
        /// In the pool; the job is nil if the pool refused it.
        case submitted(PoolJob?)
        /// Taken off the queue, or received by the main actor.
        case ended
    }

    nonisolated let latch: DrawLatch
    private nonisolated let host: DisplayHost
    private nonisolated let drawing: Drawing<R>
    private let byteCount: Int
    private let key: RasterKey?
    private let cache: ContentsCache<R>?
    private(set) var tier: QoSTier
    private var stage = Stage.waitingForMemory
    private var subscribers: [Subscriber]
    private var whenWaitIsOver: (() -> Void)?

    // The main actor's, but for the time between submitting the job and receiving it, when they are the
    // drawing thread's. The pool orders the two one way and `Arrivals` the other. The closure is only read
    // by the thread, so the main actor is the last to release it.
    private nonisolated(unsafe) var id: UInt64 = 0
    private nonisolated(unsafe) var draw: DisplayTask<R>.Draw?
    private nonisolated(unsafe) var result: Drawing<R>.Result?
    private nonisolated(unsafe) var times = DrawTimes()

    init(
        _ drawing: Drawing<R>, draw: @escaping DisplayTask<R>.Draw, latch: DrawLatch, byteCount: Int,
        tier: QoSTier, key: RasterKey?, cache: ContentsCache<R>?, host: DisplayHost,
        for pipeline: DisplayPipeline<R>, _ pass: DisplayStateMachine.Pass
    ) {
        self.drawing = drawing
        self.draw = draw
        self.latch = latch
        self.byteCount = byteCount
        self.tier = tier
        self.key = key
        self.cache = cache
        self.host = host
        subscribers = [Subscriber(pipeline: pipeline, pass: pass)]
        if let key { cache?.drawings[key] = self }
    }

    private nonisolated var signposts: (any DisplaySignposts)? { host.metrics.signposts }

    var hasEnded: Bool {
        if case .ended = stage { true } else { false }
    }

    // MARK: Who wants it

    /// Lets a pass of another layer have the picture too; false if the drawing has been stopped.
    func join(_ pipeline: DisplayPipeline<R>, _ pass: DisplayStateMachine.Pass, tier: QoSTier) -> Bool {
        guard latch.keep() else { return false }
        subscribers.append(Subscriber(pipeline: pipeline, pass: pass))
        if tier > self.tier { move(to: tier) }
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
    func leave(_ pipeline: DisplayPipeline<R>, _ pass: DisplayStateMachine.Pass) -> Leave {
        if hasEnded { return .stopping }
        guard subscribers.count == 1 else {
            subscribers.removeAll { $0.pipeline === pipeline && $0.pass == pass }
            return .left
        }
        latch.stop()
        switch stage {
        case .waitingForMemory:
            guard host.budget.withdraw(self) else { return .stopping }
            signposts?.end(.waiting, of: id)
            end()
            return .left
        case .submitted(let job):
            guard job?.cancel() == true else { return .stopping }
            signposts?.end(.waiting, of: id)
            end()
            host.budget.release(bytes: byteCount)
            return .left
        case .ended:
            return .stopping
        }
    }

    // MARK: Its tier

    /// Moves the drawing to a tier, if it waits; a drawing that several layers share is only raised.
    func move(to tier: QoSTier) {
        guard tier != self.tier, tier > self.tier || subscribers.count == 1 else { return }
        switch stage {
        case .waitingForMemory:
            guard host.budget.withdraw(self) else { return }
            self.tier = tier
            host.budget.admit(self, bytes: byteCount, tier: tier)
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
    ///
    /// - Parameter id: the number of the pass that it belongs to.
    func begin(id: UInt64) {
        self.id = id
        signposts?.begin(.waiting, of: id)
        host.budget.admit(self, bytes: byteCount, tier: tier)
    }

    func start() {
        do {
            stage = .submitted(try host.pool.async(qos: tier) { [self] in run() })
        } catch {
            // Told later, as everything else is, and not to a caller that is still beginning the pass.
            stage = .submitted(nil)
            signposts?.end(.waiting, of: id)
            result = .failed(error)
            host.arrivals.post(self)
        }
    }

    private nonisolated func run() {
        times.start = host.loop.now
        signposts?.end(.waiting, of: id)
        signposts?.begin(.drawing, of: id)
        result = draw.map { drawing.run($0) }
        signposts?.end(.drawing, of: id)
        if result?.isFinished == true { signposts?.begin(.committing, of: id) }
        times.end = host.loop.now
        host.arrivals.post(self)
    }

    func receive() {
        let wanting = subscribers
        end()
        host.budget.release(bytes: byteCount)
        guard let result else { return }
        if case .finished(let parcel) = result, let key, let cache {
            cache.insert(parcel.copy(), for: key, bytes: byteCount)
        }
        for (index, subscriber) in wanting.enumerated() {
            // The last one gets the parcel itself, so that none is left over here. The first one is the pass
            // that it was drawn for, or the oldest of those that joined it.
            let isLast = index == wanting.count - 1
            subscriber.pipeline.receive(
                isLast ? result : result.copy(), times, ownsDrawing: index == 0, of: subscriber.pass)
        }
        if result.isFinished { signposts?.end(.committing, of: id) }
    }

    private func end() {
        stage = .ended
        subscribers = []
        draw = nil
        if let key, let cache, cache.drawings[key] === self { cache.drawings[key] = nil }
    }

    // MARK: A main thread that waits for it

    /// Makes the main thread wait for the drawing, with all else that this turn waits for.
    ///
    /// - Parameter body: called when it has ended or the time has come.
    func wait(until time: Duration, then body: @escaping () -> Void) {
        whenWaitIsOver = body
        move(to: .userInteractive)
        host.wait(for: self, until: time)
    }

    func waitIsOver() { whenWaitIsOver.take()?() }
}

/// When a draw began and ended on its thread.
struct DrawTimes: Sendable {
    var start = Duration.zero
    var end = Duration.zero
}
