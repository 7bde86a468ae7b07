/// A histogram of measured times, and its percentiles; each is exact to within a quarter above the true value.
public struct TimeSummary: Hashable, Sendable {
    /// How many of the times lie within some bounds.
    public struct Bucket: Hashable, Sendable {
        /// The longest time that is counted here. The shortest is a nanosecond above the longest of the bucket
        /// below, of which there are four to each power of two.
        public var upperBound: Duration
        /// How many times were counted; in a ``TimeSummary`` of measured times one at least.
        public var count: Int

        /// A bucket of so many times.
        public init(upperBound: Duration, count: Int) {
            self.upperBound = upperBound
            self.count = count
        }
    }

    /// How many times were measured. With none, all figures are zero.
    public var sampleCount: Int
    /// Half of the times were no longer than this.
    public var p50: Duration
    /// 90 % of the times were no longer than this.
    public var p90: Duration
    /// 99 % of the times were no longer than this.
    public var p99: Duration
    /// No measured time was longer than this.
    public var maximum: Duration
    /// The histogram, from short to long times, without the buckets that hold none. What was counted between two
    /// snapshots is the difference of the counts.
    public var buckets: [Bucket]

    /// A summary of these figures; by default, of nothing.
    public init(
        sampleCount: Int = 0, p50: Duration = .zero, p90: Duration = .zero, p99: Duration = .zero,
        maximum: Duration = .zero, buckets: [Bucket] = []
    ) {
        self.sampleCount = sampleCount
        self.p50 = p50
        self.p90 = p90
        self.p99 = p99
        self.maximum = maximum
        self.buckets = buckets
    }
}
