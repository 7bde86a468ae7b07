import Synchronization

/// Counts times in buckets that grow with the time: four to each power of two, so that a percentile
/// is at most a quarter above the truth. The idea is HdrHistogram's, with two significant bits.
///
/// Recording is one relaxed increment; nothing is ordered by it.
package final class TimeHistogram: @unchecked Sendable {  // every bucket is atomic; the pointer never changes
    private static let bucketCount = bucket(of: .max) + 1
    private let buckets: UnsafeMutablePointer<Atomic<UInt64>>

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
    }

    /// What was counted so far. *Thread-safe*; times that are recorded meanwhile may be in it or not.
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
        return TimeSummary(
            sampleCount: total, p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99),
            maximum: percentile(1), buckets: filled)
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
