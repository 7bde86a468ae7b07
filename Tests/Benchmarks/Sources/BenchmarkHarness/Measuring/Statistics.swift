/// A median and the quartiles around it: half of the figures lie between `low` and `high`.
///
/// Quartiles and not the extremes: on a shared machine the extremes tell what the neighbours did.
struct Spread: Equatable, Sendable {
    let median: Double
    let low: Double
    let high: Double

    /// Summarises at least one figure.
    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        median = Statistics.quantile(0.5, ofSorted: sorted)
        low = Statistics.quantile(0.25, ofSorted: sorted)
        high = Statistics.quantile(0.75, ofSorted: sorted)
    }
}

enum Statistics {
    /// The value below which this share of the figures lies, on the straight line between neighbours.
    static func quantile(_ share: Double, ofSorted figures: [Double]) -> Double {
        precondition(!figures.isEmpty, "no figures")
        let position = share * Double(figures.count - 1)
        let below = Int(position)
        let above = min(below + 1, figures.count - 1)
        return figures[below] + (figures[above] - figures[below]) * (position - Double(below))
    }

    /// The smallest figure that is no less than 99 in 100 of them: one that was really measured.
    static func percentile99(ofSorted figures: [Double]) -> Double {
        precondition(!figures.isEmpty, "no figures")
        return figures[max(0, (figures.count * 99 + 99) / 100 - 1)]
    }
}
