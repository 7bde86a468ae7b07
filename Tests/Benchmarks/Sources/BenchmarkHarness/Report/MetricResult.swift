/// What one metric of a benchmark came to, for all contenders.
struct MetricResult: Sendable {
    let metric: Metric
    let rounds: Int
    let entries: [Entry]

    struct Entry: Sendable {
        let contender: String
        let value: Spread
        /// The median of the rounds' 99th percentiles.
        let p99: Double?
        /// The contender's median divided by ours; nil where ours was not measured, or measured as nothing.
        let ratio: Double?
        /// Quartiles of the ratio to ours within one round.
        let ratioSpread: Spread?
    }

    /// Summarises the readings of each contender, one for each round.
    init(_ metric: Metric, readings: [(contender: String, rounds: [Reading])]) {
        self.metric = metric
        rounds = readings.first?.rounds.count ?? 0
        let ours = readings.first { $0.contender == metric.ours }?.rounds
        entries = readings.map { contender, rounds in
            let value = Spread(rounds.map(\.value))
            let p99s = rounds.compactMap(\.p99)
            return Entry(
                contender: contender, value: value, p99: p99s.isEmpty ? nil : Spread(p99s).median,
                ratio: ours.flatMap { ours in
                    let reference = Spread(ours.map(\.value)).median
                    return reference > 0 ? value.median / reference : nil
                },
                ratioSpread: ours.flatMap { MetricResult.ratios(of: rounds, to: $0) })
        }
    }

    private static func ratios(of rounds: [Reading], to ours: [Reading]) -> Spread? {
        let ratios = zip(rounds, ours).filter { $1.value > 0 }.map { $0.value / $1.value }
        return ratios.isEmpty ? nil : Spread(ratios)
    }
}
