public import AsyncLayers
public import QueuePools
import QueuePoolsTopology
public import QueuePoolsTransactions

/// A host for layers in tests, in which nothing happens by itself: everything runs on the calling thread, in
/// an order that the test or a seed decides, in a time that the test advances.
///
///     @MainActor
///     @Test func showsItsTitle() {
///         let simulation = Simulation(order: .seeded(42))
///         let cell = TitleCell(host: simulation.host)  // makes its layers with this host
///         cell.title = "Hello"                          // calls setNeedsDisplay
///         #expect(cell.layer.contents == nil)
///
///         simulation.run()                              // the turn ends, the pool draws
///         #expect(cell.layer.contents?.text == "Hello")
///
///         simulation.advance(by: .milliseconds(100))    // time limits pass, timers fire
///         #expect(cell.isSettled, "\(simulation.transcript)")
///     }
///
/// It simulates the main thread's turns, its queue and its timers, and the pool's serial queues, and has a
/// memory budget and metrics of its own. The layers are the ordinary ones.
///
/// **Order.** One thing happens at a time, and ``SimulationOrder`` says which is next: the first that became
/// possible, one by chance from a seed, or what a closure picks. Or the test does the steps itself, with
/// ``flush()``, ``runMainQueue()`` and ``runNext(qos:)``. Each queue of the pool stays serial. Equal
/// seeds give equal ``trace``s, on every platform, as long as the test itself decides nothing by chance, by
/// address or by the order of a `Set` or a `Dictionary`. (Jobs with a key, `pool.async(qos:key:)`, are on the
/// queue that the key's hash chooses, and hashes differ from process to process: which of several queues that
/// is does too.)
///
/// **Time** starts at zero and stands still except for ``advance(by:)`` and ``spend(_:)``. A draw takes none
/// unless it spends some:
///
///     DisplayTask { context, scope in
///         for band in bands where !scope.isCancelled {
///             band.draw(in: context)
///             simulation.spend(.milliseconds(2))
///         }
///     }
///
/// While a draw spends time, what else happens at that time happens *within* it, on the same thread: other
/// threads do what ``schedule(at:_:)`` has planned, the main thread continues (unless it is the one that
/// draws, or waits), and other queues may draw. So a draw of 30 ms can be cancelled after 8 ms, and notice.
///
/// Since there is only one thread, what began within a draw ends before that draw continues, as if the draw's
/// thread had been delayed for so long. It shows where the main thread waits for a draw
/// (`AsyncLayer.displayTimeLimit`): a draw that begins within the wait and spends more time than is left
/// makes the wait too long. To see a wait time out, let the order not choose the draw meanwhile.
///
/// What is awaited (`await layer.displayed()`) continues when the test itself awaits something; steps do not
/// run Swift tasks.
///
/// When the simulation is deinitialized, what has not happened is released, and nothing happens any more in
/// what was made with its host. Let draws in flight end before (``run()``): a pass that never ends is never
/// released. Nor is a simulation that is retained by what waits in it, so closures that a layer keeps
/// (`onContentsChange`) should capture it `unowned`.
///
/// *Main-actor isolated*, except for ``schedule(at:_:)``, ``schedule(after:_:)`` and ``now``, which are
/// *thread-safe*, and ``spend(_:)``.
@MainActor
public final class Simulation {
    /// What layers and groups are made with.
    public nonisolated let host: DisplayHost

    /// The pool of the host: five tiers of simulated serial queues, with all that pools count; its waiting
    /// times are in real time.
    ///
    /// Let its jobs end (``run()``) before it is shut down, which only their end completes.
    public nonisolated let pool: QueuePool<SimulatedQueue>

    private nonisolated let loop: SimulationLoop

