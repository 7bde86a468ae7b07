/// A pool's time: the system's, or that of a ``PoolClock``.
struct PoolTime: Sendable {
    /// Nil for the system's.
    let clock: (any PoolClock)?

    /// In nanoseconds.
    var now: UInt64 { clock?.now ?? monotonicNanoseconds() }

    /// The time for a time since ``JobOptions/clockStart``; `.max` for nil.
    func time(for time: Duration?) -> UInt64 {
        guard let time else { return .max }
        // Read first: between the two readings the time may only become later.
        let left = time - JobOptions.now
        return now.advanced(by: left)
    }

    /// Calls a closure, which may run any code, at a time. Nil if that is never.
    ///
    /// - Parameter threads: call it, if the time is the system's.
    func call(
        at deadline: UInt64, on threads: HelperThreads, _ body: @escaping @Sendable () -> Void
    ) -> PoolJob? {
        guard deadline < .max else { return nil }
        guard let clock else { return systemCall(at: deadline) { threads.call(body) } }
        return PoolJob(owner: ClockCall(clock.call(at: deadline, body)))
    }
}

/// The time of a pool, where that is not the system's, but moved by hand. *Thread-safe.*
package protocol PoolClock: AnyObject, Sendable {
    /// In nanoseconds.
    var now: UInt64 { get }

    /// Calls a closure, which may run any code, when a time has come; not within this call.
    func call(at deadline: UInt64, _ body: @escaping @Sendable () -> Void) -> any PoolTimer
}

/// A call of a ``PoolClock`` that has not come. *Thread-safe.*
package protocol PoolTimer: AnyObject, Sendable {
    /// Releases the closure, if it was not called.
    func cancel()
}

/// A call of a pool's own clock.
private final class ClockCall: JobOwner {
    private let timer: any PoolTimer

    init(_ timer: any PoolTimer) { self.timer = timer }

    /// True also if the call has come: no caller looks.
    func cancel(_: JobPlace) -> Bool {
        timer.cancel()
        return true
    }
}
