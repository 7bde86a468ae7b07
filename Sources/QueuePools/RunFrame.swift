#if os(Linux)
    import CLinuxThreads
#endif

/// What the calling thread runs jobs of: a queue, on the thread's stack. A job of an outer one may call `sync` on an inner
/// one.
///
/// Where there is no Linux, it knows of none: there queues know it themselves.
struct RunFrame {
    private let queue: Unmanaged<AnyObject>
    /// Whether the jobs have nothing to do with the frames around: the thread runs them because it waits for them.
    private let isHelped: Bool
    private let outer: UnsafeMutableRawPointer?

    /// Calls a closure as a part of a queue, whose jobs run one at a time.
    @inline(__always)
    static func around<Result>(
        _ queue: AnyObject, isHelped: Bool = false, _ body: () throws -> Result
    ) rethrows -> Result {
        #if os(Linux)
            let thread = clinux_current_thread().unsafelyUnwrapped
            var frame = RunFrame(
                queue: .passUnretained(queue), isHelped: isHelped, outer: thread.pointee.frame)
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
    static func contains(_ queue: AnyObject) -> Bool { isFound(queue, throughHelped: false) }

    /// Whether the calling thread holds a queue, in any frame, and so would wait for itself.
    static func isHeldByThread(_ queue: AnyObject) -> Bool { isFound(queue, throughHelped: true) }

    private static func isFound(_ queue: AnyObject, throughHelped: Bool) -> Bool {
        #if os(Linux)
            var frame = clinux_current_thread().unsafelyUnwrapped.pointee.frame
            let address = Unmanaged.passUnretained(queue).toOpaque()
            while let inner = frame?.assumingMemoryBound(to: RunFrame.self) {
                if inner.pointee.queue.toOpaque() == address { return true }
                if inner.pointee.isHelped, !throughHelped { return false }
                frame = inner.pointee.outer
            }
        #endif
        return false
    }

    #if os(Linux)
        /// The queue of which the calling thread runs a job, or calls `sync`.
        static var innermostQueue: AnyObject? {
            clinux_current_thread().unsafelyUnwrapped.pointee.frame?.assumingMemoryBound(to: RunFrame.self)
                .pointee.queue.takeUnretainedValue()
        }

        /// The worker queues that the calling thread holds.
        static var heldQueues: [WorkerQueue] {
            var queues: [WorkerQueue] = []
            var frame = clinux_current_thread().unsafelyUnwrapped.pointee.frame
            while let inner = frame?.assumingMemoryBound(to: RunFrame.self) {
                if let queue = inner.pointee.queue.takeUnretainedValue() as? WorkerQueue {
                    queues.append(queue)
                }
                frame = inner.pointee.outer
            }
            return queues
        }
    #endif
}
