import QueuePools
import QueuePoolsLocks

/// The time of a simulation's pool. A call that is due is an event of the simulation.
final class SimulatedClock: PoolClock {
    private let agenda: Agenda

    init(_ agenda: Agenda) { self.agenda = agenda }

    var now: UInt64 {
        let (seconds, attoseconds) = agenda.now.components
        return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
    }

    func call(at deadline: UInt64, _ body: @escaping @Sendable () -> Void) -> any PoolTimer {
        let call = Call(body)
        agenda.addEvent(at: .nanoseconds(Int64(clamping: deadline))) { call.take()?() }
        return call
    }

    /// A call that has not come, or was cancelled.
    private final class Call: PoolTimer {
        private let body: Lock<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Lock(body) }

        func take() -> (@Sendable () -> Void)? { body.withLock { $0.take() } }

        // Released after unlocking, because releasing captures may run any code.
        func cancel() { _ = take() }
    }
}
