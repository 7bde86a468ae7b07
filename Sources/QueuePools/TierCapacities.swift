/// How many jobs of each tier of a pool may wait, neither begun nor cancelled.
///
///     let pool = try DefaultQueuePool(label: "tiles", capacity: .each(100))
///     let other = try DefaultQueuePool(label: "thumbnails", capacity: [.utility: 100])
///
/// Pools throw ``PoolError`` (`.invalidCapacity`) if one is out of range. O(1) to read and change.
public struct TierCapacities: Equatable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    private var counts: [QoSTier: Int]

    private static let maximum = 1 << 30

    /// Any number of jobs in all tiers.
    public static let unlimited: Self = [:]

    /// The same number of jobs in each tier, 1…2³⁰.
    public static func each(_ count: Int) -> Self {
        var capacities = unlimited
        for tier in QoSTier.allCases { capacities[tier] = count }
        return capacities
    }

    /// Capacities of some tiers; the others are unlimited. Traps if a tier appears twice.
    public init(dictionaryLiteral elements: (QoSTier, Int)...) {
        counts = Dictionary(uniqueKeysWithValues: elements)
    }

    /// How many jobs of a tier may wait: 1…2³⁰, or nil for any number. Default: nil.
    public subscript(tier: QoSTier) -> Int? {
        get { counts[tier] }
        set { counts[tier] = newValue }
    }

    /// A text for people, for example "utility 100, background 20"; its form may change.
    public var description: String {
        let tiers = QoSTier.allCases.reversed().compactMap { tier in self[tier].map { "\(tier) \($0)" } }
        return tiers.isEmpty ? "unlimited" : tiers.joined(separator: ", ")
    }

    func validate() throws(PoolError) {
        for count in counts.values where !(1...Self.maximum).contains(count) {
            throw PoolError(
                .invalidCapacity,
                "from 1 to \(Self.maximum) jobs can be allowed to wait; \(count) was asked for")
        }
    }
}
