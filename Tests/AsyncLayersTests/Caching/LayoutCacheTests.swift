import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Layout cache")
struct LayoutCacheTests {
    /// A layout that costs a byte a letter.
    struct Lines: Equatable, Sendable {
        let text: String
        let width: Double
    }

    typealias Cache = LayoutCache<String, Lines>

    static func cache(byteLimit: Int) -> Cache {
        Cache(byteLimit: byteLimit) { _, layout in layout.text.count }
    }

    @Test("a layout is made once for its content and width")
    func makesOnce() {
        let cache = Self.cache(byteLimit: 100)
        let made = Counter()
        func lines(_ text: String, _ width: Double) -> Lines {
            cache.layout(for: text, width: width) { width in
                made.increment()
                return Lines(text: text, width: width)
            }
        }
        #expect(lines("a", 320) == Lines(text: "a", width: 320))
        #expect(lines("a", 320) == Lines(text: "a", width: 320))
        #expect(made.value == 1)
        #expect(lines("b", 320) == Lines(text: "b", width: 320))
        #expect(lines("a", 321) == Lines(text: "a", width: 321))
        #expect(made.value == 3)
        #expect(
            cache.statistics
                == CacheStatistics(hits: 1, misses: 3, waits: 0, count: 3, bytes: 3, byteLimit: 100))
    }

    @Test("a layout is made for the rounded width of any caller")
    func roundedWidth() {
        let cache = Self.cache(byteLimit: 100)
        for width in [100.0001, 100.0005, 100.0009] {
            let lines = cache.layout(for: "a", width: width) { Lines(text: "a", width: $0) }
            #expect(lines.width == 100 + 1.0 / 1_024)
        }
        for width in [-3, .nan, 0] {
            #expect(cache.layout(for: "a", width: width) { Lines(text: "a", width: $0) }.width == 0)
        }
        #expect(cache.layout(for: "a", width: .infinity) { Lines(text: "a", width: $0) }.width == .infinity)
        #expect(cache.statistics.count == 3)
    }

    @Test("looking up does not make, and says whether the layout is there")
    func cached() {
        let cache = Self.cache(byteLimit: 100)
        #expect(cache.cached(for: "a", width: 10) == nil)
        _ = cache.layout(for: "a", width: 10) { Lines(text: "a", width: $0) }
        #expect(cache.cached(for: "a", width: 10) == Lines(text: "a", width: 10))
        #expect(cache.cached(for: "a", width: 11) == nil)
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 3)
    }

    @Test("the least recently used layouts make room, and a look-up is a use")
    func eviction() {
        let cache = Self.cache(byteLimit: 6)
        for text in ["aa", "bb", "cc"] {
            _ = cache.layout(for: text, width: 10) { Lines(text: text, width: $0) }
        }
        #expect(cache.cached(for: "aa", width: 10) != nil)
        _ = cache.layout(for: "dd", width: 10) { Lines(text: "dd", width: $0) }
        #expect(cache.cached(for: "bb", width: 10) == nil)
        #expect(cache.cached(for: "aa", width: 10) != nil)
        cache.trim(toBytes: 3)
        #expect(cache.statistics.bytes == 2)
        #expect(cache.cached(for: "aa", width: 10) != nil)
        cache.byteLimit = 1
        #expect(cache.byteLimit == 1)
        #expect(cache.statistics.count == 0)
    }

    @Test("a layout above the limit is returned, not kept, and removes no other")
    func oversized() {
        let cache = Self.cache(byteLimit: 4)
        _ = cache.layout(for: "aa", width: 10) { Lines(text: "aa", width: $0) }
        let large = cache.layout(for: "large", width: 10) { Lines(text: "large", width: $0) }
        #expect(large.text == "large")
        #expect(cache.cached(for: "large", width: 10) == nil)
        #expect(cache.cached(for: "aa", width: 10) != nil)

        let closed = Self.cache(byteLimit: -1)
        #expect(closed.layout(for: "a", width: 1) { Lines(text: "a", width: $0) }.text == "a")
        #expect(closed.statistics.count == 0)
        #expect(closed.byteLimit == 0)
    }

    @Test("a content that does not equal itself is laid out each time, and leaves nothing behind")
    func unequalContent() {
        final class Marker: Sendable {}
        struct Sized: Hashable {
            let size: Double
            let marker: Marker
            static func == (left: Sized, right: Sized) -> Bool { left.size == right.size }
            func hash(into hasher: inout Hasher) { hasher.combine(size) }
        }
        let cache = LayoutCache<Sized, Double>(byteLimit: 100) { _, _ in 1 }
        weak var held: Marker?
        for _ in 0..<3 {
            let content = Sized(size: .nan, marker: Marker())
            held = content.marker
            #expect(cache.layout(for: content, width: 10) { $0 } == 10)
        }
        #expect(held == nil)
        #expect(cache.statistics.count == 0)
        #expect(cache.statistics.misses == 3)
    }

    @Test("an error reaches the caller, and the next one tries again")
    func failure() {
        struct NoFont: Error {}
        let cache = Self.cache(byteLimit: 100)
        #expect(throws: NoFont.self) {
            try cache.layout(for: "a", width: 10) { _ throws(NoFont) in throw NoFont() }
        }
        #expect(cache.layout(for: "a", width: 10) { Lines(text: "a", width: $0) }.text == "a")
    }

    @Test("a maker may ask for other layouts")
    func nested() {
        let cache = Self.cache(byteLimit: 100)
        func lines(_ depth: Int) -> Lines {
            cache.layout(for: "\(depth)", width: 10) { width in
                let before = depth == 0 ? "" : lines(depth - 1).text
                return Lines(text: before + "\(depth)", width: width)
            }
        }
        #expect(lines(5).text == "012345")
        #expect(cache.statistics.count == 6)
        #expect(cache.statistics.waits == 0)
    }

    @Test("what is taken out at once is released on the pool's tier background")
    func releases() throws {
        let pool = try WorkerOrDispatch.pool()
        let released = Counter()
        let cache = LayoutCache<Int, LifetimeProbe>(byteLimit: 100, pool: pool) { _, _ in 1 }
        func fill() {
            for content in 0..<10 {
                _ = cache.layout(for: content, width: 10) { _ in LifetimeProbe { released.increment() } }
            }
        }
        let gate = Gate()
        try pool.async(qos: .background) { gate.pass() }
        gate.waitForArrivals()
        fill()
        cache.removeAll()
        fill()
        cache.trim(toBytes: 5)
        cache.byteLimit = 0
        #expect(released.value == 0)
        gate.open()
        pool.shutdownBlocking()
        #expect(released.value == 20)
    }
}

/// A pool with a single queue a tier, of the kind that layers use.
private enum WorkerOrDispatch {
    static func pool() throws -> any AnyPool {
        try PoolKind.allCases[PoolKind.allCases.count - 1].pool("layouts", .exactly(1))
    }
}
