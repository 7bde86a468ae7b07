import Synchronization

/// A snapshot of a pool's counters.
///
/// It counts the jobs and steps of the pool's `async`, `run` and executors, and those that callers put on a
/// ``WorkerQueue`` (not on a `DispatchQueue`) from `queue(for:)`. The figures of a running pool are read one
/// after the other. A job that is just being refused, or becomes due, may be counted once more for a moment.
///
/// As JSON, or another code, statistics have counts, tiers by ``QoSTier/name``, and times in seconds, with
/// the unit in the key (`p99Seconds`). A version decodes the code of earlier and later ones: a key
/// that is missing is zero or nil, an unknown one is ignored.
public struct PoolStatistics: Equatable, Codable, Sendable, CustomStringConvertible {
    /// The counters of each tier; a tier never used is all zeros.
    public var tiers: [QoSTier: TierStatistics]

    /// Statistics of some tiers.
    public init(tiers: [QoSTier: TierStatistics] = [:]) { self.tiers = tiers }

    /// The counters of one tier.
    public subscript(tier: QoSTier) -> TierStatistics { tiers[tier] ?? TierStatistics() }

    /// A line for each tier that was used, the most urgent first; "not used" without one.
    public var description: String {
        let lines = tiers.sorted { $0.key > $1.key }.filter { $0.value.isUsed }
            .map { "\($0.key): \($0.value)" }
        return lines.isEmpty ? "not used" : lines.joined(separator: "\n")
    }
}

/// The counters of one tier of a pool.
///
/// At rest `submitted + movedIn` is the sum of `waitingForRoom`, `delayed`, `waiting`, `running`, `finished`,
/// `cancelled`, `expired` and `movedOut`.
/// `submitted`, `refused` and the counts of ends only grow, except for the moment in which a job moves.
public struct TierStatistics: Equatable, Codable, Sendable, CustomStringConvertible {
    /// Jobs that were not refused, including those that wait for room; those that moved here are not.
    public var submitted = 0
    /// Jobs that were refused in the call: the tier was full, the pool shut down, there was no thread, or the
    /// job's time had passed.
    public var refused = 0
    /// Jobs that wait until the tier has room (``FullTierPolicy``).
    public var waitingForRoom = 0
    /// Jobs accepted whose time has not come (`after`, `at`). They take no place of the capacity.
    public var delayed = 0
    /// Other jobs accepted that have not begun.
    public var waiting = 0
    /// How many jobs may wait (``QueuePoolOptions/capacity``). Nil for any number, and before the first
    /// use of the tier.
    public var capacity: Int?
    /// The queue in which most jobs wait; of equal ones the first. Nil if none waits in a queue. Unordered
    /// jobs wait in none, except on queues that are not ``WorkerQueue``s. If most of the tier's ``waiting``
    /// jobs wait there, they have one key, or keys that share the queue, or the program has made that queue.
    public var fullestQueue: QueueActivity?
    /// How long the job that has waited for longest has waited, without those that wait for room. Nil if none
    /// waits, or without ``JobObservation``.
    public var longestWait: Duration?
    /// Jobs running now.
    public var running = 0
    /// Jobs that ran to their end.
    public var finished = 0
    /// Jobs cancelled before they began, by the program or by a shutdown.
    public var cancelled = 0
    /// Jobs that ended because they had not begun at a time that the call gave (`startBy`, `finishBy`).
    public var expired = 0
    /// Jobs that came from a lower tier because the priority of a task that awaits them rose.
    public var movedIn = 0
    /// Jobs that left for a higher tier; and those in ``movedIn`` that were withdrawn because they had begun.
    public var movedOut = 0
    /// Threads that serve the tier's queues. Worker queues only.
    public var threads = 0
    /// How often the system refused a thread; it is asked again while jobs wait. Worker queues only.
    public var threadFailures = 0
    /// How often the kernel refused a thread its scheduling or its CPUs, or a queue the memory of its node.
    /// The rest of the request was done. Worker queues only.
    public var schedulingFailures = 0
    /// How long the running job that has run for longest has run. Nil if none runs, or without
    /// ``JobObservation``.
    public var longestRun: Duration?
    /// How long jobs waited, from the call to their beginning, also for room: a sample of one job in sixteen,
    /// or all jobs with a ``JobObservation``. Without calls of `sync` and delayed jobs of queues; unordered
    /// ones wait from the time at which they are due.
    public var waitTimes = TimeSummary()
    /// How long the same jobs ran.
    public var runTimes = TimeSummary()

