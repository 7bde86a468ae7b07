import Locks
import Synchronization

/// How many jobs of a tier may wait, and the calls of `run` that are suspended until there is room.
///
/// The word holds twice the number of free places, plus 1 while calls are suspended. Returning a place adds
/// 2; if that replaces an odd number, the place is handed to the first of those calls, under the lock. Only
/// under the lock does the number become odd, if there is no place, and even again, if no call is left. All
/// changes are of one word: so either a call sees the free place before it is suspended, or the thread that
/// frees the place sees the call. Relaxed: a job's queue orders what it captures, and the lock orders what a
/// call captures.
@usableFromInline
final class JobCapacity: JobOwner {
    /// Uses a place, for a call that was suspended. Returns false if the call no longer needs one.
    typealias Resumption = @Sendable () -> Bool

    private struct Suspended {
        /// By the numbers of the calls.
        var calls: [UInt64: Resumption] = [:]
        /// The lowest number of a call, or less.
        var first: UInt64 = 0
        var next: UInt64 = 0
        /// Whether no call is suspended any more, because the queues refuse all jobs.
        var isClosed = false
    }

    /// That of the process whose calls are suspended.
    private let forkCount = currentForkCount()
    private let word: Atomic<Int>
    private let suspended = Lock(Suspended())

    init(_ count: Int) { word = Atomic(2 * count) }

    /// Takes a place. Returns false if there is none, or calls wait for the next one.
    @usableFromInline
    func take() -> Bool {
        var before = word.load(ordering: .relaxed)
        while before >= 2, before & 1 == 0 {
            let taken = word.compareExchange(expected: before, desired: before - 2, ordering: .relaxed)
            if taken.exchanged { return true }
            before = taken.original
        }
        return false
    }

    /// Takes a place although there may be none.
    func takeAnyway() { word.wrappingSubtract(2, ordering: .relaxed) }

    /// Takes a place and returns nil, or suspends the call and returns it as a job that can be cancelled.
    /// Unless it is cancelled, the thread that frees a place calls `resume`, once.
    func takeOrSuspend(_ resume: @escaping Resumption) -> PoolJob? {
        suspended.withLock { suspended in
            while !take() {
                guard !suspended.isClosed else {
                    takeAnyway()
                    return nil
                }
                let before = word.load(ordering: .relaxed)
                guard before < 2 || before & 1 != 0,
                    word.compareExchange(expected: before, desired: before | 1, ordering: .relaxed).exchanged
                else { continue }
                let number = suspended.next
                suspended.next += 1
                suspended.calls[number] = resume
                return PoolJob(owner: self, place: JobPlace(position: number))
            }
            return nil
        }
    }

    func cancel(_ call: JobPlace) -> Bool {
        // Released after unlocking: what the call captured may do anything when it is released.
        suspended.withLock { $0.calls.removeValue(forKey: call.position) } != nil
    }

    /// Returns a place. Not to be called under a lock that a suspended call takes when it is resumed.
    @inline(__always)
    func giveBack() { if word.wrappingAdd(2, ordering: .relaxed).oldValue & 1 != 0 { resumeCalls() } }

    @inline(never)
    private func resumeCalls() {
        guard forkCount == currentForkCount() else { return }
        while let resume = nextCall() {
            if !resume() { word.wrappingAdd(2, ordering: .relaxed) }
        }
    }

    /// The call that is to be resumed next, and a place for it.
    private func nextCall() -> Resumption? {
        suspended.withLock { suspended in
            while suspended.first < suspended.next, suspended.calls[suspended.first] == nil {
                suspended.first += 1
            }
            guard let resume = suspended.calls[suspended.first] else {
                word.bitwiseAnd(~1, ordering: .relaxed)
                return nil
            }
            guard word.load(ordering: .relaxed) >= 2 else { return nil }
            word.wrappingSubtract(2, ordering: .relaxed)
            suspended.calls[suspended.first] = nil
            return resume
        }
    }

    var suspendedCount: Int { suspended.withLock { $0.calls.count } }

    /// Resumes all calls, whether or not there is room: the queues have been closed and refuse them.
    func resumeAll() {
        let calls = suspended.withLock { suspended in
            defer { suspended.calls = [:] }
            suspended.isClosed = true
            return suspended.calls.sorted { $0.key < $1.key }.map(\.value)
        }
        for resume in calls where resume() { takeAnyway() }
    }
}
