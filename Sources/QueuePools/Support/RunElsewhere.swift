import Dispatch

#if os(Linux)
    import CQueuePoolsThreads
#endif

/// Runs a closure, which may block, on a thread of its own, and returns without waiting for it.
///
/// Linux does not use Dispatch here, which blocks its caller while the system has no thread, and sets its
/// threads' nice value, which a filter may forbid. If the process has no supervisor, it has no thread of a
/// pool either, and the closure runs within the call.
///
/// - Parameter isUrgent: whether the supervisor runs the closure while the system has no thread for it.
func runElsewhere(isUrgent: Bool = false, _ body: @escaping @Sendable () -> Void) {
    #if os(Linux)
        guard let supervisor = Supervisor.current() else { return body() }
        let helper = ThreadStart {
            if !cqp_current_thread().pointee.supervises { cqp_thread_set_name("pool helper") }
            body()
        }
        @Sendable func start(retryAfter delay: UInt64) {
            guard helper.start(by: { cqp_thread_start($0, $1, 0, false) }) != 0 else { return }
            if isUrgent { return helper.run() }
            supervisor.perform(after: delay) { start(retryAfter: min(2 * delay, 1_000_000_000)) }
        }
        supervisor.perform { start(retryAfter: 10_000_000) }
    #else
        DispatchQueue(label: "queue-pools.elsewhere").async(execute: body)
    #endif
}
