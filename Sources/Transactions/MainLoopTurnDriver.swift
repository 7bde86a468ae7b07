import CoreFoundation
import Dispatch
import Foundation
import Locks

/// Flushes at the end of the main loop's turn, in programs on the main run loop and in those that have none.
///
/// - **On the main run loop** (`RunLoop.main.run()`, `CFRunLoopRun()`, an application kit): when the loop is
///   about to sleep or to return, in the common modes, after all other observers (order 0xFFFFFF; Core
///   Animation commits at 2,000,000). All else of the turn has happened by then. What the turn itself puts on
///   the main queue may belong to the next turn.
/// - **On `dispatchMain()` or `@main async`**: on the main queue, behind what was queued there when the first
///   transaction of the turn was committed.
///
/// - **On a loop of the host's own** (``HostTurns``): where the host says that its turn ends.
///
/// It finds out by itself which it is, each time anew. For each flush on one of the first two it prepares
///
/// - an **observer** of the run loop, for this flush only. A lasting one would not come in a run loop that a
///   transaction runs, because an observer is not called within its own callout;
/// - a **block** on the main queue, which flushes where no run loop runs. Where one does, it leaves the flush
///   to the observer, which is sure to come: the loop either sleeps or returns. A loop that is only polled,
///   with no time to sleep, returns from each poll;
/// - a **wake-up** of the run loop. The block alone does not wake a loop that runs within another block of
///   the main queue.
///
/// In a mode that is not among the common modes nothing is flushed until the loop leaves it.
///
/// *Thread-safe.*
public final class MainLoopTurnDriver: TurnDriver {
    /// After every other observer of the main loop, as far as anybody knows.
    private static let order: CFIndex = 0xFF_FFFF

    /// The queues whose flush is prepared and has not begun. For each of them one observer and one block are
    /// on their way, however often it is flushed by hand meanwhile: a program whose main loop never runs
    /// gathers no more than these.
    private let prepared = Lock<Set<ObjectIdentifier>>([])

    /// Makes a driver. It needs no set-up, and it may be made before the main loop runs.
    public init() {}

    /// Sees to a flush; wakes the main loop if it sleeps.
    public func flushAtEndOfTurn(_ queue: TransactionQueue) {
        if HostTurns.take(queue) { return }
        // All of it under the lock: a thread that finds the flush prepared must be able to rely on it.
        // Neither the observer nor the block runs in here, and they are called without a lock of the run
        // loop.
        prepared.withLock { prepared in
            if prepared.insert(ObjectIdentifier(queue)).inserted { prepareFlush(of: queue) }
        }
    }

    private func prepareFlush(of queue: TransactionQueue) {
        let loop = CFRunLoopGetMain()
        let activities = CFRunLoopActivity([.beforeWaiting, .exit]).rawValue
        // Run loops may be used from any thread, and so may their observers; the type just does not say so.
        nonisolated(unsafe) let observer = CFRunLoopObserverCreateWithHandler(
            nil, activities, false, Self.order
        ) { [self] _, _ in
            MainActor.assumeIsolated { flush(queue) }
        }
        CFRunLoopAddObserver(loop, observer, kCFRunLoopCommonModes)
        DispatchQueue.main.async { [self] in
            guard !Self.isRunLoopRunning else { return }
            CFRunLoopObserverInvalidate(observer)
            flush(queue)
        }
        CFRunLoopWakeUp(loop)
    }

    /// Whether the main run loop is running; asked in a block of the main queue.
    ///
    /// Once `dispatchMain()` was called, the main queue is served by other threads. The run loop may have
    /// been left for good within a callout then, and still have a mode.
    private static var isRunLoopRunning: Bool {
        Thread.isMainThread && CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil
    }

    @MainActor
    private func flush(_ queue: TransactionQueue) {
        // First of all, so that a commit of one of the queue's transactions prepares the next flush.
        _ = prepared.withLock { $0.remove(ObjectIdentifier(queue)) }
        queue.flush()
    }
}