    /// Statistics of a tier that was not used.
    public init() {}

    /// Whether the pool has done more for the tier than to make its queues.
    var isUsed: Bool {
        var unused = TierStatistics()
        unused.capacity = capacity
        return self != unused
    }

    /// Takes a queue for the fullest one if it is.
    mutating func compareQueue(waiting: Int, _ activity: @autoclosure () -> QueueActivity) {
        if waiting > fullestQueue?.waiting ?? 0 { fullestQueue = activity() }
    }

    /// The counters that are not zero, and the times.
    public var description: String {
        guard isUsed else { return "not used" }
        let counters: KeyValuePairs = [
            "submitted": submitted, "refused": refused, "waiting for room": waitingForRoom,
            "delayed": delayed,
            "waiting": waiting, "running": running, "finished": finished, "cancelled": cancelled,
            "expired": expired, "moved in": movedIn, "moved out": movedOut, "threads": threads,
            "thread failures": threadFailures, "scheduling failures": schedulingFailures,
        ]
        var parts = counters.filter { $0.value != 0 }.map { "\($0.key) \($0.value)" }
        if let capacity { parts.append("capacity \(capacity)") }
        if let fullestQueue { parts.append("fullest queue \(fullestQueue.label) (\(fullestQueue.waiting))") }
        if let longestWait { parts.append("longest wait \(longestWait.text)") }
        if let longestRun { parts.append("longest run \(longestRun.text)") }
        if waitTimes.sampleCount > 0 { parts.append("waited \(waitTimes)") }
        if runTimes.sampleCount > 0 { parts.append("ran \(runTimes)") }
        return parts.joined(separator: ", ")
    }
}

/// Counts how the jobs of a queue begin and end.
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

    /// How many jobs came without a position, for a submitter that has handed one over and then looks whether
    /// its queue is closed, and for the closer, which closes first and then reads this. Acquiring and
    /// releasing: the later of the two sees the other's write. So either the job comes before the closing, or
    /// the submitter takes it back.
    func meetAtDelayed() -> UInt64 { delayed.wrappingAdd(0, ordering: .acquiringAndReleasing).oldValue }

    var begunCount: UInt64 { begun.load(ordering: .relaxed) }
    var finishedCount: UInt64 { finished.load(ordering: .sequentiallyConsistent) }

    /// Adds these figures to a tier's. They are read from the last event of a job's life to the first, the
    /// positions taken, so that no snapshot shows more ends than beginnings.
    ///
    /// - Parameters:
    ///   - pending: how many jobs have a time that has not come.
    ///   - positions: how many were taken.
    func add(
        to statistics: inout TierStatistics, pending: @autoclosure () -> Int,
        positions: @autoclosure () -> UInt64
    ) {
        let cancelled = Int(cancelled.load(ordering: .acquiring))
        let finished = Int(finished.load(ordering: .acquiring))
        let begun = Int(begun.load(ordering: .acquiring))
        let uncounted = Int(uncounted.load(ordering: .acquiring))
        let pending = pending()
        let delayed = Int(delayed.load(ordering: .acquiring))
        let submitted = max(begun + cancelled, Int(positions()) + delayed - uncounted)
        statistics.cancelled += cancelled
        statistics.finished += finished
        statistics.running += max(0, begun - finished)
        statistics.submitted += submitted
        // One that has come or gone between two of the reads.
        let isPending = min(max(0, pending), submitted - begun - cancelled)
        statistics.delayed += isPending
        statistics.waiting += submitted - begun - cancelled - isPending
    }
}
