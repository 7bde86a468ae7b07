import Foundation

/// The clocks that are measured with, in nanoseconds.
package enum Clock {
    /// The time that passes. About 30 ns a call.
    package static var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// The processor time that all threads of this process have used so far.
    package static var processorTime: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The processor time that the calling thread has used so far. About 200 ns a call.
    package static var threadTime: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    package static func sleep(microseconds: Int) {
        usleep(UInt32(microseconds))
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
