import AsyncLayers
import QueuePoolsLocks
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing
import QueuePoolsTransactions

@MainActor
@Suite("Simulation", .timeLimit(.minutes(15)))
struct SimulationTests {
    @Test("nothing happens by itself; a run ends the turn, draws and shows")
    func run() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        for _ in 0..<3 { sketch.layer.setNeedsDisplay() }
        #expect(sketch.passCount == 0)
        simulation.run()
        #expect(sketch.shown == "1")
        #expect(sketch.outcomes == ["committed"])
        #expect(
            simulation.trace.map(\.action) == [.flush, .job(.userInitiated, queue: 0), .mainQueue])
        #expect(simulation.possibleActions == [])
        #expect(simulation.now == .zero)
        #expect(simulation.metrics.snapshot().sources == [.drawn: 1])
    }

    @Test("steps by hand: the turn, the pool and the main queue, each when the test says so")
    func byHand() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        #expect(!simulation.flush() && !simulation.runMainQueue() && !simulation.runNext())
        sketch.layer.setNeedsDisplay()
        #expect(simulation.possibleActions == [.flush])
        #expect(simulation.flush())
        #expect(simulation.possibleActions == [.job(.userInitiated, queue: 0)])
        #expect(!simulation.runNext(qos: .utility))
        #expect(!simulation.step(.job(.userInitiated, queue: 1)))
        #expect(simulation.runNext(qos: .userInitiated))
        #expect(sketch.shown == nil)
        #expect(simulation.runMainQueue())
        #expect(sketch.shown == "1")
        #expect(!simulation.step())
    }

    @Test("a turn that the test has ended in the queue itself is not ended again")
    func flushedQueue() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        sketch.layer.setNeedsDisplay()
        simulation.transactions.flush()
        #expect(simulation.possibleActions == [.job(.userInitiated, queue: 0)])
        #expect(!simulation.flush())
        sketch.layer.setNeedsDisplay()
        #expect(simulation.flush())
        simulation.run()
    }

    // MARK: Time

    @Test("the pool's delays and deadlines are of the simulation's time")
    func poolTime() throws {
        let simulation = Simulation()
        let (pool, log) = (simulation.pool, Recorder<String>())
        func note(_ text: String) -> @Sendable () -> Void { { log.append(text) } }
        try pool.async(qos: .utility, after: .seconds(3_600), note("later"))
        try pool.start(qos: .utility, after: .seconds(1), onEnd: { log.append("\($0)") }) { 7 }
        let cancelled = try pool.async(qos: .utility, after: .seconds(2), note("never"))
        try pool.start(
            qos: .utility, after: .seconds(10), finishBy: .now + .seconds(5),
            onEnd: { if case .failure(PoolError.expired) = $0 { log.append("expired") } }, note("never"))
        simulation.run()
        #expect(log.elements == [])
        simulation.advance(by: .milliseconds(1_001))
        #expect(log.elements == ["success(7)"])
        #expect(cancelled.cancel())
        simulation.advance(by: .seconds(5))
        #expect(log.elements == ["success(7)", "expired"])
        simulation.advance(by: .seconds(3_600))
        #expect(log.elements == ["success(7)", "expired", "later"])
    }

    @Test("time passes through all that is planned, and each thing happens at its time")
    func advance() {
        let simulation = Simulation()
        let log = Recorder<String>()
        for milliseconds in [30, 10, 20] {
            simulation.schedule(after: .milliseconds(milliseconds)) {
                log.append("event \(milliseconds) at \(simulation.now)")
            }
            simulation.host.loop.perform(at: .milliseconds(milliseconds)) {
                log.append("timer \(milliseconds) at \(simulation.now)")
            }
        }
        simulation.run()
        #expect(log.elements == [])
        simulation.advance(by: .milliseconds(20))
        #expect(
            log.elements == [
                "event 10 at 0.01 seconds", "timer 10 at 0.01 seconds", "event 20 at 0.02 seconds",
                "timer 20 at 0.02 seconds",
            ])
        simulation.advance(by: .milliseconds(5))
        #expect(log.elements.count == 4)
        #expect(simulation.now == .milliseconds(25))
        simulation.advance(by: .seconds(1))
        #expect(log.elements.count == 6)
    }

    @Test("a draw that spends time is made stale by another thread meanwhile, and notices")
    func staleWhileDrawing() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        let times = Recorder<Duration>()
        // The first picture is not stopped.
        sketch.beforeDrawing = { _, _ in simulation.spend(.milliseconds(30)) }
        sketch.layer.display()
        simulation.advance(by: .seconds(1))
        sketch.beforeDrawing = { pass, scope in
            for _ in 0..<6 {
                guard !scope.isCancelled else { return times.append(simulation.now) }
                simulation.spend(.milliseconds(5))
            }
        }
        sketch.layer.display()
        simulation.schedule(after: .milliseconds(8)) { [layer = sketch.layer] in
            times.append(simulation.now)
            layer.setNeedsDisplay()
        }
        simulation.run()
        #expect(times.elements == [.milliseconds(1_008), .milliseconds(1_010)])
        #expect(sketch.outcomes == ["committed", "superseded while drawing", "committed"])
        #expect(sketch.shown == "3")
        #expect(simulation.now == .milliseconds(1_040))
        #expect(simulation.metrics.snapshot().drawTime == .milliseconds(70))
    }

    @Test("the main thread continues while a draw spends time, but not while it draws itself")
    func mainThreadMeanwhile() {
        for isAsynchronous in [true, false] {
            let simulation = Simulation()
            let sketch = Sketch(simulation)
            let firedAt = Recorder<Duration>()
            sketch.layer.displaysAsynchronously = isAsynchronous
            sketch.beforeDrawing = { _, _ in simulation.spend(.milliseconds(30)) }
            simulation.host.loop.perform(at: .milliseconds(8)) { firedAt.append(simulation.now) }
            sketch.layer.setNeedsDisplay()
            simulation.run()
            #expect(firedAt.elements == [isAsynchronous ? .milliseconds(8) : .milliseconds(30)])
            #expect(simulation.trace.last { $0.action == .timer }?.depth == (isAsynchronous ? 1 : 0))
        }
    }

    @Test("while the main thread is busy, the pool runs and the main queue does not")
    func busyMainThread() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        sketch.layer.display()
        sketch.layer.setNeedsDisplay()
        simulation.spend(.milliseconds(10))
        #expect(simulation.trace.map(\.action) == [.job(.userInitiated, queue: 0)])
        #expect(simulation.possibleActions == [.flush, .mainQueue])
        simulation.run()
    }

    @Test("hostile times are cut: negative ones are none, endless ones come to an end")
    func hostileTimes() {
        let simulation = Simulation()
        let fired = Counter()
        simulation.advance(by: .seconds(-5))
        simulation.spend(.seconds(-5))
        #expect(simulation.now == .zero)
        simulation.schedule(after: .seconds(Int64.min)) { fired.increment() }
        simulation.schedule(at: .seconds(Int64.min)) { fired.increment() }
        simulation.host.loop.perform(at: .seconds(Int64.min)) { fired.increment() }
        simulation.run()
        #expect(fired.value == 3)
        for _ in 0..<3 {
            simulation.advance(by: .seconds(Int64.max))
            simulation.spend(.seconds(Int64.max))
        }
        simulation.schedule(after: .seconds(Int64.max)) { fired.increment() }
        simulation.advance(by: .seconds(Int64.max))
        #expect(fired.value == 4)
    }

    // MARK: Deadlines

    @Test("a main thread that waits for a draw lets the pool run, and shows the picture in the same turn")
    func deadlineMet() {
        let simulation = Simulation(order: .firstInFirstOut)
        let sketch = Sketch(simulation)
        sketch.layer.displayTimeLimit = .milliseconds(8)
        sketch.beforeDrawing = { _, _ in simulation.spend(.milliseconds(5)) }
        simulation.host.loop.perform(at: .milliseconds(2)) { Issue.record("the main thread is not there") }
        sketch.layer.setNeedsDisplay()
        simulation.flush()
        #expect(sketch.shown == "1")
        #expect(simulation.now == .milliseconds(5))
    }

    @Test("a wait ends however late it is, and when the simulation is gone")
    func deadlineInTheEnd() throws {
        var simulation: Simulation? = Simulation()
        let loop = try #require(simulation?.host.loop)
        let sketch = Sketch(try #require(simulation))
        sketch.layer.displayTimeLimit = .milliseconds(8)
        simulation?.advance(by: .seconds(Int64.max))
        sketch.layer.display()
        #expect(sketch.shown == "1")
        simulation = nil
        let end = loop.now + .milliseconds(8)
        loop.sleep(until: end)
        #expect(loop.now == end)
    }

    @Test("a wait for several draws continues when one of them must wait for another one's memory")
    func deadlineUnderBudget() {
        let simulation = Simulation(byteLimit: 8 * 8 * 4)
        let sketches = (0..<3).map { _ in Sketch(simulation) }
        for sketch in sketches {
            sketch.layer.displayTimeLimit = .milliseconds(8)
            sketch.beforeDrawing = { _, _ in simulation.spend(.milliseconds(2)) }
            sketch.layer.setNeedsDisplay()
        }
        simulation.flush()
        #expect(sketches.map(\.shown) == ["1", "1", "1"])
        #expect(simulation.now == .milliseconds(6))
    }

    @Test("a wait in which the order picks no draw is over in time")
    func deadlineMissed() {
        let simulation = Simulation(order: .chosen { $0.first(where: \.isOnMainThread) })
        let sketch = Sketch(simulation)
        sketch.layer.displayTimeLimit = .milliseconds(8)
        sketch.layer.setNeedsDisplay()
        simulation.run()
        #expect(simulation.now == .milliseconds(8))
        #expect(sketch.shown == nil)
        simulation.order = .firstInFirstOut
        simulation.run()
        #expect(sketch.shown == "1")
    }

    // MARK: Trace and lifetime

    @Test("of a long trace the last steps are kept")
    func traceLimit() {
        let simulation = Simulation()
        simulation.traceLimit = 3
        for milliseconds in 0..<500 { simulation.host.loop.perform(at: .milliseconds(milliseconds)) {} }
        simulation.advance(by: .seconds(1))
        #expect(simulation.transcript == "0.497000 s: timer\n0.498000 s: timer\n0.499000 s: timer")
        simulation.traceLimit = -1
        #expect(simulation.trace == [])
    }

    @Test("a released simulation releases everything that has not happened, and takes nothing any more")
    func lifetime() throws {
        let released = Counter()
        func closure() -> @Sendable () -> Void {
            let probe = LifetimeProbe { released.increment() }
            return { probe.touch() }
        }
        var simulation: Simulation? = Simulation()
        let host = try #require(simulation).host
        do {
            let (work, timer) = (closure(), closure())
            host.loop.perform { work() }
            host.loop.perform(at: .seconds(1)) { timer() }
        }
        simulation?.schedule(after: .seconds(1), closure())
        try host.pool.async(qos: .default, closure())
        Transaction(released, "test") { _ in Issue.record("the turn has ended") }.commit(
            to: host.transactions)
        #expect(released.value == 0)
        simulation = nil
        #expect(released.value == 4)

        let work = closure()
        host.loop.perform { work() }
        try host.pool.async(qos: .utility, closure())
        #expect(released.value == 5, "all but what the test holds itself")
    }

    @Test("the pool counts its jobs and shuts down as any other does")
    func pool() async throws {
        let simulation = Simulation(queuesPerTier: 0)
        #expect(simulation.pool.queueCount(of: .utility) == 1)
        #expect(Simulation(queuesPerTier: 1_000).pool.queueCount(of: .utility) == 64)
        let job = try simulation.pool.async(qos: .default) {}
        try simulation.pool.async(qos: .default) {}
        #expect(job.cancel())
        simulation.run()
        try await simulation.pool.shutdown()
        let statistics = simulation.pool.statistics[.default]
        #expect(statistics.submitted == 2 && statistics.cancelled == 1 && statistics.finished == 1)
        #expect(simulation.pool.queue(for: .default).label == "simulation.default.0")
        #expect(simulation.pool.queue(for: .default).qos == .default)
    }

    @Test("layers that share the memory budget draw one after the other when it is small")
    func budget() {
        let simulation = Simulation(byteLimit: 8 * 8 * 4)
        let sketches = (0..<3).map { _ in Sketch(simulation) }
        for sketch in sketches { sketch.layer.display() }
        #expect(simulation.budget.waitingCount == 2)
        simulation.run()
        #expect(sketches.allSatisfy { $0.shown == "1" })
        #expect(simulation.budget.bytesInUse == 0)
    }

    @Test("what was planned for a time that has come happens before steps by hand too")
    func dueEvents() {
        let simulation = Simulation()
        let sketch = Sketch(simulation)
        simulation.schedule(at: .zero) { sketch.layer.setNeedsDisplay() }
        #expect(simulation.flush())
        simulation.schedule(at: .zero) { simulation.host.loop.perform {} }
        #expect(simulation.runMainQueue())
        simulation.schedule(at: .zero) { _ = try? simulation.pool.async(qos: .utility) {} }
        #expect(simulation.runNext(qos: .utility))
        simulation.run()
    }

    @Test("a trace may be as long as one likes, or empty", arguments: [Int.max, 0, -1])
    func traceLimits(limit: Int) {
        let simulation = Simulation()
        simulation.traceLimit = limit
        let sketch = Sketch(simulation)
        sketch.layer.display()
        simulation.run()
        #expect(simulation.trace.count == (limit > 0 ? 2 : 0))
    }
}
