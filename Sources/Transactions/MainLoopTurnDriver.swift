import Locks
import CoreFoundation
import Dispatch
import Foundation

/// Flushes at the end of the main loop's turn, in programs on the main run loop and in those that have none.
///
/// - **On the main run loop** (`RunLoop.main.run()`, `CFRunLoopRun()`, an application kit): when the loop is about
///   to sleep or to return, in the common modes, after all other observers (order 0xFFFFFF; Core Animation commits
///   at 2,000,000). All else of the turn has happened by then.
/// - **On `dispatchMain()` or `@main async`**: on the main queue, behind what was queued there when the first
///   transaction of the turn was committed.
///
/// It finds out by itself which it is. Under a run loop, both an observer and a block on the main queue look after
/// each flush, because neither sees all cases:
///
/// | what happens | observer | block |
/// |---|---|---|
/// | the loop turns | flushes | finds nothing left to do |
/// | another thread commits while the loop sleeps | flushes, once the block has woken the loop | wakes the loop |
/// | no run loop is running | never comes | flushes |
/// | a nested run loop inside a transaction | does not come inside its own callout | flushes |
/// | the loop is polled with no time to wait | comes at the exit of each poll | |
///
/// So the block flushes when no run loop is running, and when the observer is busy; otherwise it leaves the flush
/// to the observer, which is sure to come: a running loop either sleeps or returns.
///
/// *Thread-safe.*
public final class MainLoopTurnDriver: TurnDriver {
    /// After every other observer of the main loop, as far as anybody knows.
    private static let order: CFIndex = 0xFF_FFFF

    private struct State: Sendable {
        var waiting: [TransactionQueue] = []
        var hasObserver = false
        /// How many callouts of the observer are on the stack.
        var callouts = 0
    }

    private let state = Lock(State())

    /// Makes a driver. It needs no set-up; the observer is installed at the first commit.
    public init() {}

    /// Sees to a flush; wakes the main loop if it sleeps.
    public func flushAtEndOfTurn(_ queue: TransactionQueue) {
        let needsObserver = state.withLock { state in
            state.waiting.append(queue)
            defer { state.hasObserver = true }
            return !state.hasObserver
        }
        if needsObserver { installObserver() }
        DispatchQueue.main.async { self.mainQueueBlock() }
    }

    private func installObserver() {
        let activities = CFRunLoopActivity([.beforeWaiting, .exit]).rawValue
        let observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, Self.order) { [self] _, _ in
            MainActor.assumeIsolated { observerCallout() }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    }

    @MainActor
    private func observerCallout() {
        state.withLock { $0.callouts += 1 }
        flush()
        state.withLock { $0.callouts -= 1 }
    }

    @MainActor
    private func mainQueueBlock() {
        let isInCallout = state.withLock { $0.callouts > 0 }
        let isLoopRunning = CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil
        if isInCallout || !isLoopRunning { flush() }
    }

    @MainActor
    private func flush() {
        let queues = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for queue in queues { queue.flush() }
    }
}
