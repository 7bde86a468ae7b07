/// A job that a pool or a worker queue has accepted. It can be cancelled until it begins.
///
/// Dropping the handle changes nothing; the job runs. *Thread-safe.*
public struct PoolJob: Sendable {
    private let owner: any JobOwner
    let place: JobPlace

    init(owner: any JobOwner, place: JobPlace = JobPlace()) {
        self.owner = owner
        self.place = place
    }

    /// Takes the job off its queue if it has not begun. The job then never runs, and its closure with all its
    /// captures is released before this returns, on the calling thread. O(1), lock-free.
    ///
    /// - Returns: true if this call cancelled it; false if it has begun, has ended, or was cancelled before.
    @discardableResult
    public func cancel() -> Bool { owner.cancel(place) }

    /// The label of the queue whose job the calling thread runs; `<pool>.<tier>` in an unordered job of
    /// worker queues; nil elsewhere.
    public static var currentQueueLabel: String? { RunFrame.current?.label }
}

/// What keeps a job until it begins: a mailbox, for many jobs, or an object for this one.
protocol JobOwner: AnyObject, Sendable {
    func cancel(_ place: JobPlace) -> Bool
}

/// Where its owner keeps a job. Owners of a single job need none.
struct JobPlace: @unchecked Sendable {  // an address that only its owner looks at
    var address: UnsafeMutableRawPointer?
    var position: UInt64 = 0
}
