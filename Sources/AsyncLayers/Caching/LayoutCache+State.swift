extension LayoutCache {
    /// A content and a width.
    struct Key: Hashable, Sendable {
        let content: Content
        let width: LayoutWidth
        // A content may be long: it is hashed once, here, and not under the lock.
        private let hash: Int

        init(_ content: Content, _ width: Double) {
            self.content = content
            self.width = LayoutWidth(width)
            hash = content.hashValue
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(hash)
            hasher.combine(width)
        }
    }

    /// What the cache's lock protects.
    struct State {
        var kept: LeastRecentlyUsed<Key, Layout>
        /// What is being made, unless it was dropped meanwhile.
        private var flights: [Key: SingleFlight<Layout>] = [:]
        private var hits = 0
        private var misses = 0
        private var waits = 0

        init(byteLimit: Int) {
            kept = LeastRecentlyUsed(byteLimit: byteLimit)
        }
    }

    /// What the cache has of a layout.
    enum Lookup: Sendable {
        case kept(Layout)
        /// Another thread is making it.
        case beingMade(SingleFlight<Layout>)
        /// The caller is to make it, and to end the flight.
        case toBeMade(SingleFlight<Layout>)
    }
}

extension LayoutCache.State {
    typealias Key = LayoutCache.Key

    var statistics: LayoutCacheStatistics {
        LayoutCacheStatistics(
            hits: hits, misses: misses, waits: waits, count: kept.count, bytes: kept.byteCount,
            byteLimit: kept.byteLimit)
    }

    mutating func layout(for key: Key) -> Layout? {
        let layout = kept.value(for: key)
        if layout == nil { misses += 1 } else { hits += 1 }
        return layout
    }

    mutating func find(_ key: Key) -> LayoutCache.Lookup {
        if let layout = kept.value(for: key) {
            hits += 1
            return .kept(layout)
        }
        if let flight = flights[key] {
            waits += 1
            return .beingMade(flight)
        }
        misses += 1
        let flight = SingleFlight<Layout>()
        // A content that does not equal itself, such as one with NaN in it, would stay: nothing finds it
        // again.
        if key == key { flights[key] = flight }
        return .toBeMade(flight)
    }

    /// Ends a flight that failed.
    mutating func end(_ flight: SingleFlight<Layout>, _ key: Key) {
        if flights[key] === flight { flights[key] = nil }
    }

    /// Ends a flight, and returns what makes room for the layout, which is not kept if the flight was
    /// dropped.
    mutating func end(_ flight: SingleFlight<Layout>, _ key: Key, with layout: Layout, bytes: Int) -> [Layout]
    {
        guard flights[key] === flight else { return [] }
        flights[key] = nil
        return kept.insert(layout, for: key, bytes: bytes)
    }

    /// Drops everything. O(1): moves out what was kept.
    mutating func takeAll() -> LeastRecentlyUsed<Key, Layout> {
        flights = [:]
        var former = LeastRecentlyUsed<Key, Layout>(byteLimit: kept.byteLimit)
        swap(&former, &kept)
        return former
    }
}

/// A width that layouts are made for, in steps of 1/1024 point, which is Pango's unit.
///
/// Widths are rounded up, so that text laid out in its own natural width does not lose its last word to a
/// rounding error.
struct LayoutWidth: Hashable, Sendable {
    /// From here on, in points, a width is no bound. Below it, every step is exact in a Double.
    static let unboundedFrom = 0x1p40

    private static let stepsPerPoint = 1_024.0
    private let steps: Int64

    /// Rounds a width in points. NaN and negative widths count as zero.
    init(_ points: Double) {
        if points >= Self.unboundedFrom {
            steps = .max
        } else if points > 0 {
            steps = Int64((points * Self.stepsPerPoint).rounded(.up))
        } else {
            steps = 0
        }
    }

    /// The width in points; infinite when it is no bound.
    var points: Double { steps == .max ? .infinity : Double(steps) / Self.stepsPerPoint }
}
