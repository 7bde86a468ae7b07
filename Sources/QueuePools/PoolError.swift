/// What a pool refuses, and why.
public struct PoolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: Hashable, Sendable {
        /// The number of queues a tier is impossible: zero, negative, or above the documented limit.
        case invalidQueueCount
        /// The label is empty or holds a NUL character, which no queue or thread name can.
        case invalidLabel
        /// The pool no longer accepts work.
        case shutDown
        /// A tier's scheduling is impossible: a nice increment or a slice that no system knows.
        case invalidScheduling
        /// The system has no thread for the work (EAGAIN), and no other thread of the tier can do it.
        case noThread
        /// The pool belongs to the process that this one was forked from; its threads remained there.
        case forked
    }

    /// What kind of refusal this is, for programs.
    public let code: Code

    /// What was wrong, in words, for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func shutDown(label: String) -> PoolError {
        PoolError(.shutDown, "the pool \"\(label)\" has been shut down and accepts no more work")
    }

    static func noThread(label: String) -> PoolError {
        PoolError(.noThread, "the system cannot make a thread for \"\(label)\" now")
    }

    static func forked(label: String) -> PoolError {
        PoolError(
            .forked, "\"\(label)\" belongs to the process that this one was forked from; make a new one")
    }
}
