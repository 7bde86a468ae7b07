import QueuePoolsLocks
import Synchronization

#if os(Linux)
    import CQueuePoolsThreads
#endif

/// How many jobs of a tier may wait, and the calls that wait until there is room.
///
/// As many may wait as the capacity says, and one more for each thread that runs no job, because it takes one
/// at once. So there is *room* for a job that waits for nothing but a thread while fewer jobs wait or run
/// than the capacity and the threads together; and for each job, while fewer wait than the capacity. A word
/// holds both numbers (``Places``), and a change is one addition. A thread counts from the beginning of its
/// job to the end; to that of the closure, if a task awaits the job, which may call again before the thread
/// goes on.
///
/// The word is odd while calls wait. A thread that returns a place, or becomes free, replaces an odd
/// number then, and hands the room to the first of those calls, if it is room for that one. Only under the
/// lock does the number become odd, if there is no room, and even again, if no call is left. All changes are
/// of one word: so either a call sees the room before it waits, or the thread that makes it sees the
/// call. Whether a call's queue is idle is not in the word. A thread that has made it so changes the word
/// afterwards, if only by zero, and releases that. The exchange that lets a call wait acquires it, and the
/// call then asks once more. All other accesses are relaxed: a job's queue orders the job's captures, and
/// the lock those of a call.
///
/// **In order.** One thread at a time resumes calls, each when it has placed the one before: calls are placed
/// in the order in which they came, and before those that come later, because the word is odd until the last
/// is placed. A thread that returns a place meanwhile leaves it to that thread, which looks at the word again
/// under the lock. So that others do not keep it from its own job, another thread continues after some calls.
/// It cannot leave that to the jobs that wait: they may wait for long while there is room.
@usableFromInline
final class JobCapacity: JobOwner {
    /// A call that may wait.
    typealias Call = @Sendable (CallStep) -> Bool

    enum CallStep {
        /// Returns whether a thread that runs no job would take the call's at once. Called under the lock.
        case asks
        /// Uses a place, once. Returns false if the call no longer needs one.
        case resumes
    }

    /// The answer to a call.
    enum Entry {
        case room
        /// It can be cancelled. Unless it is, the thread that frees a place resumes it, once.
        case waitingForRoom(PoolJob)
        case full
    }

    /// The word: places that are free, less than none if jobs have taken some anyway; threads that run no
    /// job; and whether calls wait.
    private struct Places {
        static let place = 1 << 24
        static let thread = 1 << 1
        static let hasCalls = 1

        /// So that the field is not negative, where a thread runs a job within another.
        private static let threadBias = 1 << 22

        var word: Int

        init(word: Int) { self.word = word }

        init(free: Int) { word = free * Self.place + Self.threadBias * Self.thread }

        var hasWaiting: Bool { word & Self.hasCalls != 0 }
        private var free: Int { word >> 24 }
        private var threads: Int { (word & (Self.place - 1)) >> 1 - Self.threadBias }

        @inline(__always)
        func hasRoom(besideThread: Bool) -> Bool { word >= Self.place || besideThread && free + threads > 0 }
    }

    private struct WaitingCalls {
        /// The calls, by their numbers.
        var waiting: [UInt64: Call] = [:]
        /// The lowest number of a call, or less.
        var first: UInt64 = 0
        var next: UInt64 = 0
        /// Whether a thread resumes calls.
        var isResuming = false
        /// Whether no call waits any more, because the queues refuse all jobs.
        var isClosed = false

        /// O(1) on average: each number is passed once.
        mutating func skipEndedCalls() {
            while first < next, waiting[first] == nil { first += 1 }
        }
    }

    private let word: Atomic<Int>
    private let threads = Atomic<Int>(0)
    private let calls = Lock(WaitingCalls())
    /// Calls that waited and have ended without a place.
    private let ended = Atomic<Int>(0)

    init(_ count: Int) { word = Atomic(Places(free: count).word) }

