/// The refusal of a pool or a queue, and its reason.
public struct PoolError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of refusal. Later versions may add some, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The number of queues a tier is impossible: zero, negative, or above the documented limit.
        public static var invalidQueueCount: Self { Self(kind: .invalidQueueCount) }
        /// The label is empty or holds a NUL character.
        public static var invalidLabel: Self { Self(kind: .invalidLabel) }
        /// The pool, or the pool of the queue, was shut down and accepts no more work.
        public static var shutDown: Self { Self(kind: .shutDown) }
        /// A capacity is impossible: zero, negative, or above the documented limit; or a negative number of
        /// calls may wait for room (``FullTierPolicy/wait(atMost:)``).
        public static var invalidCapacity: Self { Self(kind: .invalidCapacity) }
        /// A value of ``JobObservation`` is impossible.
        public static var invalidObservation: Self { Self(kind: .invalidObservation) }
        /// As many jobs wait as the tier's ``QueuePoolOptions/capacity`` allows, or as many inputs are
        /// in a ``JobPipeline`` as its limit allows.
        public static var full: Self { Self(kind: .full) }
        /// The job, or the next stage of a pipeline's, had not begun at the time given as `startBy` or
        /// `finishBy`.
        public static var expired: Self { Self(kind: .expired) }
        /// The job was cancelled before it, or the next stage of a pipeline's, began, by another task than
        /// the one that awaits it.
        public static var cancelled: Self { Self(kind: .cancelled) }
        /// A shutdown had not ended at its time limit. Jobs continue.
        public static var timeLimit: Self { Self(kind: .timeLimit) }
        /// A scheduling is impossible: a nice increment or a slice that no system has.
        public static var invalidScheduling: Self { Self(kind: .invalidScheduling) }
        /// A value of ``ThreadOptions``, or of ``WorkerOptions/threadsPerTier``, is impossible.
        public static var invalidThreads: Self { Self(kind: .invalidThreads) }
        /// The system has no thread for the work (EAGAIN), and no other thread of the tier can do it.
        public static var noThread: Self { Self(kind: .noThread) }
        /// This process was forked from one that has pools, whose threads remained there.
        public static var forked: Self { Self(kind: .forked) }

        /// The name, such as "invalidQueueCount".
        public var description: String { kind.rawValue }

        private let kind: Kind

        private enum Kind: String {
            case invalidQueueCount, invalidLabel, shutDown, invalidCapacity, invalidObservation, full,
                expired, cancelled, timeLimit, invalidScheduling, invalidThreads, noThread, forked
        }
    }

    /// The kind of refusal, for programs.
    public let code: Code

    private let subject: Subject

    /// Describes impossible arguments.
    init(_ code: Code, _ reason: String) {
        self.code = code
        subject = .arguments(reason)
    }

    /// Describes a refusal of work. Allocates nothing, because refusals are frequent under overload.
    init(_ code: Code, by subject: Subject) {
        self.code = code
        self.subject = subject
    }

    static func checkLabel(_ label: String) throws(PoolError) {
        guard !label.isEmpty, !label.utf8.contains(0) else {
            throw PoolError(.invalidLabel, "a label must not be empty nor hold a NUL character")
        }
    }

    enum Subject: Hashable, Sendable {
        case arguments(_ reason: String)
        case pool(label: String)
        case queue(label: String)
        case pipeline
    }

    /// The reason in words, for people; for refused work, with the label of the pool or the queue.
    public var description: String {
        let name =
            switch subject {
            case .arguments(let reason): reason
            case .pool(let label): "the pool \"\(label)\""
            case .queue(let label): "the queue \"\(label)\""
            case .pipeline: "the pipeline"
            }
        return switch code {
        case .full where subject == .pipeline: "\(name) is full: as many inputs are in it as its limit allows"
        case .full: "\(name) is full: as many jobs wait as its capacity allows"
        case .shutDown: "\(name) has been shut down and accepts no more work"
        case .expired: "the job of \(name) had not begun when its time had come"
        case .cancelled: "the job of \(name) was cancelled before it began"
        case .timeLimit: "jobs of \(name) still ran at the time limit of its shutdown"
        case .noThread: "the system cannot make a thread for \(name) now"
        case .forked: "\(name) runs nothing in a process that was forked from one with pools; call exec there"
        default: name
        }
    }
}

/// Refusals in patterns: `catch PoolError.full { … }`. In a `for` loop of a function that throws any error,
/// add a last `catch { throw error }`: without a `catch` that takes all, Swift 6.3.1 fails to compile such a
/// `do`, whatever the type of its errors.
extension PoolError {
    /// ``Code/full``, for patterns.
    public static var full: Code { .full }
    /// ``Code/expired``, for patterns.
    public static var expired: Code { .expired }
    /// ``Code/cancelled``, for patterns.
    public static var cancelled: Code { .cancelled }
    /// ``Code/shutDown``, for patterns.
    public static var shutDown: Code { .shutDown }
    /// ``Code/timeLimit``, for patterns.
    public static var timeLimit: Code { .timeLimit }
    /// ``Code/noThread``, for patterns.
    public static var noThread: Code { .noThread }
    /// ``Code/forked``, for patterns.
    public static var forked: Code { .forked }
}

extension PoolError.Code {
    /// Whether an error is a ``PoolError`` with this code, for patterns.
    public static func ~= (code: Self, error: some Error) -> Bool { (error as? PoolError)?.code == code }
}