    /// Makes a simulation in which nothing has happened, at the time zero.
    ///
    /// - Parameters:
    ///   - order: decides what happens next. Default: first in, first out.
    ///   - queuesPerTier: how many queues each of the pool's tiers has; cut to 1…64. Default: 2.
    ///   - byteLimit: the memory that draws in flight may take together (`MemoryBudget`). Default: 1 GiB.
    ///   - metrics: what counts the passes. Default: new ones.
    public convenience init(
        order: SimulationOrder = .firstInFirstOut, queuesPerTier: Int = 2, byteLimit: Int = 1 << 30,
        metrics: DisplayMetrics = DisplayMetrics()
    ) {
        self.init(
            order: order, queuesPerTier: queuesPerTier, byteLimit: byteLimit, metrics: metrics,
            demotionDelay: .milliseconds(16))
    }

    /// - Parameter demotionDelay: how long a draw waits before it is demoted for newer ones.
    package init(
        order: SimulationOrder = .firstInFirstOut, queuesPerTier: Int = 2, byteLimit: Int = 1 << 30,
        metrics: DisplayMetrics = DisplayMetrics(), demotionDelay: Duration
    ) {
        loop = SimulationLoop(order: order)
        let queueCount = min(max(1, queuesPerTier), QueuePoolOptions.queuesPerTierLimit)
        do {
            // The same layout on all machines.
            pool = try QueuePool(
                QueuePoolOptions(
                    label: "simulation", queuesPerTier: .exactly(queueCount),
                    topology: .singleNode(cpuCount: queueCount)),
                clock: SimulatedClock(loop.agenda)
            ) { [agenda = loop.agenda] label, tier, _ in
                SimulatedQueue(label: label, qos: tier, agenda: agenda)
            }
        } catch {
            preconditionFailure("a pool of \(queueCount) simulated queues cannot be made: \(error)")
        }
        host = DisplayHost(
            pool: pool, transactions: loop.transactions, loop: loop,
            budget: MemoryBudget(byteLimit: byteLimit), metrics: metrics, demotionDelay: demotionDelay)
    }

    deinit { loop.agenda.close() }

    /// When `setNeedsDisplay` takes effect; also for a test's transactions.
    public nonisolated var transactions: TransactionQueue { host.transactions }

    /// The memory that draws in flight take together.
    public nonisolated var budget: MemoryBudget { host.budget }

    /// Counts the passes, in the simulation's time.
    public nonisolated var metrics: DisplayMetrics { host.metrics }

    // MARK: Time

    /// The time since the simulation was made; the host's clock.
    public nonisolated var now: Duration { loop.now }

    /// Runs everything until so much time has passed, through all that is planned, and advances to that time.
    ///
    /// Zero or less is ``run()``. Draws that spend time may make it later.
    public func advance(by duration: Duration) {
        loop.startCounting()
        loop.run(until: time(after: duration))
    }

    /// Lets time pass on behalf of the caller: a draw takes so much longer; the test or the main thread's
    /// work is busy for so long.
    ///
    /// Meanwhile other threads, other queues of the pool and, unless it is busy itself, the main thread run
    /// within this call, as the order chooses. Hold no lock that they may need. Zero or less does nothing.
    ///
    /// Only for what the simulation runs, and the test itself: traps on any other thread.
    public nonisolated func spend(_ duration: Duration) {
        guard duration > .zero else { return }
        MainActor.preconditionIsolated(
            "spend(_:) was called on a thread that is not the simulation's")
        MainActor.assumeIsolated { loop.pass(until: time(after: duration)) }
    }

    /// Plans what another thread does at a time, such as `layer.setNeedsDisplay()`: it happens at that very
    /// time, also within a draw that spends time. A time that has passed is now: before the next step.
    ///
    /// For the *main* thread call `host.loop.perform(at:)`.
    public nonisolated func schedule(at time: Duration, _ event: @escaping @Sendable () -> Void) {
        loop.agenda.addEvent(at: time, event)
    }

    /// Plans what another thread does when so much time has passed.
    public nonisolated func schedule(after duration: Duration, _ event: @escaping @Sendable () -> Void) {
        schedule(at: time(after: duration), event)
    }

