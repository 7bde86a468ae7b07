import QueuePoolsLocks

/// Calls closures, which may run any code, on threads that several calls share, in the order of the calls. A
/// thread is made when a closure comes and none is there, and ends when none is left.
///
/// A closure that takes longer than a millisecond does not delay the others while there may be another
/// thread: they get one.
final class HelperThreads: Sendable {
    /// For the ends of jobs at their times. All of the process share them: so as many that do not return
    /// delay those of all pools.
    static let ofEnds = HelperThreads(atMost: 16)

    private let state = Lock(State())
    private let limit: Int

    /// - Parameter limit: how many threads there are at most. With one, calls end in their order, too.
    init(atMost limit: Int) { self.limit = limit }

    /// Calls a closure on one of the threads. Returns without waiting for it, or for a thread.
    func call(_ body: @escaping @Sendable () -> Void) {
        let (needsThread, needsWatch) = state.withLock { $0.append(body) }
        if needsThread { runElsewhere(callBodies) }
        if needsWatch, limit > 1 { watch(taken: nil) }
    }

    private func callBodies() { while let body = state.withLock({ $0.take() }) { body() } }

    /// Looks each millisecond while closures wait.
    private func watch(taken: UInt64?) {
        _ = systemCall(after: .milliseconds(1)) { [self] in
            switch state.withLock({ $0.look(taken: taken, limit: limit) }) {
            case .isEmpty: break
            case .advances(let taken): watch(taken: taken)
            case .isStuck:
                runElsewhere(callBodies)
                watch(taken: nil)
            }
        }
    }

    /// The closures that wait for a thread, and the threads.
    private struct State {
        /// Nil where one was taken: it is released when it has returned.
        private var bodies: [(@Sendable () -> Void)?] = []
        /// How many of `bodies` were taken.
        private var taken = 0
        /// How many were taken in all.
        private var takenEver: UInt64 = 0
        /// The threads that call closures, or are being made for that.
        private var threads = 0
        private var isWatched = false

        mutating func append(
            _ body: @escaping @Sendable () -> Void
        ) -> (needsThread: Bool, needsWatch: Bool) {
            bodies.append(body)
            defer { (threads, isWatched) = (max(threads, 1), true) }
            return (threads == 0, !isWatched)
        }

        /// The next closure for a thread; nil if it is to end.
        mutating func take() -> (@Sendable () -> Void)? {
            guard taken < bodies.count else {
                threads -= 1
                (bodies, taken) = ([], 0)
                return nil
            }
            defer { (taken, takenEver) = (taken + 1, takenEver &+ 1) }
            return bodies[taken].take()
        }

        enum Finding { case isEmpty, isStuck, advances(taken: UInt64) }

        /// Looks whether the threads continue, and counts another one if none has taken a closure since.
        mutating func look(taken before: UInt64?, limit: Int) -> Finding {
            guard taken < bodies.count else {
                isWatched = false
                return .isEmpty
            }
            guard before == takenEver, threads < limit else { return .advances(taken: takenEver) }
            threads += 1
            return .isStuck
        }
    }
}
