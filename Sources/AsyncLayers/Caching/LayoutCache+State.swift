extension LayoutCache {
    /// A content and a width.
    struct Key: Hashable, Sendable {
        // A content may be long: it is hashed once, here, and not under the lock. First, since what differs
        // in it is compared no further.
        private let hash: Int
        /// In points; infinite for no bound.
        let width: Double
        let content: Content

        /// Rounds a width up to 1/1024 point, which is Pango's unit, so that text laid out in its own natural
        /// width does not lose its last word to a rounding error. Below 2⁴⁰ every step is exact in a Double.
        init(_ content: Content, _ width: Double) {
            self.content = content
            self.width = width >= 0x1p40 ? .infinity : width > 0 ? (width * 1_024).rounded(.up) / 1_024 : 0
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

        /// Ends a flight, with a layout unless it failed, and returns what makes room for that. The layout is
        /// not kept if the flight was dropped.
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
