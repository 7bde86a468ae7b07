import QueuePools
import AsyncLayers
import QueuePoolsTransactions

/// The main thread's loop of a simulation, and everything beside it: one thing happens after the other, or
/// within another one that spends time.
final class SimulationLoop: HostLoop {
    let agenda = Agenda()
    let transactions: TransactionQueue

    @MainActor var order: SimulationOrder { didSet { seed() } }
    @MainActor var stepLimit = 100_000
    @MainActor var traceLimit = 10_000
    @MainActor private var storedTrace: [SimulationStep] = []

    @MainActor private var choice = SeededChoice(seed: 0)
    /// False while the main thread is free to do what waits for it. Busy at first: with the test's own code.
    @MainActor private var isMainBusy = true
    /// How many jobs are being run, one within the other.
    @MainActor private var runningJobs = 0
    @MainActor private var depth = 0
    /// Since the test's own code last called.
    @MainActor private var stepCount = 0

    @MainActor
    init(order: SimulationOrder) {
        self.order = order
        transactions = TransactionQueue(driver: ManualTurnDriver { [agenda] in agenda.turnHasBegun() })
        seed()
    }

    @MainActor
    private func seed() {
        if case .seeded(let seed) = order { choice = SeededChoice(seed: seed) }
    }

    // MARK: As layers see it

    var now: Duration { agenda.now }

    func perform(_ work: @escaping @MainActor @Sendable () -> Void) { agenda.addToMainQueue(work) }

    @discardableResult
    func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void) -> HostTimer {
        let id = agenda.addTimer(at: time, work)
        return HostTimer { [agenda] in agenda.cancelTimer(id) }
    }

    /// Lets the pool and other threads run until woken.
    @MainActor
    func sleep(until time: Duration) {
        var isAwake = agenda.takeWakeUp()
        withMain(isBusy: true) {
            pass(until: time) {
                isAwake = isAwake || agenda.takeWakeUp()
                return isAwake
            }
        }
    }

    func wake() { agenda.wake() }

    // MARK: As tests see it

    @MainActor var trace: [SimulationStep] { storedTrace.suffix(max(0, traceLimit)) }

    @MainActor
    var possibleActions: [SimulationAction] {
        // One draw at a time, unless the order may choose others.
        let isOneJobEnough = if case .firstInFirstOut = order { runningJobs > 0 } else { false }
        return agenda.possibleActions(
            isMainBusy: isMainBusy, hasTurn: transactions.hasPending, withoutJobs: isOneJobEnough)
    }

    /// What would be possible if the test's own code left the main thread.
    @MainActor
    var possibleActionsOnceFree: [SimulationAction] { withMain(isBusy: false) { possibleActions } }

    /// The same, once what was planned for now has happened.
    @MainActor
    func actionsOfNow() -> [SimulationAction] {
        withMain(isBusy: false) {
            runDueEvents()
            return possibleActions
        }
    }

    /// Does what the order chooses; false if there is nothing, or it chooses nothing.
    @MainActor
    func step() -> Bool {
        withMain(isBusy: false) {
            runDueEvents()
            guard let action = choose(canDecline: false) else { return false }
            take(action)
            return true
        }
    }

    /// Does one thing, if it is possible.
    @MainActor
    func step(_ action: SimulationAction) -> Bool {
        withMain(isBusy: false) {
            runDueEvents()
            guard possibleActions.contains(action) else { return false }
            take(action)
            return true
        }
    }

    /// Runs until nothing is left to do at this time.
    @MainActor
    func run() {
        while step() {}
    }

    /// Runs until nothing is left to do at a time, passing through all times before it.
    @MainActor
    func run(until end: Duration) {
        run()
        while now < end {
            agenda.advance(to: min(agenda.nextTime ?? end, end))
            run()
        }
    }

    /// Passes time on behalf of the caller: the main thread, if a step of it or the test's own code is being
    /// run and no job within, otherwise the innermost job.
    @MainActor
    func pass(until end: Duration, orUntil isEnough: () -> Bool = { false }) {
        startCounting()
        runDueEvents()
        while now < end, !isEnough() {
            if let action = choose(canDecline: true) {
                take(action)
            } else {
                agenda.advance(to: min(agenda.nextTime ?? end, end))
            }
            runDueEvents()
        }
    }

    @MainActor
    private func withMain<Result>(isBusy: Bool, _ body: () -> Result) -> Result {
        let wasBusy = isMainBusy
        isMainBusy = isBusy
        defer { isMainBusy = wasBusy }
        return body()
    }

    // MARK: Choosing

    @MainActor
    private func choose(canDecline: Bool) -> SimulationAction? {
        let possible = possibleActions
        guard !possible.isEmpty else { return nil }
        switch order {
        case .firstInFirstOut:
            return possible.first
        case .seeded:
            let index = choice.next(below: possible.count + (canDecline ? 1 : 0))
            return index < possible.count ? possible[index] : nil
        case .chosen(let choose):
            guard let action = choose(possible) else { return nil }
            guard possible.contains(action) else {
                fatalError(
                    "the simulation's order chose \"\(action)\", which was not possible; "
                        + "possible were \(possible)"
                )
            }
            return action
        }
    }

    // MARK: Doing

    @MainActor
    private func runDueEvents() {
        while let event = agenda.takeEvent() {
            record(.event)
            event()
        }
    }

    @MainActor
    private func take(_ action: SimulationAction) {
        record(action)
        depth += 1
        defer { depth -= 1 }
        switch action {
        case .flush:
            agenda.takeTurn()
            withMain(isBusy: true) { transactions.flush() }
        case .mainQueue:
            withMain(isBusy: true) { agenda.takeMainWork()?() }
        case .timer:
            withMain(isBusy: true) { agenda.takeTimer()?() }
        case .job(let tier, let queue):
            runningJobs += 1
            if let job = agenda.takeJob(of: tier, queue: queue) { withoutContext(job) }
            runningJobs -= 1
            agenda.jobHasEnded(of: tier, queue: queue)
        case .event:
            break
        }
    }

    /// Restarts the count of steps if the test's own code calls.
    @MainActor
    func startCounting() {
        if depth == 0 { stepCount = 0 }
    }

    @MainActor
    private func record(_ action: SimulationAction) {
        let step = SimulationStep(time: now, action: action, depth: depth)
        storedTrace.append(step)
        // Rarely, since it moves all that stays.
        if storedTrace.count / 2 >= max(traceLimit, 64) { storedTrace = trace }
        stepCount += 1
        guard stepCount > stepLimit else { return }
        fatalError(
            """
            the simulation has taken \(stepLimit) steps and there is still something to do: does a layer \
            display again whenever it has displayed? The last steps were:
            \(storedTrace.suffix(12).map(\.description).joined(separator: "\n"))
            """)
    }
}
