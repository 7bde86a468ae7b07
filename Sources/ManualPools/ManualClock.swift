import QueuePools
import QueuePoolsLocks

/// The time of a ``ManualPool``, which a test moves. *Thread-safe.*
final class ManualClock: PoolClock {
    fileprivate struct State {
        var now: UInt64 = 0
        var nextNumber: UInt64 = 0
        /// Those that have not come, by their numbers.
        var timers: [UInt64: Timer] = [:]

        /// Takes the next timer that is due by a time, at which the time is then; or moves to that time.
        mutating func takeTimer(until end: UInt64) -> (@Sendable () -> Void)? {
            let next = timers.min { a, b in (a.value.deadline, a.key) < (b.value.deadline, b.key) }
            guard let next, next.value.deadline <= end else {
                now = max(now, end)
                return nil
            }
            now = max(now, next.value.deadline)
            return timers.removeValue(forKey: next.key)?.body
        }
    }

    fileprivate struct Timer {
        let deadline: UInt64
        let body: @Sendable () -> Void
    }

    private let state = Lock(State())

    var now: UInt64 { state.withLock { $0.now } }

    func call(at deadline: UInt64, _ body: @escaping @Sendable () -> Void) -> any PoolTimer {
        state.withLock { state in
            state.nextNumber += 1
            state.timers[state.nextNumber] = Timer(deadline: deadline, body: body)
            return Handle(clock: self, number: state.nextNumber)
        }
    }

    private final class Handle: PoolTimer {
        private let clock: ManualClock
        private let number: UInt64

        init(clock: ManualClock, number: UInt64) {
            self.clock = clock
            self.number = number
        }

        func cancel() {
            // Released after unlocking, because releasing captures may run any code.
            _ = clock.state.withLock { $0.timers.removeValue(forKey: number) }
        }
    }

    /// Moves the time on, and calls what is due, in the order of the deadlines and then of the requests.
    func advance(by duration: Duration) {
        let end = state.withLock { $0.now.saturating(adding: duration) }
        while let timer = state.withLock({ $0.takeTimer(until: end) }) { timer() }
    }
}

extension UInt64 {
    /// A later time in nanoseconds; the latest that there is if it is out of range.
    fileprivate func saturating(adding duration: Duration) -> UInt64 {
        guard duration > .zero else { return self }
        let limit = UInt64.max / 2
        guard duration < .nanoseconds(Int64.max) else { return limit }
        let (seconds, attoseconds) = duration.components
        return Swift.min(self + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000), limit)
    }
}
