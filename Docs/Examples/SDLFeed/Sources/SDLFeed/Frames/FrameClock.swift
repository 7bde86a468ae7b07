import Dispatch
import Glibc

/// The clock that frames are measured by: monotonic, since the system started.
enum FrameClock {
    static var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

    /// What the calling thread has had of a processor: unlike ``now`` it stands still while others have it.
    static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Sleeps until a time; returns at once if it has passed.
    static func sleep(until time: Duration) {
        while true {
            let left = time - now
            guard left > .zero else { return }
            let (seconds, attoseconds) = left.components
            var request = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            nanosleep(&request, nil)
        }
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
}
