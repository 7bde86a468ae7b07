/// The one thing a pool asks of its queues: run jobs one at a time, in the order they came.
///
/// ``QueuePool`` is written once over this protocol. `DispatchQueue` conforms; a queue of another kind needs
/// no more than this to be pooled. Conforming types are *thread-safe*.
public protocol SerialQueue: AnyObject, Sendable {
    /// Adds a job behind all jobs added before it, and returns without waiting for it.
    func enqueue(_ job: consuming @escaping @Sendable () -> Void)

    /// True when the caller is itself a job of this queue.
    var isCurrent: Bool { get }
}