    /// Counts threads that run no job. Called before jobs are submitted to them.
    func addThreads(_ count: Int) {
        word.wrappingAdd(count * Places.thread, ordering: .relaxed)
        threads.wrappingAdd(count, ordering: .relaxed)
    }

    /// Takes a place. Returns false if there is none, or calls wait for the next one.
    @usableFromInline
    func take() -> Bool { take(besideThread: false) }

    /// Takes a place, which may be one beside a thread that runs no job.
    ///
    /// - Parameter isBesideThread: whether such a thread would take the job at once. Called if that matters.
    @usableFromInline
    func take(besideThread isBesideThread: () -> Bool) -> Bool {
        if take() { return true }
        let places = Places(word: word.load(ordering: .relaxed))
        return !places.hasWaiting && places.hasRoom(besideThread: true) && isBesideThread()
            && take(besideThread: true)
    }

    private func take(besideThread: Bool) -> Bool {
        var before = Places(word: word.load(ordering: .relaxed))
        while !before.hasWaiting, before.hasRoom(besideThread: besideThread) {
            let taken = word.compareExchange(
                expected: before.word, desired: before.word - Places.place, ordering: .relaxed)
            if taken.exchanged { return true }
            before.word = taken.original
        }
        return false
    }

    /// Takes a place although there may be none.
    func takeAnyway() { word.wrappingSubtract(Places.place, ordering: .relaxed) }

    /// Takes a place, or lets the call wait.
    ///
    /// - Parameter limit: how many calls may wait. Nil: any number.
    func enter(waitingAtMost limit: Int?, _ call: @escaping Call) -> Entry {
        if take() { return .room }
        return calls.withLock { calls in
            while true {
                let before = Places(word: word.load(ordering: .relaxed))
                // Its queue may become idle meanwhile: then the word has changed, or is looked at below.
                let isBesideThread = hasThreads && call(.asks)
                if take(besideThread: isBesideThread) { return .room }
                guard !calls.isClosed else {
                    takeAnyway()
                    return .room
                }
                guard calls.waiting.count < limit ?? .max else { return .full }
                guard before.hasWaiting || !before.hasRoom(besideThread: isBesideThread),
                    word.compareExchange(
                        expected: before.word, desired: before.word | Places.hasCalls,
                        successOrdering: .acquiring, failureOrdering: .relaxed
                    ).exchanged
                else { continue }
                // A thread that only looks for calls adds zero, and may just have looked.
                if hasThreads, !isBesideThread, !before.hasWaiting, call(.asks) {
                    word.bitwiseAnd(~Places.hasCalls, ordering: .relaxed)
                    continue
                }
                let number = calls.next
                calls.next += 1
                calls.waiting[number] = call
                return .waitingForRoom(PoolJob(owner: self, place: JobPlace(position: number)))
            }
        }
    }

    func cancel(_ call: JobPlace) -> Bool {
        // Released after unlocking, because releasing the call's captures may run any code.
        let (removed, wasFirst) = calls.withLock { calls in
            let removed = calls.waiting.removeValue(forKey: call.position)
            // Now, not when a place is returned: there may be room beside a thread.
            if calls.waiting.isEmpty, !calls.isResuming {
                word.bitwiseAnd(~Places.hasCalls, ordering: .relaxed)
            }
            calls.skipEndedCalls()
            return (removed, call.position < calls.first)
        }
        guard removed != nil else { return false }
        ended.wrappingAdd(1, ordering: .relaxed)
        // The next one may have waited for this one alone, if a thread is free for it.
        if wasFirst, hasThreads { add(0) }
        return true
    }

    /// Returns the place of a job that begins on no thread of the tier, or not at all.
    @inline(__always)
    func giveBack() { add(Places.place) }

    /// Returns the place of a job that begins on a thread of the tier.
    @inline(__always)
    func begin() { add(Places.place - Places.thread) }

    /// A job, or a step, begins on a thread of the tier, and has no place.
    @inline(__always)
    func beginWithoutPlace() { word.wrappingSubtract(Places.thread, ordering: .relaxed) }

