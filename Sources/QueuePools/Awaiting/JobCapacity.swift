import QueuePoolsLocks
import Synchronization

/// How many jobs of a tier may wait, and the calls that are suspended until there is room.
///
/// The word holds twice the number of free places, plus 1 while calls are suspended. Returning a place adds
/// 2; if that replaces an odd number, the place is handed to the first of those calls. Only under the lock
/// does the number become odd, if there is no place, and even again, if no call is left. All changes are of
/// one word: so either a call sees the free place before it is suspended, or the thread that frees the place
/// sees the call. Relaxed: a job's queue orders the job's captures, and the lock those of a call.
///
/// **In order.** One thread at a time resumes calls, each when it has placed the one before: calls are placed
/// in the order in which they came, and before those that come later, because the word is odd until the last
/// is placed. A thread that returns a place meanwhile leaves it to that thread, which looks at the word again
/// under the lock. So that others do not keep it from its own job, another thread continues after some calls.
/// It cannot leave that to the jobs that wait: they may wait for long while there is room.
@usableFromInline
final class JobCapacity: JobOwner {
    /// Uses a place, for a call that was suspended. Returns false if the call no longer needs one.
    typealias Resumption = @Sendable () -> Bool

    /// The answer to a call.
    enum Entry {
        case room
        /// It can be cancelled. Unless it is, the thread that frees a place resumes it, once.
        case suspended(PoolJob)
        case full
    }

    private struct Suspended {
        /// The calls, by their numbers.
        var calls: [UInt64: Resumption] = [:]
        /// The lowest number of a call, or less.
        var first: UInt64 = 0
        var next: UInt64 = 0
        /// Whether a thread resumes calls.
        var isResuming = false
        /// Whether no call is suspended any more, because the queues refuse all jobs.
        var isClosed = false
    }

    private let word: Atomic<Int>
    private let suspended = Lock(Suspended())
    /// Calls that were suspended and have ended without a place.
    private let ended = Atomic<Int>(0)

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

    /// Takes a place for a call that has not used the one that it was resumed with.
    func takeMissed() {
        ended.wrappingSubtract(1, ordering: .relaxed)
        takeAnyway()
    }

    /// Returns such a place, because the queues refuse the job.
    func leaveMissed() {
        ended.wrappingAdd(1, ordering: .relaxed)
        giveBack()
    }

    /// Takes a place, or suspends the call.
    ///
    /// - Parameter limit: how many calls may be suspended. Nil: any number.
    func enter(suspendingAtMost limit: Int?, _ resume: @escaping Resumption) -> Entry {
        if take() { return .room }
        return suspended.withLock { suspended in
            while !take() {
                guard !suspended.isClosed else {
                    takeAnyway()
                    return .room
                }
                guard suspended.calls.count < limit ?? .max else { return .full }
                let before = word.load(ordering: .relaxed)
                guard before < 2 || before & 1 != 0,
                    word.compareExchange(expected: before, desired: before | 1, ordering: .relaxed).exchanged
                else { continue }
                let number = suspended.next
                suspended.next += 1
                suspended.calls[number] = resume
                return .suspended(PoolJob(owner: self, place: JobPlace(position: number)))
            }
            return .room
        }
    }

    func cancel(_ call: JobPlace) -> Bool {
        // Released after unlocking, because releasing the call's captures may run any code.
        let resume = suspended.withLock { $0.calls.removeValue(forKey: call.position) }
        guard resume != nil else { return false }
        ended.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    @inline(__always)
    func giveBack() { if word.wrappingAdd(2, ordering: .relaxed).oldValue & 1 != 0 { resumeCalls() } }

    @inline(never)
    private func resumeCalls(atMost limit: Int = 32) {
        for number in 0..<limit {
            guard let resume = nextCall(isFirst: number == 0) else { return }
            if !resume() {
                ended.wrappingAdd(1, ordering: .relaxed)
                word.wrappingAdd(2, ordering: .relaxed)
            }
        }
        let hasRoom = suspended.withLock { suspended in
            suspended.isResuming = false
            return word.load(ordering: .relaxed) >= 2
        }
        if hasRoom { runElsewhere { [self] in resumeCalls(atMost: .max) } }
    }

    /// The next call to resume, and a place for it; nil if there is none, or another thread resumes calls.
    private func nextCall(isFirst: Bool) -> Resumption? {
        suspended.withLock { suspended in
            if isFirst, suspended.isResuming { return nil }
            suspended.isResuming = false
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
            suspended.isResuming = true
            return resume
        }
    }

    /// How many calls are suspended, and how many have ended without a place.
    var suspendedCalls: (present: Int, ended: Int) {
        (suspended.withLock { $0.calls.count }, ended.load(ordering: .relaxed))
    }

    /// Resumes all calls, whether or not there is room: the queues have been closed and refuse them.
    func resumeAll() {
        let calls = suspended.withLock { suspended in
            defer { suspended.calls = [:] }
            suspended.isClosed = true
            return suspended.calls.sorted { $0.key < $1.key }.map(\.value)
        }
        for resume in calls {
            if resume() { takeAnyway() } else { ended.wrappingAdd(1, ordering: .relaxed) }
        }
    }
}
