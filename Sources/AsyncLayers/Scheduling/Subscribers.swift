import QueuePools

/// The passes that await a drawing, in the order in which they came. O(1) each, amortized; one takes no
/// memory.
@MainActor
struct Subscribers {
    private var first: LayerPass?
    /// Those behind it, with gaps where one has left; each pass knows its seat.
    private var others: [LayerPass?] = []
    private(set) var count = 1
    /// How many want each tier.
    private var tierCounts = SIMD8<Int32>.zero

    init(_ pass: LayerPass) {
        first = pass
        pass.seat = 0
        tierCounts[pass.task.tier.rawValue] = 1
    }

    mutating func append(_ pass: LayerPass) {
        others.append(pass)
        pass.seat = others.count
        count += 1
        tierCounts[pass.task.tier.rawValue] += 1
    }

    mutating func remove(_ pass: LayerPass) {
        if pass.seat == 0 { first = nil } else { others[pass.seat - 1] = nil }
        count -= 1
        tierCounts[pass.task.tier.rawValue] -= 1
        guard others.count > 2 * count + 8 else { return }
        others.removeAll { $0 == nil }
        for (index, pass) in others.enumerated() { pass?.seat = index + 1 }
    }

    mutating func setTier(_ tier: QoSTier, of pass: LayerPass) {
        tierCounts[pass.task.tier.rawValue] -= 1
        pass.task.tier = tier
        tierCounts[tier.rawValue] += 1
    }

    var highestTier: QoSTier {
        // Not by `allCases`, which makes an array for each call.
        var tier = QoSTier.userInteractive
        while tierCounts[tier.rawValue] == 0, let lower = QoSTier(rawValue: tier.rawValue - 1) {
            tier = lower
        }
        return tier
    }

    mutating func takeAll() -> Subscribers {
        defer { (first, others, count, tierCounts) = (nil, [], 0, .zero) }
        return self
    }

    func forEach(_ body: (LayerPass) -> Void) {
        if let first { body(first) }
        for case let pass? in others { body(pass) }
    }

    func first(where isMeant: (LayerPass) -> Bool) -> LayerPass? {
        if let first, isMeant(first) { return first }
        return others.lazy.compactMap(\.self).first(where: isMeant)
    }
}
