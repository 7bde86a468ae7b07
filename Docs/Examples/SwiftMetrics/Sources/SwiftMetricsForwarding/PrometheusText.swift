public import QueuePools

/// Writes metrics in the text format that Prometheus reads, version 0.0.4.
public struct PrometheusText: Sendable {
    /// The type of a metric.
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    /// A line of a metric.
    public struct Sample: Sendable {
        private let text: String

        /// - Parameters:
        ///   - labels: names and values, which are written in this order.
        ///   - suffix: what follows the metric's name, for histograms. Default: nothing.
        public init(_ labels: [(String, String)], _ value: Double, suffix: String = "") {
            let labels = labels.map { "\($0)=\"\(escaped($1).replacing("\"", with: "\\\""))\"" }
            let set = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text = "\(suffix)\(set) \(decimal(value))"
        }

        fileprivate func line(of name: String) -> String { "\(name)\(text)\n" }
    }

    /// What was written so far.
    public private(set) var text = ""

    /// Begins with an empty text.
    public init() {}

    /// Writes a metric with all its samples, which the format wants together.
    ///
    /// - Parameters:
    ///   - name: that of a counter ends in `_total`. It is written as it is, as are the names of labels.
    ///   - help: a sentence for people.
    public mutating func add(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        text += "# HELP \(name) \(escaped(help))\n# TYPE \(name) \(kind)\n"
        for sample in samples { text += sample.line(of: name) }
    }

    /// Writes what a pool counts: `queue_pool_jobs_submitted_total{pool="…",tier="utility"}` and so on. From
    /// these figures alone a hot key, a long job, a full class and a starved tier are told apart: the README
    /// has the rules.
    ///
    /// - Parameters:
    ///   - label: tells pools apart.
    ///   - bounds: those of the histograms of times, ascending. Default: 1, 2, 5, 10 µs and so on up to 10 s,
    ///     for which the counts are exact.
    public mutating func add(
        _ statistics: PoolStatistics, ofPool label: String, bounds: [Duration] = TimeSummary.bounds125
    ) {
        let tiers = statistics.tiers.sorted { $0.key > $1.key }.map { tier, figures in
            (labels: [("pool", label), ("tier", tier.name)], figures: figures)
        }
        func add(_ figures: [TierFigure<Int>], _ kind: Kind, _ suffix: String) {
            for figure in figures {
                self.add(
                    "queue_pool_\(figure.name)\(suffix)", figure.help, kind,
                    tiers.map { Sample($0.labels, Double(figure.value($0.figures))) })
            }
        }
        add(TierFigure.counters, .counter, "_total")
        add(TierFigure.gauges, .gauge, "")
        func add(
            _ name: String, _ help: String, _ value: (TierStatistics) -> Double?,
            labels: (TierStatistics) -> [(String, String)] = { _ in [] }
        ) {
            let samples = tiers.compactMap { tier in
                value(tier.figures).map { Sample(tier.labels + labels(tier.figures), $0) }
            }
            self.add("queue_pool_\(name)", help, .gauge, samples)
        }
        let (capacity, fullestQueue) = (TierFigure.capacity, TierFigure.fullestQueue)
        add(capacity.name, capacity.help) { capacity.value($0).map { Double($0) } }
        add(fullestQueue.name, fullestQueue.help) {
            fullestQueue.value($0).map { Double($0) }
        } labels: {
            [("queue", $0.fullestQueue?.label ?? "")]
        }
        for age in TierFigure.ages {
            add("\(age.name)_seconds", age.help) { age.value($0).map { $0 / .seconds(1) } }
        }
        for figure in TierFigure.times {
            self.add(
                "queue_pool_\(figure.name)_seconds", figure.help, .histogram,
                tiers.flatMap { tier in
                    let times = figure.value(tier.figures)
                    let names = bounds.map { decimal($0 / .seconds(1)) } + ["+Inf"]
                    let counts = times.cumulativeCounts(upTo: bounds) + [times.sampleCount]
                    let buckets = zip(names, counts).map { bound, count in
                        Sample(tier.labels + [("le", bound)], Double(count), suffix: "_bucket")
                    }
                    return buckets + [
                        Sample(tier.labels, times.sum / .seconds(1), suffix: "_sum"),
                        Sample(tier.labels, Double(times.sampleCount), suffix: "_count"),
                    ]
                })
        }
    }
}

private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
}

/// Whole numbers without a fraction, as people write them.
private func decimal(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }
