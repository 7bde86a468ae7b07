/// What is kept by key, and what is on its way, so that of several callers that need the same value one makes
/// it. A value without a lock, under both caches. What a flight is differs: a layout's is waited for
/// (``SingleFlight``); a draw is followed by others, on the main actor, which must not block.
struct SingleFlightCache<Key: Hashable & Sendable, Value: Sendable, Shared: AnyObject & Sendable>: Sendable {
    var kept: LeastRecentlyUsed<Key, Value>
    /// What is on its way, unless it was dropped meanwhile.
    private(set) var flights: [Key: Shared] = [:]
    /// How many look-ups found a flight.
    private(set) var waitCount = 0

    init(byteLimit: Int) { kept = LeastRecentlyUsed(byteLimit: byteLimit) }

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
