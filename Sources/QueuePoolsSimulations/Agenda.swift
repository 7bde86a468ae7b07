import QueuePoolsLocks
import QueuePools

/// What may happen now, what will happen when, and the time. *Thread-safe.*
final class Agenda: Sendable {
    typealias MainWork = @MainActor @Sendable () -> Void
    typealias Job = @Sendable () -> Void

    /// No time is further away, so that adding to a time cannot overflow before that has been done 2²⁶ times.
    static let longest = Duration.seconds(Int64(1) << 40)

    /// Something that may happen now.
    private struct Waiting<Work: Sendable>: Sendable {
        /// By the order in which it became possible.
        let number: UInt64
        let work: Work
    }

    /// Something that will happen.
    private struct Planned<Work: Sendable>: Sendable {
        let time: Duration
        let work: Work
    }

    private struct Timer: Sendable {
        let id: UInt64
        let work: MainWork
    }

    private struct Queue: Sendable {
        let tier: QoSTier
        let index: Int
        var jobs: [Waiting<Job>] = []
        var isRunning = false
    }

    private struct State: Sendable {
        var now = Duration.zero
        /// True when the simulation is deinitialized: nothing happens any more, and nothing is kept. Time
        /// still advances for those that wait for it.
        var isClosed = false
        var lastNumber: UInt64 = 0
        /// Set while the turn has something to flush.
        var turn: UInt64?
        var mainQueue: [Waiting<MainWork>] = []
        var dueTimers: [Waiting<Timer>] = []
        var queues: [Queue] = []
        /// Earliest first; of equal times in the order in which they were planned. So are the events.
        var timers: [Planned<Timer>] = []
        var lastTimer: UInt64 = 0
        var events: [Planned<Job>] = []
        var isAwake = false

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }

        func queueIndex(_ index: Int, of tier: QoSTier) -> Int? {
            queues.firstIndex { $0.index == index && $0.tier == tier }
        }

        mutating func moveDueTimers() {
            while let timer = timers.first, timer.time <= now {
                timers.removeFirst()
                dueTimers.append(Waiting(number: nextNumber(), work: timer.work))
            }
        }
    }

    private let state = Lock(State())

    private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result? {
        state.withLock { state in state.isClosed ? nil : body(&state) }
    }

    private func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    /// Releases everything that has not happened.
    func close() {
        // Outside of the lock: what is released may add more.
        let remains = state.withLock { state in
            defer { state = State(now: state.now, isClosed: true) }
            return state
        }
        withExtendedLifetime(remains) {}
    }

    // MARK: Time

    var now: Duration { read(\.now) }

    /// Advances the time; never moves it back.
    func advance(to time: Duration) {
        state.withLock { state in
            state.now = max(state.now, time)
            state.moveDueTimers()
        }
    }

    /// When something is planned next that is not due yet.
    var nextTime: Duration? {
        read { state in [state.timers.first?.time, state.events.first?.time].compactMap(\.self).min() }
    }

    func wake() { update { $0.isAwake = true } }

    /// Whether the main thread was woken since the last call.
    func takeWakeUp() -> Bool {
        update { state in
            defer { state.isAwake = false }
            return state.isAwake
        } ?? false
    }

    // MARK: Adding

    func addQueue(of tier: QoSTier) -> Int {
        update { state in
            let index = state.queues.count { $0.tier == tier }
            state.queues.append(Queue(tier: tier, index: index))
            return index
        } ?? 0
    }

    func add(_ job: @escaping Job, to queue: Int, of tier: QoSTier) {
        update { state in
            guard let index = state.queueIndex(queue, of: tier) else { return }
            state.queues[index].jobs.append(Waiting(number: state.nextNumber(), work: job))
        }
    }

    func addToMainQueue(_ work: @escaping MainWork) {
        update { $0.mainQueue.append(Waiting(number: $0.nextNumber(), work: work)) }
    }

    /// Returns the timer's number.
    func addTimer(at time: Duration, _ work: @escaping MainWork) -> UInt64 {
        update { state in
            state.lastTimer += 1
            Self.plan(Timer(id: state.lastTimer, work: work), at: time, in: &state.timers)
            state.moveDueTimers()
            return state.lastTimer
        } ?? 0
    }

    /// Releases a timer, unless it has fired.
    func cancelTimer(_ id: UInt64) {
        let former = update { state in
            defer {
                state.timers.removeAll { $0.work.id == id }
                state.dueTimers.removeAll { $0.work.id == id }
            }
            return (state.timers, state.dueTimers)
        }
        withExtendedLifetime(former) {}
    }

    func addEvent(at time: Duration, _ event: @escaping Job) {
        update { Self.plan(event, at: time, in: &$0.events) }
    }

    private static func plan<Work: Sendable>(
        _ work: Work, at time: Duration, in planned: inout [Planned<Work>]
    ) {
        let index = planned.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        planned.insert(Planned(time: time, work: work), at: index)
    }

    func turnHasBegun() {
        update { state in
            if state.turn == nil { state.turn = state.nextNumber() }
        }
    }

    // MARK: What may happen

    /// What may happen now, in the order in which it became possible.
    ///
    /// - Parameter hasTurn: whether there is something to flush; the test may have done so by hand.
    func possibleActions(isMainBusy: Bool, hasTurn: Bool, withoutJobs: Bool) -> [SimulationAction] {
        let actions: [(number: UInt64, action: SimulationAction)] = read { state in
            var actions: [(number: UInt64, action: SimulationAction)] = []
            if !isMainBusy {
                if hasTurn, let number = state.turn { actions.append((number, .flush)) }
                if let first = state.mainQueue.first { actions.append((first.number, .mainQueue)) }
                if let first = state.dueTimers.first { actions.append((first.number, .timer)) }
            }
            guard !withoutJobs else { return actions }
            for queue in state.queues where !queue.isRunning {
                guard let first = queue.jobs.first else { continue }
                actions.append((first.number, .job(queue.tier, queue: queue.index)))
            }
            return actions
        }
        return actions.sorted { $0.number < $1.number }.map(\.action)
    }

    func takeTurn() { update { $0.turn = nil } }

    func takeMainWork() -> MainWork? {
        update { $0.mainQueue.isEmpty ? nil : $0.mainQueue.removeFirst().work } ?? nil
    }

    func takeTimer() -> MainWork? {
        update { $0.dueTimers.isEmpty ? nil : $0.dueTimers.removeFirst().work.work } ?? nil
    }

    /// An event whose time has come.
    func takeEvent() -> Job? {
        update { state in
            guard let event = state.events.first, event.time <= state.now else { return nil }
            return state.events.removeFirst().work
        } ?? nil
    }

    /// A queue's oldest job; the queue is running from now on.
    func takeJob(of tier: QoSTier, queue: Int) -> Job? {
        update { state in
            guard let index = state.queueIndex(queue, of: tier), !state.queues[index].jobs.isEmpty else {
                return nil
            }
            state.queues[index].isRunning = true
            return state.queues[index].jobs.removeFirst().work
        } ?? nil
    }

    func jobHasEnded(of tier: QoSTier, queue: Int) {
        update { state in
            if let index = state.queueIndex(queue, of: tier) { state.queues[index].isRunning = false }
        }
    }

    func isRunning(_ queue: Int, of tier: QoSTier) -> Bool {
        read { state in state.queueIndex(queue, of: tier).map { state.queues[$0].isRunning } ?? false }
    }
}
