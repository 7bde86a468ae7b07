public import Metrics
public import QueuePools

/// Forwards a pool's statistics to swift-metrics, and so to the backend that the program has chosen.
///
///     var metrics = PoolMetrics(pool: pool.label)
///     while true {
///         metrics.record(pool.statistics)
///         try await Task.sleep(for: .seconds(10))
///     }
///
/// - Counters: `queue_pool.jobs_submitted`, `…_refused`, `…_finished`, `…_cancelled`, `…_expired`,
///   `…_moved_in`, `…_moved_out`, `queue_pool.thread_failures`, `queue_pool.scheduling_failures`.
/// - Meters: `queue_pool.jobs_waiting_for_room`, `…_delayed`, `…_waiting`, `…_running`, `queue_pool.threads`,
///   `queue_pool.capacity`, `queue_pool.fullest_queue_jobs_waiting`; and in seconds, with a `JobObservation`,
///   `queue_pool.longest_wait`, `queue_pool.longest_run`. The capacity is not recorded if there is none.
/// - Timers: `queue_pool.wait`, `queue_pool.run`.
///
/// All have the dimensions `pool` and `tier`. A timer gets the times that the pool measured (of one job in
/// sixteen, or of all with a `JobObservation`), each as the bound of its bucket: at most a quarter too long.
public struct PoolMetrics: Sendable {
    fileprivate struct Tier: Sendable {
        let counters: [Counter]
        let meters: [Meter]
        let capacity: Meter
        let fullestQueue: Meter
        let ages: [Meter]
        let timers: [Timer]
        /// What the counters and the timers have by now.
        var counts = TierFigure.counters.map { _ in 0 }
        var buckets = TierFigure.times.map { _ in [Duration: Int]() }
    }

    private var tiers: [QoSTier: Tier]

    /// Makes the metrics, all of them now.
    ///
    /// - Parameters:
    ///   - pool: tells pools apart.
    ///   - prefix: what the labels begin with. Default: `queue_pool`.
    ///   - factory: the backend. Default: the one that the program was bootstrapped with.
    public init(
        pool: String, prefix: String = "queue_pool", factory: any MetricsFactory = MetricsSystem.factory
    ) {
        tiers = QoSTier.allCases.reduce(into: [:]) { tiers, tier in
            let dimensions = [("pool", pool), ("tier", tier.name)]
            func meter(_ name: String) -> Meter {
                Meter(label: "\(prefix).\(name)", dimensions: dimensions, factory: factory)
            }
            tiers[tier] = Tier(
                counters: TierFigure.counters.map {
                    Counter(label: "\(prefix).\($0.name)", dimensions: dimensions, factory: factory)
                },
                meters: TierFigure.gauges.map { meter($0.name) },
                capacity: meter(TierFigure.capacity.name),
                fullestQueue: meter(TierFigure.fullestQueue.name),
                ages: TierFigure.ages.map { meter($0.name) },
                timers: TierFigure.times.map {
                    Timer(label: "\(prefix).\($0.name)", dimensions: dimensions, factory: factory)
                })
        }
    }

    /// Forwards what has changed since the last call. O(tiers · buckets + measured times).
    public mutating func record(_ statistics: PoolStatistics) {
        for (tier, figures) in statistics.tiers { tiers[tier]?.record(figures) }
    }
}

extension PoolMetrics.Tier {
    fileprivate mutating func record(_ figures: TierStatistics) {
        for (index, figure) in TierFigure.counters.enumerated() {
            // Below zero for a moment, if a job moved while the former figures were read.
            let new = figure.value(figures) - counts[index]
            guard new > 0 else { continue }
            counts[index] += new
            counters[index].increment(by: new)
        }
        for (meter, figure) in zip(meters, TierFigure.gauges) { meter.set(figure.value(figures)) }
        if let count = TierFigure.capacity.value(figures) { capacity.set(count) }
        fullestQueue.set(TierFigure.fullestQueue.value(figures) ?? 0)
        for (meter, figure) in zip(ages, TierFigure.ages) {
            if let age = figure.value(figures) { meter.set(age / .seconds(1)) }
        }
        for (index, figure) in TierFigure.times.enumerated() {
            for bucket in figure.value(figures).buckets {
                let known = buckets[index].updateValue(bucket.count, forKey: bucket.upperBound) ?? 0
                for _ in known..<max(known, bucket.count) {
                    timers[index].record(duration: bucket.upperBound)
                }
            }
        }
    }
}
