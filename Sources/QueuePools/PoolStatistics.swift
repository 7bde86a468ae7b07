import Synchronization

/// A snapshot of a pool's counters.
///
/// It counts the jobs and steps of the pool's `async`, `run` and executors, and those that callers put on a
/// ``WorkerQueue`` (not on a `DispatchQueue`) from `queue(for:)`. The figures of a running pool are read one
/// after the other. A job that is just being refused, or becomes due, may be counted once more for a moment.
public struct PoolStatistics: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The counters of each tier; a tier never used is all zeros.
    public var tiers: [QoSTier: TierStatistics]

    /// Statistics of some tiers.
    public init(tiers: [QoSTier: TierStatistics] = [:]) { self.tiers = tiers }

    /// The counters of one tier.
    public subscript(tier: QoSTier) -> TierStatistics { tiers[tier] ?? TierStatistics() }

    /// A line for each tier that was used, the most urgent first; "not used" without one.
    public var description: String {
        let lines = tiers.sorted { $0.key > $1.key }.filter { $0.value != TierStatistics() }
            .map { "\($0.key): \($0.value)" }
        return lines.isEmpty ? "not used" : lines.joined(separator: "\n")
    }
}

/// The counters of one tier of a pool.
///
/// At rest `submitted + movedIn = suspended + waiting + running + finished + cancelled + expired + movedOut`.
/// `submitted`, `refused` and the counts of ends only grow, except for the moment in which a job moves.
public struct TierStatistics: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Jobs that were not refused, suspended ones included; those that moved here are not.
    public var submitted = 0
    /// Jobs that were refused in the call: the tier was full, the pool shut down, there was no thread.
    public var refused = 0
    /// Jobs that wait until the tier has room (``FullTierPolicy``).
    public var suspended = 0
    /// Jobs accepted that have not begun.
    public var waiting = 0
    /// Jobs running now.
    public var running = 0
    /// Jobs that ran to their end.
    public var finished = 0
    /// Jobs cancelled before they began, by the program or by a shutdown.
    public var cancelled = 0
    /// Jobs that ended because they had not begun at a time that the call gave (`startBy`).
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
    /// How long the job that has run for longest has run. Nil if none runs, or without ``JobObservation``.
    public var longestRunning: Duration?
    /// How long jobs waited, from the call to their beginning, also while they were suspended: a sample of
    /// one job in sixteen, or all jobs with a ``JobObservation``. Without calls of `sync` and delayed jobs.
    public var waitTimes = TimeSummary()
    /// How long the same jobs ran.
    public var runTimes = TimeSummary()

    /// Statistics of a tier that was not used.
    public init() {}

    /// The counters that are not zero, and the times.
    public var description: String {
        let counters: KeyValuePairs = [
            "submitted": submitted, "refused": refused, "suspended": suspended, "waiting": waiting,
            "running": running, "finished": finished, "cancelled": cancelled, "expired": expired,
            "moved in": movedIn, "moved out": movedOut, "threads": threads,
            "thread failures": threadFailures, "scheduling failures": schedulingFailures,
        ]
        var parts = counters.filter { $0.value != 0 }.map { "\($0.key) \($0.value)" }
        if let longestRunning { parts.append("longest running \(longestRunning)") }
        if waitTimes.sampleCount > 0 { parts.append("waited \(waitTimes)") }
        if runTimes.sampleCount > 0 { parts.append("ran \(runTimes)") }
        return parts.isEmpty ? "not used" : parts.joined(separator: ", ")
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
    func add(to statistics: inout TierStatistics, positions: @autoclosure () -> UInt64) {
        let cancelled = Int(cancelled.load(ordering: .acquiring))
        let finished = Int(finished.load(ordering: .acquiring))
        let begun = Int(begun.load(ordering: .acquiring))
        let uncounted = Int(uncounted.load(ordering: .acquiring))
        let delayed = Int(delayed.load(ordering: .acquiring))
        let submitted = max(begun + cancelled, Int(positions()) + delayed - uncounted)
        statistics.cancelled += cancelled
        statistics.finished += finished
        statistics.running += max(0, begun - finished)
        statistics.submitted += submitted
        statistics.waiting += submitted - begun - cancelled
    }
}

/// A histogram of measured times, and its percentiles; each is at most a quarter above the true value.
public struct TimeSummary: Hashable, Codable, Sendable, CustomStringConvertible {
    /// How many of the times lie within some bounds.
    public struct Bucket: Hashable, Codable, Sendable {
        /// The longest time that is counted here. The shortest is a nanosecond above the longest of the
        /// bucket below. Each power of two has four buckets.
        public var upperBound: Duration
        /// How many times were counted; at least one in a ``TimeSummary`` of measured times.
        public var count: Int

