import Dispatch
import Locks
import Synchronization

/// Something that one thread makes while others may wait for it. *Thread-safe.*
///
/// Waiting must not hang. Makers ask for other things while they make one, so threads could come to wait in a
/// circle:
///
///     thread 1                         thread 2
///     makes A, needs B                 makes B, needs A
///     waits for thread 2               would wait for thread 1: refused
///
/// So each thread that waits is noted in ``waits``, and before a thread waits it follows the notes: from the
/// maker to what that thread waits for, to its maker, and so on. If they lead back, the wait would never end.
/// Looking and noting are one step under one lock for all caches, so of the threads in a circle the last one
/// sees the others. Only waiting takes this lock; making does not.
final class SingleFlight<Value: Sendable>: Sendable {
    private let progress = Progress()
    private let value = Lock<Value?>(nil)

    /// Begins; the calling thread is the maker.
    init() {}

    /// Ends, with what was made or with nil after a failure, and wakes the threads that wait. To be called once,
    /// by the maker.
    func finish(_ value: Value?) {
        self.value.withLock { $0 = value }
        progress.finish()
    }

    /// How a wait ended.
    enum Outcome {
        case made(Value)
        /// The maker failed; a thread that waits may try itself.
        case failed
        /// The calling thread needs it no more.
        case cancelled
        /// The maker waits, directly or through others, for the calling thread: the wait would never end.
        case endless
    }

    /// Waits until the maker has finished, or `isCancelled` returns true, which is asked every 5 ms. Nil for never.
    func wait(isCancelled: (() -> Bool)?) -> Outcome {
        switch progress.wait(isCancelled: isCancelled) {
        case .finished: value.withLock { $0 }.map { .made($0) } ?? .failed
        case .cancelled: .cancelled
        case .endless: .endless
        }
    }
}

/// What all flights have in common, whatever they make.
private final class Progress: Sendable {
    private let maker = ThreadIdentity.current
    private let isFinished = Atomic<Bool>(false)
    private let unfinished = DispatchGroup()

    init() { unfinished.enter() }

    func finish() {
        isFinished.store(true, ordering: .releasing)
        unfinished.leave()
    }

    enum WaitResult {
        case finished
        case cancelled
        case endless
    }

    /// Waits. Returns `endless`, immediately, if the wait would never end.
    ///
    /// No wake-up is lost: the group stays left once the maker has left it, so a wait that begins later, or again after
    /// 5 ms, returns immediately. Nothing but the clock wakes a thread that is cancelled. A draw becomes stale by a store
    /// to an atomic, and has no list of those to notify; a few wake-ups while a layout takes long cost less than a list.
    ///
    /// Invariant: a thread is noted in ``waits`` from before its wait until after it, however the wait ends. So a
    /// cancelled thread leaves no note, which could make a later wait look endless.
    func wait(isCancelled: (() -> Bool)?) -> WaitResult {
        let thread = ThreadIdentity.current
        let mayWait = waits.withLock { waits in
            if leads(to: thread, waits) { return false }
            waits[thread] = self
            return true
        }
        guard mayWait else { return .endless }
        defer { waits.withLock { $0[thread] = nil } }
        guard let isCancelled else {
            unfinished.wait()
            return .finished
        }
        while !isCancelled() {
            if unfinished.wait(timeout: .now() + .milliseconds(5)) == .success { return .finished }
        }
        return .cancelled
    }

    /// Whether the end of this flight waits for a thread.
    ///
    /// A thread that was let go may not have taken its note back yet; what it waited for has finished then,
    /// and no path leads through that. Two paths from one thread there are not, since it waits for one thing
    /// at a time; and no circle is ever noted, so following them ends.
    private func leads(to thread: ThreadIdentity, _ waits: [ThreadIdentity: Progress]) -> Bool {
        var next: Progress? = self
        while let progress = next, !progress.isFinished.load(ordering: .acquiring) {
            if progress.maker == thread { return true }
            next = waits[progress.maker]
        }
        return false
    }
}

/// Who waits for what, over all caches.
private let waits = Lock<[ThreadIdentity: Progress]>([:])
