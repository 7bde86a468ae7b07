public import Dispatch

extension DispatchQueue: SerialQueue {
    /// Marks each pooled queue with its own identity, which is how a job finds out where it runs.
    private static let identityKey = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes a queue for a pool: serial, at the tier's quality of service, with no explicit target.
    ///
    /// Without a target a serial queue of Linux's Dispatch draws its thread from a root of its own, which the
    /// queues of `DispatchQueue.global` do not share. With `target: .global(qos:)` it would stand still
    /// whenever the host program blocks those. `Docs/Decisions/0001-dispatch-queue-target.md` has the
    /// figures.
    static func pooled(label: String, tier: QoSTier) -> DispatchQueue {
        let queue = DispatchQueue(label: label, qos: tier.dispatchQoS)
        queue.setSpecific(key: identityKey, value: ObjectIdentifier(queue))
        return queue
    }

    /// A queue for what must not be run where it comes up. It gets a thread although the program blocks all those of
    /// the global queues, see ``pooled(label:tier:)``.
    static var elsewhere: DispatchQueue { DispatchQueue(label: "queue-pools.elsewhere") }

    /// Submits a job with `async(execute:)`.
    public func enqueue(_ job: @escaping @Sendable () -> Void) {
        async(execute: job)
    }

    /// True on a job of this queue; always false for queues that no pool has made.
    public var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.identityKey) == ObjectIdentifier(self)
    }
}
