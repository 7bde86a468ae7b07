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

    /// Runs frames at the ticks of a display: each ends when its turn has.
    ///
    /// - Parameters:
    ///   - host: is told that the program's code of the turn has run.
    ///   - begin: what the frame's turn does, given the frame's number and the time of its tick.
    ///   - end: called when the turn has ended, outside of the frame's time.
    /// - Returns: the hitch time in milliseconds a second.
    static func runFrames(
        _ count: Int, host: (any LayerHost)? = nil, begin: (_ frame: Int, _ time: UInt64) throws -> Void,
        end: (_ time: UInt64) -> Void
    ) rethrows -> Double {
        var ticks = FrameTicks(origin: Clock.now + 20_000_000)
        for frame in 0..<count {
            run(until: ticks.next)
            try begin(frame, ticks.next)
            host?.endTurn()
            turn()
            let now = Clock.now
            ticks.endFrame(at: now)
            end(now)
        }
        return ticks.hitches
    }

    /// Runs until something is true.
    ///
    /// - Parameter what: what that is, for the error that is thrown if it takes ten seconds.
    static func run(until what: String, _ isTrue: () -> Bool) throws {
        let deadline = Clock.now + 10_000_000_000
        while !isTrue() {
            guard Clock.now < deadline else { throw MeasuringError("waited 10 s until \(what)") }
            run(until: Clock.now + 500_000)
        }
    }

    /// Runs until the process has come to rest: what one measurement has left on queues must not become work
    /// of the next one. Throws after ten seconds.
    static func settle() {
        let deadline = Clock.now + 10_000_000_000
        var calm = 0
        while calm < 3, Clock.now < deadline {
            let (time, used) = (Clock.now, Clock.processorTime)
            run(until: time + 2_000_000)
            let isIdle = (Clock.processorTime - used) * 10 < Clock.now - time
            // The loop's own timers have a thread, which has just told it that the time is up.
            Clock.sleep(microseconds: 500)
            calm = isIdle && ThreadStates.othersSleep ? calm + 1 : 0
        }
    }
}
