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
    /// captures is released before this returns, on the calling thread. O(1), or O(log *n*) in the number of
    /// delayed jobs for one of them. Lock-free for jobs of a tier's own queues and unordered ones. The handle
    /// of a ``JobGroup``'s job, or of one that was submitted with options to `any JobSubmitting`, which knows
    /// no queues and submits a job that can be awaited, takes locks, and tells the job's ``JobScope`` if it
    /// runs.
    ///
    /// - Returns: true if this call cancelled it; false if it has begun, has ended, or was cancelled before.
    @discardableResult
    public func cancel() -> Bool { owner.cancel(place) }

    /// The label of the queue whose job the calling thread runs; `<pool>.<tier>` in an unordered job of
    /// worker queues; nil elsewhere.
    package static var currentQueueLabel: String? { RunFrame.current?.label }
}

/// Keeps a job until it begins: a mailbox, for many jobs, or an object for this one.
///
/// # Where a job's cancellation is decided
///
/// Beginning and cancelling a job both change one word, once: the first to change it decides. Then the
/// closure belongs to that thread, and the job's place of the capacity, if it had one, is given back.
///
/// | the job is | the word | begins it | cancels it |
/// |---|---|---|---|
/// | in a worker queue or a lane | the slot's state | `MailboxReceiver.take` | `Mailbox.cancel` |
/// | in a queue that the program makes | the slot's state | `Inbox.take` | `Inbox.cancel` |
/// | delayed | its `stage` | `DelayedJob.begin` | `DelayedJob.cancel` |
/// | on a queue of Dispatch or the program | its `state` | `CountedJob.run` | `CountedJob.cancel` |
/// | a call that waits for room | the list, under its lock | `JobCapacity.nextCall` | `JobCapacity.cancel` |
/// | awaited | its phase, under its lock | `AwaitedJob.run` | `AwaitedJob.end` |
///
/// A timer of ``systemCall(at:_:)`` without a supervisor leaves the decision to Dispatch. An awaited job is
/// also in one of the places above, which it leaves when it is cancelled. A shutdown with `.cancel` notes
/// that at each intake (``JobIntake/cancelWaiting()``); a job that comes to its turn there is dropped by the
/// thread that would have run it.
protocol JobOwner: AnyObject, Sendable {
    func cancel(_ place: JobPlace) -> Bool
}

/// Where its owner keeps a job. Owners of a single job need none.
struct JobPlace: @unchecked Sendable {  // an address that only its owner looks at
    var address: UnsafeMutableRawPointer?
    var position: UInt64 = 0
}
