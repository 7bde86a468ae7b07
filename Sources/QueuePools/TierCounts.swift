/// How many queues, or threads, each tier of a pool has.
///
///     let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(4))
///     let other = try DefaultQueuePool(label: "mail", workers: WorkerOptions(threadsPerTier: [.utility:
///     64]))
///
/// Pools throw ``PoolError`` if a count is out of range. O(1) to read and change.
public struct TierCounts: Equatable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    private var counts: [QoSTier: Int]

    /// The pool chooses, for all tiers.
    public static let automatic: Self = [:]

    /// The same count for each tier.
    public static func exactly(_ count: Int) -> Self {
        var counts = automatic
        for tier in QoSTier.allCases { counts[tier] = count }
        return counts
    }

    /// Counts for some tiers; the pool chooses those of the others. Traps if a tier appears twice.
    public init(dictionaryLiteral elements: (QoSTier, Int)...) {
        counts = Dictionary(uniqueKeysWithValues: elements)
    }

    /// The count for a tier, or nil if the pool chooses it. Default: nil.
    public subscript(tier: QoSTier) -> Int? {
        get { counts[tier] }
        set { counts[tier] = newValue }
    }

    /// A text for people, for example "utility 64, background 1"; its form may change.
    public var description: String {
        let tiers = QoSTier.allCases.reversed().compactMap { tier in self[tier].map { "\(tier) \($0)" } }
        return tiers.isEmpty ? "automatic" : tiers.joined(separator: ", ")
    }

    func validate(
        _ range: ClosedRange<Int>, _ code: PoolError.Code, of things: String
    ) throws(PoolError) {
        for count in counts.values where !range.contains(count) {
            throw PoolError(
                code,
                "a tier has \(range.lowerBound) to \(range.upperBound) \(things); \(count) were asked for")
        }
    }
}
