import Dispatch

/// Looks at this process from outside.
enum ProcessProbe {
    /// Now, in nanoseconds of a monotonic clock that stands still while the machine sleeps.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    #if !os(Linux)
        /// How many threads this process has; nil where the system is not asked.
        static var threadCount: Int? { nil }
    #endif
}