        /// So many times, none longer than a bound.
        public init(upperBound: Duration, count: Int) {
            self.upperBound = upperBound
            self.count = count
        }
    }

    /// How many times were measured. With none, all figures are zero.
    public var sampleCount = 0
    /// All measured times together.
    public var sum = Duration.zero
    /// Half of the times were no longer than this.
    public var p50 = Duration.zero
    /// 90 % of the times were no longer than this.
    public var p90 = Duration.zero
    /// 99 % of the times were no longer than this.
    public var p99 = Duration.zero
    /// No measured time was longer than this.
    public var maximum = Duration.zero
    /// The histogram, from short to long times, without empty buckets. The times counted between two
    /// snapshots are the difference of the counts.
    public var buckets: [Bucket] = []

    /// A summary of no times.
    public init() {}

    /// How many of the times were no longer than each bound, as cumulative histograms of monitoring systems
    /// want it. A bound within a bucket counts those below that bucket: a quarter too low a bound at most.
    ///
    ///     summary.cumulativeCounts(upTo: [.milliseconds(1), .milliseconds(10), .seconds(1)])
    ///
    /// - Returns: a count for each bound, in the same order. O(bounds · buckets).
    public func cumulativeCounts(upTo bounds: [Duration]) -> [Int] {
        bounds.map { bound in buckets.reduce(0) { $0 + ($1.upperBound <= bound ? $1.count : 0) } }
    }

    /// The percentiles and the maximum.
    public var description: String {
        "p50 \(p50), p90 \(p90), p99 \(p99), at most \(maximum) (of \(sampleCount))"
    }
}

/// Counts times in buckets, four to each power of two, so that a percentile is at most a quarter above the
/// truth: HdrHistogram's idea, with two significant bits. Recording is one relaxed increment.
package final class TimeHistogram: @unchecked Sendable {  // every bucket is atomic; the pointer never changes
    private static let bucketCount = bucket(of: .max) + 1

    /// Whether this job's time is recorded: of one in sixteen, since reading the clock costs half a job.
    @inline(__always)
    static func samples(_ number: UInt64) -> Bool { number % 16 == 0 }

    private let buckets: UnsafeMutablePointer<Atomic<UInt64>>
    private let sum = Atomic<UInt64>(0)

    /// Makes an empty histogram, of about 2 KiB.
    package init() {
        buckets = .allocate(capacity: Self.bucketCount)
        for index in 0..<Self.bucketCount { (buckets + index).initialize(to: Atomic(0)) }
    }

    deinit {
        buckets.deinitialize(count: Self.bucketCount)
        buckets.deallocate()
    }

    /// Counts one time. *Thread-safe*, and without a lock or an allocation.
    package func record(nanoseconds: UInt64) {
        buckets[Self.bucket(of: nanoseconds)].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(nanoseconds, ordering: .relaxed)
    }

    /// The times counted so far. *Thread-safe*; times that are recorded meanwhile may be in it or not.
    package func snapshot() -> TimeSummary {
        let filled = (0..<Self.bucketCount).compactMap { index -> TimeSummary.Bucket? in
            let count = buckets[index].load(ordering: .relaxed)
            guard count > 0 else { return nil }
            return .init(
                upperBound: .nanoseconds(Int64(clamping: Self.upperBound(of: index))), count: Int(count))
        }
        let total = filled.reduce(0) { $0 + $1.count }
        func percentile(_ fraction: Double) -> Duration {
            var remaining = Int((Double(total) * fraction).rounded(.up))
            let bucket = filled.first { bucket in
                remaining -= bucket.count
                return remaining <= 0
            }
            return bucket?.upperBound ?? .zero
        }
        var summary = TimeSummary()
        summary.sampleCount = total
        summary.sum = .nanoseconds(Int64(clamping: sum.load(ordering: .relaxed)))
        (summary.p50, summary.p90) = (percentile(0.5), percentile(0.9))
        (summary.p99, summary.maximum) = (percentile(0.99), percentile(1))
        summary.buckets = filled
        return summary
    }

    /// 0…3 have buckets of their own; above, the two bits after the leading one choose the quarter.
    static func bucket(of value: UInt64) -> Int {
        guard value >= 4 else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 1) * 4 + Int(value >> (exponent - 2) & 3)
    }

    /// The largest value that falls into a bucket.
    static func upperBound(of bucket: Int) -> UInt64 {
        guard bucket >= 4 else { return UInt64(bucket) }
        let (exponent, quarter) = (bucket / 4 + 1, UInt64(bucket % 4))
        return (4 + quarter) << (exponent - 2) + (1 << (exponent - 2) - 1)
    }
}
