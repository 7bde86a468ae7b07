import Synchronization

/// A histogram of measured times, and its percentiles; each is at most a quarter above the true value.
public struct TimeSummary: Equatable, Codable, Sendable, CustomStringConvertible {
    /// How many of the times lie within some bounds.
    public struct Bucket: Equatable, Codable, Sendable {
        /// The longest time that is counted here. The shortest is a nanosecond above the longest of the
        /// bucket below. Each power of two has four buckets, and a fifth if one of ``TimeSummary/bounds125``
        /// divides one of them.
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

    /// 1, 2, 5, 10, 20, 50 µs and so on up to 10 s, for ``cumulativeCounts(upTo:)``: buckets end there, so
    /// the counts are exact.
    public static let bounds125 = boundsInNanoseconds.map { Duration.nanoseconds($0) }

    static var boundsInNanoseconds: [Int64] {
        var scale: Int64 = 100
        return (0..<22).map { number in
            if number % 3 == 0 { scale *= 10 }
            return scale * [1, 2, 5][number % 3]
        }
    }

    /// How many of the times were no longer than each bound, as cumulative histograms of monitoring systems
    /// want it. Exact for bounds of ``bounds125``. Another bound within a bucket counts those below that
    /// bucket: a quarter too low a bound at most.
    ///
    ///     summary.cumulativeCounts(upTo: TimeSummary.bounds125)
    ///
    /// - Returns: a count for each bound, in the same order. O(bounds · buckets).
    public func cumulativeCounts(upTo bounds: [Duration]) -> [Int] {
        bounds.map { bound in
            buckets.reduce(0) { sum, bucket in
                guard bucket.upperBound <= bound else { return sum }
                // Counts that were decoded may be any.
                let (all, overflow) = sum.addingReportingOverflow(bucket.count)
                return overflow ? .max : all
            }
        }
    }

    /// The percentiles and the maximum.
    public var description: String {
        "p50 \(p50.text), p90 \(p90.text), p99 \(p99.text), at most \(maximum.text) (of \(sampleCount))"
    }
}

/// Counts times in buckets, four to each power of two, so that a percentile is at most a quarter above the
/// truth: HdrHistogram's idea, with two significant bits. A bucket with one of ``TimeSummary/bounds125`` is
/// divided there. Recording is one relaxed increment.
package final class TimeHistogram: @unchecked Sendable {  // every bucket is atomic; the pointer never changes
    private static let bucketCount = bucket(of: .max) + 1

    /// A quarter of a power of two, which is one bucket or two.
    private struct Quarter {
        /// How many quarters before this one are two buckets.
        var dividedBefore = 0
        /// The largest value in the first bucket, if there are two.
        var division = UInt64.max
    }

    // Never freed, nor changed after it is made.
    private nonisolated(unsafe) static let quarters: UnsafeBufferPointer<Quarter> = {
        var bounds = TimeSummary.boundsInNanoseconds.map { UInt64($0) }[...]
        let quarters = (0...quarter(of: .max)).map { number in
            var entry = Quarter(dividedBefore: TimeSummary.bounds125.count - bounds.count)
            if let bound = bounds.first, quarter(of: bound) == number {
                entry.division = bounds.removeFirst()
            }
            return entry
        }
        let memory = UnsafeMutableBufferPointer<Quarter>.allocate(capacity: quarters.count)
        _ = memory.initialize(from: quarters)
        return UnsafeBufferPointer(memory)
    }()

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

    static func bucket(of value: UInt64) -> Int {
        let number = quarter(of: value)
        let quarter = quarters[number]
        return number + quarter.dividedBefore + (value > quarter.division ? 1 : 0)
    }

    /// The largest value that falls into a bucket.
    static func upperBound(of bucket: Int) -> UInt64 {
        // The last quarter that begins at the bucket or before it.
        let numbers = max(0, bucket - TimeSummary.bounds125.count)...min(bucket, quarters.count - 1)
        let number = numbers.last { $0 + quarters[$0].dividedBefore <= bucket } ?? 0
        let isFirst = number + quarters[number].dividedBefore == bucket
        return isFirst ? min(quarters[number].division, end(ofQuarter: number)) : end(ofQuarter: number)
    }

    /// 0…3 have quarters of their own; above, the two bits after the leading one choose the quarter.
    private static func quarter(of value: UInt64) -> Int {
        guard value >= 4 else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 1) * 4 + Int(value >> (exponent - 2) & 3)
    }

    /// The largest value of a quarter.
    private static func end(ofQuarter number: Int) -> UInt64 {
        guard number >= 4 else { return UInt64(number) }
        let (exponent, part) = (number / 4 + 1, UInt64(number % 4))
        return (4 + part) << (exponent - 2) + (1 << (exponent - 2) - 1)
    }
}
