import QueuePoolsLocks

/// Calls a closure, which may run any code, on a thread that several calls share, and returns without waiting
/// for it. A closure that takes longer than a millisecond does not delay those of other calls: these get
/// another thread.
func runBeside(_ body: @escaping @Sendable () -> Void) {
    let (needsThread, needsWatch) = helpers.withLock { $0.append(body) }
    if needsThread { runElsewhere(callBodies) }
    if needsWatch { watch(taken: nil) }
}

/// The closures that wait for a thread of ``runBeside(_:)``, and the threads.
private struct Helpers {
    private var bodies: [@Sendable () -> Void] = []
    /// How many of `bodies` were taken.
    private var taken = 0
    /// How many were taken in all.
    private var takenEver: UInt64 = 0
    /// The threads that call closures, or are being made for that.
    private var threads = 0
    private var isWatched = false
    private static let threadLimit = 16

    mutating func append(_ body: @escaping @Sendable () -> Void) -> (needsThread: Bool, needsWatch: Bool) {
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
        return bodies[taken]
    }

    enum Finding { case isEmpty, isStuck, advances(taken: UInt64) }

    /// Looks whether the threads continue, and counts another one if none has taken a closure since.
    mutating func look(taken before: UInt64?) -> Finding {
        guard taken < bodies.count else {
            isWatched = false
            return .isEmpty
        }
        guard before == takenEver, threads < Self.threadLimit else { return .advances(taken: takenEver) }
        threads += 1
        return .isStuck
    }
}

private let helpers = Lock(Helpers())

private func callBodies() { while let body = helpers.withLock({ $0.take() }) { body() } }

/// Looks each millisecond while closures wait.
private func watch(taken: UInt64?) {
    _ = systemCall(after: .milliseconds(1)) {
        switch helpers.withLock({ $0.look(taken: taken) }) {
        case .isEmpty: break
        case .advances(let taken): watch(taken: taken)
        case .isStuck:
            runElsewhere(callBodies)
            watch(taken: nil)
        }
    }
}
