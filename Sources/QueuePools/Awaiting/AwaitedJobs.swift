import QueuePoolsLocks
import Synchronization

/// The jobs of a pool that wait and can be awaited, so that a shutdown can end them at once; and whether it
/// cancels those that run.
///
/// A list that links the jobs, and retains them. The lock is held for some instructions.
final class AwaitedJobs: CancellationSource, @unchecked Sendable {  // under the lock
    struct Links {
        fileprivate var previous: AwaitedJob?
        fileprivate var next: AwaitedJob?
        fileprivate var isEntered = false
    }

    private struct List {
        var first: AwaitedJob?
        var isClosed = false
    }

    private let list = Lock(List())
    // Relaxed: it orders nothing.
    private let cancelsRunningJobs = Atomic<Bool>(false)

    /// Whether the jobs that run are told that they are cancelled (``JobScope``).
    var isCancellingRunningJobs: Bool { cancelsRunningJobs.load(ordering: .relaxed) }

    /// For loops of jobs that have no source of their own.
    override var isCancelled: Bool { isCancellingRunningJobs }

    func cancelRunningJobs() { cancelsRunningJobs.store(true, ordering: .relaxed) }

    /// Whether a shutdown has ended the jobs that wait.
    var isClosed: Bool { list.withLock { $0.isClosed } }

    /// Returns false after ``endAll()``.
    func enter(_ job: AwaitedJob) -> Bool {
        list.withLock { list in
            guard !list.isClosed else { return false }
            job.links = Links(next: list.first, isEntered: true)
            list.first?.links.previous = job
            list.first = job
            return true
        }
    }

    /// Does nothing if the job is not in the list. The caller has another reference to it.
    func leave(_ job: AwaitedJob) { list.withLock { Self.remove(job, from: &$0.first) } }

    /// Ends all jobs, and refuses others from now on.
    func endAll() {
        while let job = list.withLock({ list -> AwaitedJob? in
            list.isClosed = true
            let job = list.first
            if let job { Self.remove(job, from: &list.first) }
            return job
        }) {
            job.end(.shutDown, in: self)
        }
    }

    private static func remove(_ job: AwaitedJob, from first: inout AwaitedJob?) {
        guard job.links.isEntered else { return }
        let (previous, next) = (job.links.previous, job.links.next)
        job.links = Links()
        next?.links.previous = previous
        if let previous { previous.links.next = next } else { first = next }
    }
}