    #if os(Linux)
        /// The job that the calling thread runs has ended, unless ``endEarly()`` was called in it.
        @inline(__always)
        func end() {
            let thread = cqp_current_thread().unsafelyUnwrapped
            guard thread.pointee.ended_capacity == identity else { return add(Places.thread) }
            thread.pointee.ended_capacity = nil
            lookForCalls()
        }

        /// A queue may have been busy for a call that waits until now, also if its last messages were no
        /// jobs, such as cancelled ones.
        @inline(__always)
        func lookForCalls() { if hasThreads { add(0) } }

        private var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
    #endif

    /// The closure of the job that the calling thread runs has returned, and tasks that await the job are
    /// resumed next: they may submit the next one while the thread is still on its way.
    func endEarly() {
        #if os(Linux)
            guard hasThreads else { return }
            cqp_current_thread().pointee.ended_capacity = identity
            add(Places.thread)
        #endif
    }

    /// Calls a closure that may run other jobs, and restores the mark of ``endEarly()`` afterwards.
    static func keepingMark(_ body: () -> Void) {
        #if os(Linux)
            let thread = cqp_current_thread().unsafelyUnwrapped
            let ended = thread.pointee.ended_capacity
            thread.pointee.ended_capacity = nil
            body()
            thread.pointee.ended_capacity = ended
        #else
            body()
        #endif
    }

    /// Whether the jobs run on threads that are counted.
    private var hasThreads: Bool { threads.load(ordering: .relaxed) > 0 }

    @inline(__always)
    private func add(_ change: Int) {
        let before = Places(word: word.wrappingAdd(change, ordering: .releasing).oldValue)
        if before.hasWaiting { resumeCalls() }
    }

    @inline(never)
    private func resumeCalls(atMost limit: Int = 32) {
        #if os(Linux)
            // A call that is resumed may run any code.
            guard !cqp_current_thread().pointee.supervises else {
                return runElsewhere { [self] in resumeCalls(atMost: .max) }
            }
        #endif
        for number in 0..<limit {
            guard let call = nextCall(isFirst: number == 0) else { return }
            if !call(.resumes) {
                ended.wrappingAdd(1, ordering: .relaxed)
                word.wrappingAdd(Places.place, ordering: .relaxed)
            }
        }
        let hasRoom = calls.withLock { calls in
            calls.isResuming = false
            guard !calls.waiting.isEmpty else {
                word.bitwiseAnd(~Places.hasCalls, ordering: .relaxed)
                return false
            }
            return Places(word: word.load(ordering: .relaxed)).hasRoom(besideThread: hasThreads)
        }
        if hasRoom { runElsewhere { [self] in resumeCalls(atMost: .max) } }
    }

    /// The next call to resume, and a place for it; nil if there is none, or another thread resumes calls.
    private func nextCall(isFirst: Bool) -> Call? {
        calls.withLock { calls in
            if isFirst, calls.isResuming { return nil }
            calls.isResuming = false
            calls.skipEndedCalls()
            guard let call = calls.waiting[calls.first] else {
                word.bitwiseAnd(~Places.hasCalls, ordering: .relaxed)
                return nil
            }
            let places = Places(word: word.load(ordering: .relaxed))
            guard
                places.hasRoom(besideThread: false)
                    || hasThreads && places.hasRoom(besideThread: true) && call(.asks)
            else { return nil }
            word.wrappingSubtract(Places.place, ordering: .relaxed)
            calls.waiting[calls.first] = nil
            calls.isResuming = true
            return call
        }
    }

    /// How many calls wait, and how many have ended without a place.
    var waitingCalls: (present: Int, ended: Int) {
        (calls.withLock { $0.waiting.count }, ended.load(ordering: .relaxed))
    }

    /// Resumes all calls, whether or not there is room: the queues have been closed and refuse them.
    func resumeAll() {
        let all = calls.withLock { calls in
            defer { calls.waiting = [:] }
            calls.isClosed = true
            return calls.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for call in all {
            if call(.resumes) { takeAnyway() } else { ended.wrappingAdd(1, ordering: .relaxed) }
        }
    }
}
