import Dispatch

#if os(Linux)
    import CQueuePoolsThreads
#endif

/// Calls a closure, which does not block, when a time has passed; on Linux on the supervisor's thread.
///
/// - Returns: the call, which can be cancelled; nil if it would never come.
func systemCall(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> PoolJob? {
    systemCall(at: monotonicNanoseconds().advanced(by: delay), body)
}

/// The same at a time of the monotonic clock.
func systemCall(at deadline: UInt64, _ body: @escaping @Sendable () -> Void) -> PoolJob? {
    guard deadline < .max else { return nil }
    #if os(Linux)
        if let supervisor = Supervisor.current() {
            let job = DelayedJob(at: deadline, by: supervisor, body)
            supervisor.insert(job)
            return PoolJob(owner: job)
        }
    #endif
    let timer = DispatchTimer(body)
    DispatchQueue(label: "queue-pools.time-limit").asyncAfter(
        deadline: DispatchTime(uptimeNanoseconds: deadline), execute: timer.item)
    return PoolJob(owner: timer)
}

private final class DispatchTimer: JobOwner, @unchecked Sendable {  // constant; the item is thread-safe
    let item: DispatchWorkItem

    init(_ body: @escaping @Sendable () -> Void) { item = DispatchWorkItem(block: body) }

    /// True also if the timer has fired: no caller looks.
    func cancel(_: JobPlace) -> Bool {
        item.cancel()
        return true
    }
}

/// The time of the monotonic clock, which stops while the machine sleeps.
func monotonicNanoseconds() -> UInt64 {
    #if os(Linux)
        cqp_monotonic_nanoseconds()
    #else
        DispatchTime.now().uptimeNanoseconds
    #endif
}

/// A counter that is read in a few nanoseconds, and for which the processor does not wait until its earlier
/// computations have ended. Threads that move to another processor may see it go back.
@inline(__always)
func ticks() -> UInt64 {
    #if os(Linux)
        cqp_ticks()
    #else
        monotonicNanoseconds()
    #endif
}

/// How many ticks are in a short time, in nanoseconds. Takes some 20 µs.
func ticks(in time: UInt64) -> UInt64 {
    // The least of several, because the system may suspend the thread between two readings.
    let ratios = (0..<4).map { _ in
        let (first, start) = (ticks(), monotonicNanoseconds())
        var now = start
        while now < start + 5_000 { now = monotonicNanoseconds() }
        return Double(ticks() &- first) / Double(now - start)
    }
    return UInt64(Double(time) * (ratios.min() ?? 1))
}

extension UInt64 {
    /// A later time of the monotonic clock, in nanoseconds: not before now, and `.max` if out of range.
    func advanced(by delay: Duration) -> UInt64 {
        guard delay > .zero else { return self }
        // `components` traps beyond 2⁶³ seconds.
        guard delay < .seconds(Int64.max) else { return .max }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, isTooFar) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (deadline, isBeyond) = addingReportingOverflow(nanoseconds)
        return isTooFar || isBeyond || deadline > .max / 2
            ? .max : deadline + UInt64(attoseconds / 1_000_000_000)
    }
}