    private nonisolated func time(after duration: Duration) -> Duration {
        now + min(max(duration, .zero), Agenda.longest)
    }

    // MARK: Steps

    /// Decides what happens next. Setting a seeded order restarts its choices.
    public var order: SimulationOrder {
        get { loop.order }
        set { loop.order = newValue }
    }

    /// Runs everything, in the chosen order, until nothing is left to do at this time.
    ///
    /// Traps, with the last steps, after 100,000 steps: a layer that displays again whenever it has
    /// displayed never ends.
    public func run() {
        loop.startCounting()
        loop.run()
    }

    /// Performs the action that the order chooses.
    ///
    /// - Returns: false if there is nothing to do, or nothing was chosen.
    @discardableResult
    public func step() -> Bool {
        loop.startCounting()
        return loop.step()
    }

    /// Performs an action, in any order.
    ///
    /// - Returns: false if it is not possible now.
    @discardableResult
    public func step(_ action: SimulationAction) -> Bool {
        loop.startCounting()
        return loop.step(action)
    }

    /// What may happen next, in the order in which it became possible.
    public var possibleActions: [SimulationAction] { loop.possibleActionsOnceFree }

    /// Ends the main thread's turn: displays what `setNeedsDisplay` has asked for.
    ///
    /// - Returns: false if nothing was asked for.
    @discardableResult
    public func flush() -> Bool { step(.flush) }

    /// Runs what waits on the main queue, what that adds, and the timers whose time has come.
    ///
    /// - Returns: false if there was nothing.
    @discardableResult
    public func runMainQueue() -> Bool {
        loop.startCounting()
        var hasRun = false
        while let action = loop.actionsOfNow().first(where: { $0 == .mainQueue || $0 == .timer }) {
            hasRun = loop.step(action)
        }
        return hasRun
    }

    /// Runs the oldest job of a tier, or of all tiers.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    public func runNext(qos: QoSTier? = nil) -> Bool {
        loop.startCounting()
        let job = loop.actionsOfNow().first { action in
            if case .job(let jobTier, _) = action { qos == nil || jobTier == qos } else { false }
        }
        return job.map { step($0) } ?? false
    }

    /// How many steps one call of ``run()``, ``advance(by:)`` or another method here may take. Default:
    /// 100,000.
    package var stepLimit: Int {
        get { loop.stepLimit }
        set { loop.stepLimit = newValue }
    }

    // MARK: What has happened

    /// What has happened so far, in this order; of more than 10,000 steps the last ones.
    public var trace: [SimulationStep] { loop.trace }

    /// How many steps are kept for the ``trace``; below 0 is 0. Default: 10,000.
    package var traceLimit: Int {
        get { loop.traceLimit }
        set { loop.traceLimit = newValue }
    }

    /// The trace, a step a line: for the message of a test that fails.
    public var transcript: String { trace.map(\.description).joined(separator: "\n") }
}

/// A serial queue of a ``Simulation``'s pool. Its jobs wait until the simulation lets them run, on the thread
/// that it runs on. *Thread-safe*: any thread may submit.
public final class SimulatedQueue: SerialQueue {
    /// `simulation.<tier>.<index>`.
    public let label: String

    /// The tier that the queue belongs to.
    public let qos: QoSTier

    private let agenda: Agenda
    private let index: Int

    init(label: String, qos: QoSTier, agenda: Agenda) {
        self.label = label
        self.qos = qos
        self.agenda = agenda
        index = agenda.addQueue(of: qos)
    }

    /// Puts a job behind those that wait.
    public func enqueue(_ job: @escaping @Sendable () -> Void) { agenda.add(job, to: index, of: qos) }

    /// True within a job of this queue, also where another step happens while the job spends time.
    public var isCurrent: Bool { agenda.isRunning(index, of: qos) }
}
