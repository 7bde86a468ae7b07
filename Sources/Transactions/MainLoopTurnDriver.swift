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
/// - **On a loop of the host's own** (``ManualTurns``): where the host says that its turn ends.
///
/// It finds out by itself which it is, each time anew. For each flush on one of the first two it prepares
///
/// - an **observer** of the run loop. One that lasts serves a single queue, which is all that nearly every program
///   has, since making one takes longer than all else here. A second queue gets an observer for each flush, and so
///   does what is committed while the lasting one is called: no observer is called within its own callout, and so
///   not in a run loop that a transaction runs. What was to come behind that transaction gets one, too, when such a
///   loop is entered;
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

    private struct State {
        /// The queues whose flush is prepared and has not begun. For each of them one observer and one block are
        /// on their way, however often it is flushed by hand meanwhile: a program whose main loop never runs
        /// gathers no more than these.
        var prepared: Set<ObjectIdentifier> = []
        /// Made with the first flush: the one that flushes, and one that sees run loops being entered.
        var lastingObservers: [Observer] = []
        /// Whom the lasting observer will flush.
        var served: TransactionQueue?
        /// True while the lasting observer flushes.
        var isServing = false
    }

    private let state = Lock(State())

    /// The queues that are being flushed, one within the other.
    @MainActor private var flushing: [TransactionQueue] = []

    /// Makes a driver. It needs no set-up, and it may be made before the main loop runs.
    public init() {}

    deinit {
        for observer in state.withLock({ $0.lastingObservers }) { observer.invalidate() }
    }

    /// Sees to a flush; wakes the main loop if it sleeps.
    public func flushAtEndOfTurn(_ queue: TransactionQueue) {
        if ManualTurns.take(queue) { return }
        // All of it under the lock: a thread that finds the flush prepared must be able to rely on it.
        // Neither the observer nor the block runs in here, and they are called without a lock of the run
        // loop.
        state.withLock { state in
            if state.prepared.insert(ObjectIdentifier(queue)).inserted { prepareFlush(of: queue, &state) }
        }
    }

    private func prepareFlush(of queue: TransactionQueue, _ state: inout State) {
        if state.served == nil, !state.isServing {
            state.served = queue
            if state.lastingObservers.isEmpty {
                state.lastingObservers = [
                    Observer(.endsOfTurns, repeats: true, order: Self.order) { [weak self] in self?.serve() },
                    Observer(.entries, repeats: true, order: Self.order) { [weak self] in
                        self?.prepareRemainders()
                    },
                ]
            }
            flushWithoutRunLoop { [self] in
                if takeServed(queue) { flush(queue) }
            }
        } else {
            let observer = Observer(.endsOfTurns, repeats: false, order: Self.order) { [self] in
                flush(queue)
            }
            flushWithoutRunLoop { [self] in
                observer.invalidate()
                flush(queue)
            }
        }
        CFRunLoopWakeUp(CFRunLoopGetMain())
    }

    /// The lasting observer is called.
    @MainActor
    private func serve() {
        let served = state.withLock { state in
            defer { state.served = nil }
            state.isServing = state.served != nil
            return state.served
        }
        guard let served else { return }
        flush(served)
        state.withLock { $0.isServing = false }
    }

    /// A run loop is entered, within a transaction perhaps: sees to what is behind it.
    @MainActor
    private func prepareRemainders() {
        for queue in flushing where queue.hasRemainder { flushAtEndOfTurn(queue) }
    }

    private func takeServed(_ queue: TransactionQueue) -> Bool {
        state.withLock { state in
            guard state.served === queue else { return false }
            state.served = nil
            return true
        }
    }

    private func flushWithoutRunLoop(_ flush: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async {
            if !Self.isRunLoopRunning { flush() }
        }
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
        _ = state.withLock { $0.prepared.remove(ObjectIdentifier(queue)) }
        flushing.append(queue)
        queue.flush()
        flushing.removeLast()
    }
}

/// An observer of the main run loop, in the common modes.
private final class Observer: @unchecked Sendable {  // run loops and observers may be used from any thread
    enum Occasion {
        /// The loop is about to sleep or to return.
        case endsOfTurns
        /// The loop has been entered.
        case entries

        var activities: CFRunLoopActivity { self == .entries ? .entry : [.beforeWaiting, .exit] }
    }

    private let observer: CFRunLoopObserver?

    init(_ occasion: Occasion, repeats: Bool, order: CFIndex, _ body: @escaping @MainActor () -> Void) {
        let activities = occasion.activities.rawValue
        observer = CFRunLoopObserverCreateWithHandler(nil, activities, repeats, order) { _, _ in
            MainActor.assumeIsolated { body() }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
    }

    func invalidate() { CFRunLoopObserverInvalidate(observer) }
}
