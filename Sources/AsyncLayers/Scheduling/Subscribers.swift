import QueuePools

/// The passes that await a drawing, in the order in which they came. O(1) each, amortized; one takes no
/// memory.
@MainActor
struct Subscribers {
    private var first: LayerPass?
    /// Those behind it, with gaps where one has left; each pass knows its seat.
    private var others: [LayerPass?] = []
    private(set) var count = 0
    /// How many want each tier, where there were several. Not in place, as that would align the drawing to 32
    /// bytes, which takes the allocator longer.
    private var tierCounts: [Int] = []

    private init() {}

    init(_ pass: LayerPass) {
        (first, count) = (pass, 1)
        pass.seat = 0
    }

    mutating func append(_ pass: LayerPass) {
        if tierCounts.isEmpty {
            tierCounts = QoSTier.allCases.map { first?.task.qos == $0 ? 1 : 0 }
        }
        others.append(pass)
        pass.seat = others.count
        count += 1
        tierCounts[pass.task.qos.rawValue] += 1
    }

    mutating func remove(_ pass: LayerPass) {
        if pass.seat == 0 { first = nil } else { others[pass.seat - 1] = nil }
        count -= 1
        if !tierCounts.isEmpty { tierCounts[pass.task.qos.rawValue] -= 1 }
        guard others.count > 2 * count + 8 else { return }
        others.removeAll { $0 == nil }
        for (index, pass) in others.enumerated() { pass?.seat = index + 1 }
    }

    mutating func setTier(_ tier: QoSTier, of pass: LayerPass) {
        if !tierCounts.isEmpty {
            tierCounts[pass.task.qos.rawValue] -= 1
            tierCounts[tier.rawValue] += 1
        }
        pass.task.qos = tier
    }

    var highestTier: QoSTier {
        guard let highest = tierCounts.lastIndex(where: { $0 > 0 }) else {
            return first?.task.qos ?? .background
        }
        return QoSTier(rawValue: highest) ?? .background
    }

    mutating func takeAll() -> Subscribers {
        var taken = Subscribers()
        swap(&taken, &self)
        return taken
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
