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
final class Making<Value: Sendable>: Sendable {
    private let progress = Progress()
    private let value = Lock<Value?>(nil)

    /// Begins; the calling thread is the maker.
    init() {}

    /// Ends, with what was made or with nil after a failure, and lets those who wait go on. To be called once,
    /// by the maker.
    func finish(_ value: Value?) {
        self.value.withLock { $0 = value }
        progress.finish()
    }

    /// How a wait ended.
    enum Outcome {
        case made(Value)
        /// The maker failed; whoever waits may try for itself.
        case failed
        /// The maker waits, directly or through others, for the calling thread: the wait would never end.
        case endless
    }

    /// Waits until the maker has finished.
    func wait() -> Outcome {
        guard progress.wait() else { return .endless }
        return value.withLock { $0 }.map { .made($0) } ?? .failed
    }
}

/// What all makings have in common, whatever they make.
private final class Progress: Sendable {
    private let maker = ThreadIdentity.current
    private let isFinished = Atomic<Bool>(false)
    private let unfinished = DispatchGroup()

    init() { unfinished.enter() }

    func finish() {
        isFinished.store(true, ordering: .releasing)
        unfinished.leave()
    }

    /// Waits; false, at once, if that would never end.
    func wait() -> Bool {
        let thread = ThreadIdentity.current
        let mayWait = waits.withLock { waits in
            if leads(to: thread, waits) { return false }
            waits[thread] = self
            return true
        }
        guard mayWait else { return false }
        unfinished.wait()
        waits.withLock { $0[thread] = nil }
        return true
    }

    /// Whether the end of this making waits for a thread.
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
