/// Percentiles of measured times; each is exact to within a quarter above the true value.
public struct TimeSummary: Hashable, Sendable {
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

    /// A summary of these figures; by default, of nothing.
    public init(
        sampleCount: Int = 0, p50: Duration = .zero, p90: Duration = .zero, p99: Duration = .zero,
        maximum: Duration = .zero
    ) {
        self.sampleCount = sampleCount
        self.p50 = p50
        self.p90 = p90
        self.p99 = p99
        self.maximum = maximum
    }
}
