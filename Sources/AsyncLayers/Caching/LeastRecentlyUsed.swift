/// Values by key, limited in bytes: the least recently used make room for new ones.
///
/// Values that leave are returned, so that the caller can release large ones after its lock, or on another
/// thread. Keys are released in here.
///
/// All entries lie in one array and are linked in the order of their use through its indices, so that an
/// entry takes no allocation; the slots of removed entries form a free list. Operations are O(1) amortized,
/// or O(removed entries).
///
/// A value without a lock: the caches of pictures and layouts protect theirs.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    /// The bytes of all values together; never above ``byteLimit``.
    private(set) var byteCount = 0

    /// The most bytes of the values; never negative. Zero keeps nothing.
    private(set) var byteLimit: Int

    fileprivate struct Entry {
        let key: Key
        let value: Value
        let bytes: Int
    }

    fileprivate struct Slot {
        /// Nil while the slot is free.
        var entry: Entry?
        /// The entry that was used next after this one.
        var newer: Int
        /// The entry that was used last before this one; in a free slot, the next free one.
        var older: Int
    }

    private static var none: Int { -1 }

    private var slots: [Slot] = []
    private var indices: [Key: Int] = [:]
    private var newest = Self.none
    private var oldest = Self.none
    private var firstFree = Self.none

    /// Makes an empty store; a negative limit counts as zero.
    init(byteLimit: Int) {
        self.byteLimit = max(byteLimit, 0)
    }

    /// How many values are kept.
    var count: Int { indices.count }

    /// The keys, from the most recently used to the least. O(n).
    var keys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        var index = newest
        while index != Self.none {
            if let entry = slots[index].entry { keys.append(entry.key) }
            index = slots[index].older
        }
        return keys
    }

    /// The value of a key, which counts as used now.
    mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        touch(index)
        return slots[index].entry?.value
    }

    /// Keeps a value as the most recently used one, and makes room for it.
    ///
    /// - Parameters:
    ///   - value: what is kept.
    ///   - key: what it is found by. One that does not equal itself finds nothing, and its value is not kept.
    ///   - bytes: the value's cost. Less than 1 counts as 1, so that no value is free.
    /// - Returns: what is no longer kept: the key's former value, the values that made room, or the new value
    ///   itself if it is larger than the limit.
    mutating func insert(_ value: Value, for key: Key, bytes: Int) -> [Value] {
        // Not a key with NaN in it: it would never be found again, not even to be removed.
        guard key == key else { return [value] }
        let bytes = max(bytes, 1)
        var released: [Value] = []
        if let former = removeValue(for: key) { released.append(former) }
        guard bytes <= byteLimit else {
            released.append(value)
            return released
        }
        // A difference: the sum may overflow.
        evict(downTo: byteLimit - bytes, into: &released)
        let index = takeSlot(Entry(key: key, value: value, bytes: bytes))
        indices[key] = index
        linkAsNewest(index)
        byteCount += bytes
        return released
    }

    /// Removes the value of a key and returns it.
    mutating func removeValue(for key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        return vacate(index)?.value
    }

    /// Removes the least recently used values until the rest takes at most this many bytes, and returns them,
    /// the least recently used first. Negative counts as zero.
    mutating func trim(toBytes bytes: Int) -> [Value] {
        guard bytes > 0 else { return removeAll() }
        var released: [Value] = []
        evict(downTo: bytes, into: &released)
        return released
    }

    /// Changes the limit and returns the values that it no longer allows. A negative limit counts as zero.
    mutating func setByteLimit(_ limit: Int) -> [Value] {
        byteLimit = max(limit, 0)
        return trim(toBytes: byteLimit)
    }

    /// Removes everything, releases the memory, and returns the values, the least recently used first.
    mutating func removeAll() -> [Value] {
        var released: [Value] = []
        released.reserveCapacity(count)
        var index = oldest
        while index != Self.none {
            if let entry = slots[index].entry { released.append(entry.value) }
            index = slots[index].newer
        }
        self = Self(byteLimit: byteLimit)
        return released
    }

    private mutating func evict(downTo bytes: Int, into released: inout [Value]) {
        while byteCount > bytes, oldest != Self.none {
            guard let entry = vacate(oldest) else { return }
            indices[entry.key] = nil
            released.append(entry.value)
        }
    }
}

extension LeastRecentlyUsed {
    private mutating func touch(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        linkAsNewest(index)
    }

    private mutating func takeSlot(_ entry: Entry) -> Int {
        guard firstFree != Self.none else {
            slots.append(Slot(entry: entry, newer: Self.none, older: Self.none))
            return slots.count - 1
        }
        let index = firstFree
        firstFree = slots[index].older
        slots[index].entry = entry
        return index
    }

    /// Empties a slot and puts it on the free list; the entry's key must be taken out of the dictionary too.
    private mutating func vacate(_ index: Int) -> Entry? {
        unlink(index)
        let entry = slots[index].entry
        slots[index] = Slot(entry: nil, newer: Self.none, older: firstFree)
        firstFree = index
        byteCount -= entry?.bytes ?? 0
        return entry
    }

    private mutating func linkAsNewest(_ index: Int) {
        slots[index].newer = Self.none
        slots[index].older = newest
        if newest != Self.none { slots[newest].newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (slots[index].newer, slots[index].older)
        if newer != Self.none { slots[newer].older = older } else { newest = older }
        if older != Self.none { slots[older].newer = newer } else { oldest = newer }
    }
}

extension LeastRecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecentlyUsed.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecentlyUsed.Slot: Sendable where Key: Sendable, Value: Sendable {}
