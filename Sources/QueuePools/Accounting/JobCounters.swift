import Synchronization

/// What became of the jobs of a queue.
struct JobCounters: ~Copyable {
    private let begun = Atomic<UInt64>(0)
    private let finished = Atomic<UInt64>(0)
    let cancelled = Atomic<UInt64>(0)
    /// Positions that hold no job: refused ones, and control messages.
    let uncounted = Atomic<UInt64>(0)
    /// Jobs that came without a position.
    let delayed = Atomic<UInt64>(0)

    /// One more job begins. Called by one thread at a time, so a plain store suffices.
    @inline(__always)
    func begin() { begun.store(begun.load(ordering: .relaxed) + 1, ordering: .relaxed) }

    /// One more job has ended. Called by one thread at a time.
    @inline(__always)
    func finish() { finished.store(finished.load(ordering: .relaxed) + 1, ordering: .releasing) }

    /// One more job has ended, beside others.
    @inline(__always)
    func finishConcurrently() { finished.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    #if os(Linux)
        /// Cancels a job that waits in the mailbox. Returns false if it does not.
        func cancel(_ place: JobPlace, in mailbox: Mailbox, of accounting: TierAccounting?) -> Bool {
            guard let closure = mailbox.cancel(place) else { return false }
            // Counted first: what the closure captured may take long to release.
            withExtendedLifetime(closure) {
                _ = cancelled.wrappingAdd(1, ordering: .relaxed)
                accounting?.capacity?.giveBack()
            }
            return true
        }
    #endif

    /// How many jobs came without a position, for a submitter that has handed one over and then looks whether its queue is closed,
    /// and for the closer, which says so first and then asks for what was handed over. Acquiring and releasing: the later of the two
    /// sees what the other has done. So either the job comes before the closing, or the submitter takes it back.
    func meetAtDelayed() -> UInt64 { delayed.wrappingAdd(0, ordering: .acquiringAndReleasing).oldValue }

    var begunCount: UInt64 { begun.load(ordering: .relaxed) }
    var finishedCount: UInt64 { finished.load(ordering: .sequentiallyConsistent) }

    /// Adds these figures to a tier's. Read from the last event of a job's life to the first, so that no
    /// snapshot shows more ends than beginnings.
    ///
    /// - Parameter positions: how many positions were taken, or how many jobs were accepted.
    func add(to statistics: inout TierStatistics, positions: @autoclosure () -> UInt64) {
        let cancelled = Int(self.cancelled.load(ordering: .acquiring))
        let finished = Int(self.finished.load(ordering: .acquiring))
        let begun = Int(self.begun.load(ordering: .acquiring))
        let uncounted = Int(self.uncounted.load(ordering: .acquiring))
        let delayed = Int(self.delayed.load(ordering: .acquiring))
        let submitted = max(begun + cancelled, Int(positions()) + delayed - uncounted)
        statistics.cancelled += cancelled
        statistics.finished += finished
        statistics.running += max(0, begun - finished)
        statistics.submitted += submitted
        statistics.waiting += submitted - begun - cancelled
    }
}

/// What all queues of a tier count together.
final class TierAccounting: Sendable {
    let waits = TimeHistogram()
    /// Nil if any number of jobs may wait.
    let capacity: JobCapacity?
    let observation: JobObservation?
    /// The pool's, which tells in which process the queues work.
    let forkCount: UInt32

    init(
        capacity: Int? = nil, observation: JobObservation? = nil, forkCount: UInt32 = currentForkCount()
    ) {
        self.capacity = capacity.map { JobCapacity($0) }
        self.observation = observation
        self.forkCount = forkCount
    }
}
