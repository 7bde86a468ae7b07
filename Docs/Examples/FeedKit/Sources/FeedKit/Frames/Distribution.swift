/// The middle, the tail and the end of many measurements. Percentiles are by nearest rank: the smallest
/// measurement that at least so many per cent of all do not exceed. All are 0 when there was no measurement.
public struct Distribution: Codable, Equatable, Sendable {
    /// Half of the measurements are no larger.
    public var p50: Double
    /// 99 of 100 measurements are no larger.
    public var p99: Double
    /// The largest measurement.
    public var max: Double

    /// Sorts the measurements; those that are not finite are left out.
    public init(_ measurements: [Double]) {
        let sorted = measurements.filter(\.isFinite).sorted()
        p50 = Distribution.percentile(50, of: sorted)
        p99 = Distribution.percentile(99, of: sorted)
        max = sorted.last ?? 0
    }

    /// The nearest-rank percentile of sorted measurements.
    public static func percentile(_ percent: Int, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = (sorted.count * percent + 99) / 100
        return sorted[Swift.min(Swift.max(rank, 1), sorted.count) - 1]
    }
}
