import AsyncLayers
import QueuePoolsLocks

/// A main loop that moves by hand: work waits until the test lets it run, and time until the test moves it.
final class ManualLoop: HostLoop {
    private struct State {
        var now = Duration.seconds(1_000)
        /// The time that a look at the time takes.
        var tick = Duration.zero
        var waiting: [@MainActor @Sendable () -> Void] = []
        var timers: [(number: Int, time: Duration, work: @MainActor @Sendable () -> Void)] = []
        var lastTimer = 0
        var whileAsleep: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Lock(State())

    var now: Duration {
        state.withLock { state in
            state.now += state.tick
            return state.now
        }
    }

    /// Lets time pass from now on with each look at it.
    func setTick(_ tick: Duration) { state.withLock { $0.tick = tick } }

    func perform(_ work: @escaping @MainActor @Sendable () -> Void) {
        state.withLock { if !$0.isClosed { $0.waiting.append(work) } }
    }

    @discardableResult
    func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void) -> HostTimer {
        let number = state.withLock { state in
            state.lastTimer += 1
            state.timers.append((state.lastTimer, time, work))
            return state.lastTimer
        }
        return HostTimer { [weak self] in
            self?.state.withLock { $0.timers.removeAll { $0.number == number } }
        }
    }

    var timerCount: Int { state.withLock { $0.timers.count } }

    /// Passes the time with what the test has planned, then lets it be over.
    @MainActor
    func sleep(until time: Duration) {
        if let work = state.withLock({ $0.whileAsleep.take() }) { return work() }
        state.withLock { $0.now = max($0.now, time) }
    }

    func wake() {}

    /// Releases what waits, and what comes: work holds layers' pipelines, which hold the loop.
    func close() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.timers, state.isClosed) = ([], [], true) }
            return (state.waiting, state.timers)
        }
        withExtendedLifetime(waiting) {}
    }

    /// Plans what happens while the main thread sleeps for the next time.
    func whileAsleep(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.whileAsleep = work } }

    /// Lets time pass, without anything happening.
    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    /// Runs what waits, and the timers whose time has come.
    @MainActor
    func runAll() {
        while let work = next() { work() }
    }

    private func next() -> (@MainActor @Sendable () -> Void)? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            guard let index = state.timers.firstIndex(where: { $0.time <= state.now }) else { return nil }
            return state.timers.remove(at: index).work
        }
    }
}
