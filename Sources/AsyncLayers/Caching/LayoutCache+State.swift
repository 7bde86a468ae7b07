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

    /// What the cache has of a layout.
    enum Lookup: Sendable {
        case kept(Layout)
        /// Another thread is making it.
        case beingMade(SingleFlight<Layout>)
        /// The caller is to make it, and to end the flight.
        case toBeMade(SingleFlight<Layout>)
    }

    /// What the cache's lock protects.
    struct State {
        var kept: LeastRecentlyUsed<Key, Layout>
        /// What is being made, unless it was dropped meanwhile.
        private var flights: [Key: SingleFlight<Layout>] = [:]
        private var waits = 0

        init(byteLimit: Int) {
            kept = LeastRecentlyUsed(byteLimit: byteLimit)
        }

        var statistics: LayoutCacheStatistics {
            LayoutCacheStatistics(
                hits: kept.hitCount, misses: kept.missCount - waits, waits: waits, count: kept.count,
                bytes: kept.byteCount, byteLimit: kept.byteLimit)
        }

        mutating func find(_ key: Key) -> Lookup {
            if let layout = kept.value(for: key) { return .kept(layout) }
            if let flight = flights[key] {
                waits += 1
                return .beingMade(flight)
            }
            let flight = SingleFlight<Layout>()
            // A content that does not equal itself, such as one with NaN in it, would stay: nothing finds it
            // again.
            if key == key { flights[key] = flight }
            return .toBeMade(flight)
        }

        /// Ends a flight, with a layout unless it failed, and returns what makes room for that. It is not kept
        /// if the flight was dropped.
        mutating func end(
            _ flight: SingleFlight<Layout>, _ key: Key, with made: (layout: Layout, bytes: Int)?
        ) -> [Layout] {
            guard flights[key] === flight else { return [] }
            flights[key] = nil
            return made.map { kept.insert($0.layout, for: key, bytes: $0.bytes) } ?? []
        }

        /// Drops everything, and moves out what was kept. O(1).
        mutating func takeAll() -> LeastRecentlyUsed<Key, Layout> {
            flights = [:]
            return kept.takeAll()
        }
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
