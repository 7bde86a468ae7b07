import CGTK4
import Foundation
import Synchronization

/// Counts how often GLib's main loop has slept and woken up.
enum SleepCounter {
    private static let wakeUps = Atomic<Int>(0)

    /// How often by now. *Thread-safe.*
    static var count: Int { wakeUps.load(ordering: .relaxed) }

    /// Begins to count; GLib calls `poll` through a function that it lets programs replace.
    static func install() {
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            let pollfds = UnsafeMutableRawPointer(descriptors)?.assumingMemoryBound(to: pollfd.self)
            let result = poll(pollfds, nfds_t(count), timeout)
            if timeout != 0 { SleepCounter.wakeUps.wrappingAdd(1, ordering: .relaxed) }
            return result
        }
    }
}
