import BenchmarkHarness
import Dispatch
import Foundation

/// Runs a piece of work on several threads that begin together.
enum Producers {
    /// Runs `body` once for each index below `count` and returns when they began. With one, on the calling
    /// thread; otherwise on threads of their own, which exist before the clock is read.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> (start: UInt64, end: UInt64) {
        guard count > 1 else {
            let start = Clock.now
            body(0)
            return (start, Clock.now)
        }
        let ready = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        for index in 0..<count {
            Thread.detachNewThread {
                ready.signal()
                gate.wait()
                body(index)
                finished.signal()
            }
        }
        for _ in 0..<count { ready.wait() }
        let start = Clock.now
        for _ in 0..<count { gate.signal() }
        for _ in 0..<count { finished.wait() }
        return (start, Clock.now)
    }

    /// Divides numbers among producers as evenly as can be.
    static func share(_ index: Int, of count: Int, among producers: Int) -> Range<Int> {
        (count * index / producers)..<(count * (index + 1) / producers)
    }
}
