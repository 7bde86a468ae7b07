import Dispatch

#if os(Linux)
    import CQueuePoolsThreads
#endif

/// A queue whose jobs the calling thread runs, on its stack. A job of an outer frame's queue has called
/// `sync` on an inner frame's queue. Only Linux has frames: elsewhere queues know their jobs.
struct RunFrame {
    /// How the thread came to run the queue.
    enum Kind {
        /// It is a thread of the queue's.
        case jobs
        /// It waits for the queue's jobs, which are not part of outer frames.
        case helpedJobs
        /// It calls `sync`: the closure is a part of the job of the outer frame, if there is one.
        case call
    }

    /// Alive as long as the frame: the caller of ``around(_:_:_:)`` has a reference.
    private let queue: Unmanaged<AnyObject>
    private let kind: Kind
    private let outer: UnsafeMutableRawPointer?

    /// Calls a closure as a part of a queue, whose jobs run one at a time.
    @inline(__always)
    static func around<Result: ~Copyable>(
        _ queue: Unmanaged<some AnyObject>, _ kind: Kind = .jobs, _ body: () throws -> Result
    ) rethrows -> Result {
        #if os(Linux)
            let thread = cqp_current_thread().unsafelyUnwrapped
            var frame = RunFrame(
                queue: .fromOpaque(queue.toOpaque()), kind: kind, outer: thread.pointee.frame)
            return try withUnsafeMutablePointer(to: &frame) { frame in
                thread.pointee.frame = UnsafeMutableRawPointer(frame)
                defer { thread.pointee.frame = frame.pointee.outer }
                return try body()
            }
        #else
            return try body()
        #endif
    }

    /// Whether the caller is a job of a queue, or is called by one through `sync` on others.
    static func contains(_ queue: AnyObject) -> Bool {
        first { $0.isOf(queue) || $0.kind == .helpedJobs }?.isOf(queue) ?? false
    }

    /// Whether the calling thread holds a queue, in any frame, and so would wait for itself.
    static func isHeldByThread(_ queue: AnyObject) -> Bool { first { $0.isOf(queue) } != nil }

    /// The queue of which the calling thread runs a job, or calls `sync`.
    static var innermostQueue: AnyObject? { first { _ in true }?.queue.takeUnretainedValue() }

    /// The tier and label of the queue whose job the calling thread runs; unordered jobs have the tier's.
    static var current: (tier: QoSTier?, label: String)? {
        #if os(Linux)
            switch innermostQueue {
            case let queue as EngineQueue: return (queue.group.settings.tier, queue.label)
            case let intake as CountedIntake: return (intake.accounting.tier, intake.label)
            default: break
            }
            if let group = WorkerThread.current?.group { return (group.settings.tier, group.settings.label) }
        #endif
        return DispatchQueue.currentMark.map { ($0.tier, $0.label) }
    }

    /// The jobs of the pool whose job the calling thread runs. In the closure of a `sync` that is the job
    /// that has called it, and on a thread of the program's the closure itself.
    static var pool: AwaitedJobs? {
        let queue = first { $0.kind != .call }?.queue.takeUnretainedValue() ?? queueOfCall
        if let intake = queue as? CountedIntake { return intake.accounting.awaited }
        #if os(Linux)
            if let queue = queue as? EngineQueue { return queue.accounting?.awaited }
            return WorkerThread.current?.group.accounting?.awaited
        #else
            return nil
        #endif
    }

    private static var queueOfCall: AnyObject? {
        #if os(Linux)
            // On a worker thread, an unordered job has called it.
            if WorkerThread.current != nil { return nil }
        #endif
        return innermostQueue
    }

    #if os(Linux)
        /// The worker queues that the calling thread holds.
        static var heldQueues: [EngineQueue] {
            var queues: [EngineQueue] = []
            _ = first { frame in
                if let queue = frame.queue.takeUnretainedValue() as? EngineQueue { queues.append(queue) }
                return false
            }
            return queues
        }
    #endif

    private func isOf(_ queue: AnyObject) -> Bool {
        self.queue.toOpaque() == Unmanaged.passUnretained(queue).toOpaque()
    }

    /// The first of the calling thread's frames, from the innermost on, for which a closure returns true.
    @inline(__always)
    private static func first(where isWanted: (RunFrame) -> Bool) -> RunFrame? {
        #if os(Linux)
            var next = cqp_current_thread().unsafelyUnwrapped.pointee.frame
            while let frame = next?.assumingMemoryBound(to: RunFrame.self).pointee {
                if isWanted(frame) { return frame }
                next = frame.outer
            }
        #endif
        return nil
    }
}
