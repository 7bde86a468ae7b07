import Dispatch
import QueuePoolsLocks
import Synchronization

/// A value that one thread makes while others wait for it. *Thread-safe.*
///
/// Makers may need other flights, so threads could wait in a cycle:
///
///     thread 1                         thread 2
///     makes A, needs B                 makes B, needs A
///     waits for thread 2               would wait for thread 1: refused
///
/// So ``waits`` holds what each thread waits for, and before a thread waits it follows the entries: from the
/// maker to what that thread waits for, to its maker, and so on. If they lead back, the wait would never end.
/// The search and the new entry are one step under one lock for all caches, so of the threads in a cycle the
/// last one sees the others. Only waiting takes this lock; making does not.
final class SingleFlight<Value: Sendable>: Flight, @unchecked Sendable {
    private let made = Lock<Value?>(nil)

    /// What was made; nil before the end, and after a failure.
    var value: Value? { made.withLock { $0 } }

    /// Ends, with what was made or with nil after a failure, and wakes the threads that wait. Called once, by
    /// the maker.
    func finish(_ value: Value?) {
        made.withLock { $0 = value }
        finish()
    }
}

/// What all flights have in common, whatever type they make.
class Flight: @unchecked Sendable {  // nothing in it changes but the atomic and the group
    private let maker = ThreadIdentity.current
    private let isFinished = Atomic<Bool>(false)
    private let unfinished = DispatchGroup()

    /// Begins; the calling thread is the maker.
    init() { unfinished.enter() }

    fileprivate func finish() {
        isFinished.store(true, ordering: .releasing)
        unfinished.leave()
    }

    /// Waits until the maker has finished, or `isCancelled`, called at each interval, returns true. Returns
    /// false, immediately, if the maker waits, directly or through others, for this thread: the wait would
    /// never end.
    ///
    /// No wake-up is lost: the group stays left once the maker has left it, so a wait that begins later, or
    /// again after an interval, returns immediately. Nothing but the clock wakes a thread that is cancelled.
    /// A draw becomes stale by a store to an atomic, and has no list of those to notify; a few wake-ups while
    /// a layout takes long cost less than a list.
    ///
    /// Invariant: ``waits`` has an entry for a thread from before its wait until after it, however the wait
    /// ends. So a cancelled thread leaves no entry, which could make a later wait look endless.
    final func wait(isCancelled: () -> Bool, every interval: DispatchTimeInterval) -> Bool {
        let thread = ThreadIdentity.current
        let mayWait = waits.withLock { waits in
            if leads(to: thread, waits) { return false }
            waits[thread] = self
            return true
        }
        guard mayWait else { return false }
        defer { waits.withLock { $0[thread] = nil } }
        while !isCancelled(), unfinished.wait(timeout: .now() + interval) == .timedOut {}
        return true
    }

    /// Whether the end of this flight waits for a thread.
    ///
    /// A woken thread may not have removed its entry yet; what it waited for has finished then, and no path
    /// leads through that. No thread has two paths, since it waits for one flight at a time; and no cycle is
    /// ever entered, so the search ends.
    private func leads(to thread: ThreadIdentity, _ waits: [ThreadIdentity: Flight]) -> Bool {
        var next: Flight? = self
        while let flight = next, !flight.isFinished.load(ordering: .acquiring) {
            if flight.maker == thread { return true }
            next = waits[flight.maker]
        }
        return false
    }
}

/// What each thread waits for, over all caches.
private let waits = Lock<[ThreadIdentity: Flight]>([:])
