/// What is kept by key, and what is on its way, so that of several callers that need the same value one makes
/// it. A value without a lock, under both caches. What a flight is differs: a layout's is waited for
/// (``SingleFlight``); passes subscribe to a ``Drawing``, on the main actor, which must not block.
struct SingleFlightCache<Key: Hashable & Sendable, Value: Sendable, Shared: AnyObject & Sendable>: Sendable {
    var kept: LeastRecentlyUsed<Key, Value>
    /// What is on its way, unless it was dropped meanwhile.
    private(set) var flights: [Key: Shared] = [:]
    /// How many look-ups found a flight.
    private var waitCount = 0

    init(byteLimit: Int) { kept = LeastRecentlyUsed(byteLimit: byteLimit) }

    var statistics: CacheStatistics {
        CacheStatistics(
            hits: kept.hitCount, misses: kept.missCount - waitCount, waits: waitCount, count: kept.count,
            bytes: kept.byteCount, byteLimit: kept.byteLimit)
    }

    /// Returns what is kept, or else the flight, or nothing: then the caller may begin one.
    mutating func find(_ key: Key) -> (value: Value?, flight: Shared?) {
        if let value = kept.value(for: key) { return (value, nil) }
        guard let flight = flights[key] else { return (nil, nil) }
        waitCount += 1
        return (nil, flight)
    }

    /// Enters a flight, in the place of an older one; not one whose key does not equal itself, such as one
    /// with NaN in it: nothing would find or remove it.
    mutating func begin(_ flight: Shared, for key: Key) {
        if key == key { flights[key] = flight }
    }

    /// Ends a flight. Returns false if it was dropped, or another has taken its place.
    mutating func end(_ flight: Shared, for key: Key) -> Bool {
        guard flights[key] === flight else { return false }
        flights[key] = nil
        return true
    }

    /// Drops everything, and moves out what was kept. O(1).
    mutating func takeAll() -> LeastRecentlyUsed<Key, Value> {
        flights = [:]
        return kept.takeAll()
    }
}

/// What a ``ContentsCache`` or a ``LayoutCache`` has done since it was made, and what it holds.
public struct CacheStatistics: Equatable, Sendable, CustomStringConvertible {
    /// Look-ups that found a value.
    public let hits: Int
    /// Look-ups that found none.
    public let misses: Int
    /// Look-ups that found a value being made, which most of them then wait for.
    public let waits: Int
    /// How many values are kept.
    public let count: Int
    /// The bytes of the kept values: by the renderer's count, or the cache's `byteCount` closure.
    public let bytes: Int
    /// The most bytes of kept values.
    public let byteLimit: Int

    /// Such as "values 3, 120 of 1000 bytes, hits 5, misses 3, waits 0".
    public var description: String {
        "values \(count), \(bytes) of \(byteLimit) bytes, hits \(hits), misses \(misses), waits \(waits)"
    }
}
