import Dispatch

/// Runs a closure on a thread that has nothing else to do, so that it may block. Does not block itself.
///
/// On Linux not by Dispatch. When the system has no thread, Dispatch has its caller sleep, which here may be
/// the supervisor or a pool's thread; in a forked child it has none at all; and its threads set their nice
/// value, which a filter may forbid.
func runElsewhere(_ body: @escaping @Sendable () -> Void) {
    #if os(Linux)
        // Without a supervisor the process has no thread of a pool, whose work the closure could hold up.
        guard let supervisor = Supervisor.current() else { return body() }
        supervisor.performElsewhere(body)
    #else
        DispatchQueue(label: "queue-pools.elsewhere").async(execute: body)
    #endif
}

/// Calls a closure, which does not block, when a time has passed.
///
/// On Linux on the supervisor's thread, so that it is called though no thread can be made.
func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    let deadline = DispatchTime.now().uptimeNanoseconds.advanced(by: delay)
    guard deadline < .max else { return }
    #if os(Linux)
        if let supervisor = Supervisor.current() {
            return supervisor.insert(
                DelayedJob(target: nil, deadline: deadline, supervisor: supervisor, body: body))
        }
    #endif
    DispatchQueue(label: "queue-pools.time-limit").asyncAfter(
        deadline: DispatchTime(uptimeNanoseconds: deadline), execute: body)
}

extension UInt64 {
    /// A time of the monotonic clock, in nanoseconds, some time later: not earlier than now, and `.max` where
    /// it would be beyond all times.
    func advanced(by delay: Duration) -> UInt64 {
        guard delay > .zero else { return self }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, isTooFar) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (deadline, isBeyond) = addingReportingOverflow(nanoseconds)
        return isTooFar || isBeyond || deadline > .max / 2
            ? .max : deadline + UInt64(attoseconds / 1_000_000_000)
    }
}
