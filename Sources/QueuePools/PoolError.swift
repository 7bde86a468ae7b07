/// What a pool or a queue refuses, and why.
public struct PoolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: Hashable, Sendable {
        /// The number of queues a tier is impossible: zero, negative, or above the documented limit.
        case invalidQueueCount
        /// The label is empty or holds a NUL character, which no queue or thread name can.
        case invalidLabel
        /// The pool, or the pool of the queue, was shut down and accepts no more work.
        case shutDown
        /// A tier's scheduling is impossible: a nice increment or a slice that no system knows.
        case invalidScheduling
        /// The system has no thread for the work (EAGAIN), and no other thread of the tier can do it.
        case noThread
        /// The pool or queue belongs to the process that this one was forked from; its threads remained there.
        case forked
    }

    /// What kind of refusal this is, for programs.
    public let code: Code

    /// What was wrong, in words, for people; for `.shutDown`, `.noThread` and `.forked` with the label of the pool or
    /// queue that refuses.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The pool or queue that refuses the work.
    enum Subject: CustomStringConvertible {
        case pool(label: String)
        case queue(label: String)

        var description: String {
            switch self {
            case .pool(let label): "the pool \"\(label)\""
            case .queue(let label): "the queue \"\(label)\""
            }
        }
    }

    static func shutDown(_ subject: Subject) -> PoolError {
        PoolError(.shutDown, "\(subject) has been shut down and accepts no more work")
    }

    static func noThread(_ subject: Subject) -> PoolError {
        PoolError(.noThread, "the system cannot make a thread for \(subject) now")
    }

    static func forked(_ subject: Subject) -> PoolError {
        PoolError(
            .forked, "\(subject) belongs to the process that this one was forked from; make a new one")
    }
}
