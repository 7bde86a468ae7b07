import CoreFoundation
import Dispatch
import Foundation
import QueuePoolsLocks

/// Flushes at the end of the main loop's turn, in programs on the main run loop and in those that have none.
///
/// - **On the main run loop** (`RunLoop.main.run()`, `CFRunLoopRun()`, an application kit): when the loop is
///   about to sleep or to return, in the common modes, after all other observers (order 0xFFFFFF; Core
///   Animation commits at 2,000,000), and so after the rest of the turn. What the turn itself puts on the
///   main queue may belong to the next turn.
/// - **On `dispatchMain()` or `@main async`**: on the main queue, behind what was queued there when the first
///   transaction of the turn was committed.
/// - **On a loop of the program's own** (``ManualTurns``): where the loop ends its turn.
///
/// It detects which it is for each flush. For a flush on one of the first two it prepares
///
/// - an **observer** of the run loop. A permanent one serves a single queue, which is all that nearly every
///   program has, because making one takes longer than all else here. A second queue gets an observer for
///   each flush, and so does what is committed while the permanent one is called: no observer is called
///   within its own callout, and so not in a run loop that a transaction runs. The transactions behind that
///   one also get one, when such a loop is entered;
/// - a **block** on the main queue, which flushes where no run loop runs. Where one does, it leaves the flush
///   to the observer, which is sure to be called: the loop either sleeps or returns. A loop that is only
///   polled, with no time to sleep, returns from each poll;
/// - a **wake-up** of the run loop. The block alone does not wake a loop that runs within another block of
///   the main queue.
///
/// In a mode that is not among the common modes nothing is flushed until the loop leaves it.
///
/// *Thread-safe.*
public final class MainLoopTurnDriver: TurnDriver {
    /// After every other known observer of the main loop.
    private static let order: CFIndex = 0xFF_FFFF

    private struct State {
        /// The queues whose flush is prepared and has not begun. Each of them has one observer and one block,
        /// however often it is flushed by hand meanwhile: in a program whose main loop never runs no more of
        /// these accumulate.
        var prepared: Set<ObjectIdentifier> = []
        /// Made with the first flush: the one that flushes, and one that is called when run loops are
        /// entered.
        var lastingObservers: [Observer] = []
        /// The queue that the permanent observer will flush.
        var served: TransactionQueue?
        /// True while the permanent observer flushes.
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

    /// Ensures that the queue is flushed at the end of the turn. Wakes the main loop if it sleeps.
    public func flushAtEndOfTurn(_ queue: TransactionQueue) {
        if ManualTurns.take(queue) { return }
        // All of it under the lock, because a thread that finds the flush prepared must be able to rely on
        // it. Neither the observer nor the block runs in here, and they are called without a lock of the run
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

    /// The permanent observer is called.
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

    /// A run loop is entered, perhaps within a transaction: the transactions behind that one are flushed in
    /// it.
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

    /// Whether the main run loop is running; called in a block of the main queue.
    ///
    /// After `dispatchMain()`, other threads serve the main queue. The run loop may then have been left
    /// within a callout forever, and still have a mode.
    private static var isRunLoopRunning: Bool {
        Thread.isMainThread && CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil
    }

    @MainActor
    private func flush(_ queue: TransactionQueue) {
        // First, so that a commit of one of the queue's transactions prepares the next flush.
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
