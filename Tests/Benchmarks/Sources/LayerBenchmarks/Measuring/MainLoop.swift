import BenchmarkHarness
import CoreFoundation
import Foundation

/// Drives the main run loop, the same way for every contender.
@MainActor
enum MainLoop {
    /// One turn without sleeping: what is on the main queue runs, and the observers of the turn's end.
    static func turn() {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
    }

    /// Sleeps until something comes for the main thread, and handles it.
    static func handleNext() {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, true)
    }

    /// Handles what comes, until a time of the clock.
    static func run(until time: UInt64) {
        while true {
            let now = Clock.now
            guard now < time else { return }
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, Double(time - now) / 1e9, false)
        }
    }

    /// Runs until the process has come to rest: what one measurement has left on queues must not become work
    /// of the next one. Gives up after ten seconds.
    static func settle() {
        let deadline = Clock.now + 10_000_000_000
        var calm = 0
        while calm < 3, Clock.now < deadline {
            let (time, used) = (Clock.now, Clock.processorTime)
            run(until: time + 2_000_000)
            calm = (Clock.processorTime - used) * 10 < Clock.now - time ? calm + 1 : 0
        }
    }
}
