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

    /// How many look-ups found a value.
    private(set) var hitCount = 0

    /// How many look-ups found none.
    private(set) var missCount = 0

    fileprivate struct Slot {
        /// Nil in a free slot, and in the first one, as is the value.
        var key: Key?
        var value: Value?
        var bytes = 0
        /// The slot of the entry that was used next after this one.
        var newer = 0
        /// The slot of the entry that was used last before this one; in a free slot, the next free one.
        var older = 0
    }

    /// The first slot has no entry: it closes the list to a ring, after the newest and before the oldest one.
    private var slots = [Slot()]
    private var indices: [Key: Int] = [:]
    /// 0 for none.
    private var firstFree = 0

    /// Makes an empty store; a negative limit counts as zero.
    init(byteLimit: Int) {
        self.byteLimit = max(byteLimit, 0)
    }

    /// How many values are kept.
    var count: Int { indices.count }

    /// The value of a key, which counts as used now.
    mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else {
            missCount += 1
            return nil
        }
        hitCount += 1
        unlink(index)
        linkAsNewest(index)
        return slots[index].value
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
        let index = takeSlot()
        (slots[index].key, slots[index].value, slots[index].bytes) = (key, value, bytes)
        indices[key] = index
        linkAsNewest(index)
        byteCount += bytes
        return released
    }

    /// Removes the value of a key and returns it.
    mutating func removeValue(for key: Key) -> Value? {
        indices[key].flatMap { vacate($0) }
    }

    /// Removes the least recently used values until the rest takes at most this many bytes, and returns them,
    /// the least recently used first. Zero or less removes all, and releases the memory.
    mutating func trim(toBytes bytes: Int) -> [Value] {
        // Not one by one, which would compare keys.
        guard bytes > 0 else { return takeAll().values }
        var released: [Value] = []
        evict(downTo: bytes, into: &released)
        return released
    }

    private var values: [Value] {
        sequence(first: slots[0].newer) { slots[$0].newer }.prefix { $0 != 0 }
            .compactMap { slots[$0].value }
    }

    /// Changes the limit and returns the values that it no longer allows. A negative limit counts as zero.
    mutating func setByteLimit(_ limit: Int) -> [Value] {
        byteLimit = max(limit, 0)
        return trim(toBytes: byteLimit)
    }

    /// Moves everything out. O(1).
    mutating func takeAll() -> Self {
        defer { (slots, indices, firstFree, byteCount) = ([Slot()], [:], 0, 0) }
        return self
    }

    private mutating func evict(downTo bytes: Int, into released: inout [Value]) {
        while byteCount > bytes, let value = vacate(slots[0].newer) { released.append(value) }
    }

    private mutating func takeSlot() -> Int {
        guard firstFree != 0 else {
            slots.append(Slot())
            return slots.count - 1
        }
        defer { firstFree = slots[firstFree].older }
        return firstFree
    }

    /// Removes the entry of a slot, which goes to the free list.
    private mutating func vacate(_ index: Int) -> Value? {
        guard let key = slots[index].key else { return nil }
        indices[key] = nil
        unlink(index)
        let former = slots[index]
        slots[index] = Slot(older: firstFree)
        firstFree = index
        byteCount -= former.bytes
        return former.value
    }

    private mutating func linkAsNewest(_ index: Int) {
        let newest = slots[0].older
        (slots[index].newer, slots[index].older) = (0, newest)
        slots[newest].newer = index
        slots[0].older = index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (slots[index].newer, slots[index].older)
        slots[newer].older = older
        slots[older].newer = newer
    }
}

extension LeastRecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecentlyUsed.Slot: Sendable where Key: Sendable, Value: Sendable {}
