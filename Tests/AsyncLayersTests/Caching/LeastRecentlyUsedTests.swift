import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Least recently used")
struct LeastRecentlyUsedTests {
    typealias Store = LeastRecentlyUsed<Int, String>

    @Test("the least recently used leaves first, and a look-up is a use")
    func order() {
        var store = Store(byteLimit: 30)
        #expect(store.insert("a", for: 1, bytes: 10) == [])
        #expect(store.insert("b", for: 2, bytes: 10) == [])
        #expect(store.insert("c", for: 3, bytes: 10) == [])
        #expect(store.value(for: 1) == "a")
        #expect(store.values == ["b", "c", "a"])
        #expect(store.insert("d", for: 4, bytes: 15) == ["b", "c"])
        #expect(store.values == ["a", "d"])
        #expect(store.byteCount == 25)
        #expect(store.count == 2)
    }

    @Test("a key's new value takes the place of the former one, which is returned")
    func replacement() {
        var store = Store(byteLimit: 20)
        _ = store.insert("a", for: 1, bytes: 15)
        _ = store.insert("b", for: 2, bytes: 5)
        #expect(store.insert("A", for: 1, bytes: 15) == ["a"])
        #expect(store.value(for: 1) == "A")
        #expect(store.value(for: 2) == "b")
        #expect(store.byteCount == 20)
    }

    @Test("a value above the limit is not kept and drives nothing out but its key's former value")
    func oversized() {
        var store = Store(byteLimit: 20)
        _ = store.insert("a", for: 1, bytes: 10)
        _ = store.insert("b", for: 2, bytes: 10)
        #expect(store.insert("B", for: 2, bytes: 21) == ["b", "B"])
        #expect(store.value(for: 2) == nil)
        #expect(store.values == ["a"])
        #expect(store.insert("whole", for: 3, bytes: 20) == ["a"])
        #expect(store.byteCount == 20)
    }

    @Test("invalid costs and limits are raised, and no sum overflows")
    func extremes() {
        var store = Store(byteLimit: .max)
        #expect(store.insert("a", for: 1, bytes: .max) == [])
        #expect(store.insert("b", for: 2, bytes: .max) == ["a"])
        #expect(store.insert("c", for: 3, bytes: .max - 1) == ["b"])
        #expect(store.insert("d", for: 4, bytes: .min) == [])
        #expect(store.byteCount == .max)
        #expect(store.insert("e", for: 5, bytes: 0) == ["c"])
        #expect(store.byteCount == 2)
        #expect(store.trim(toBytes: .min) == ["d", "e"])

        var closed = Store(byteLimit: .min)
        #expect(closed.byteLimit == 0)
        #expect(closed.insert("a", for: 1, bytes: -5) == ["a"])
        #expect(closed.count == 0)
    }

    @Test("a value whose key does not equal itself is returned at once, and leaves nothing behind")
    func unequalKey() {
        var store = LeastRecentlyUsed<Double, Int>(byteLimit: 3)
        for value in 0..<10 { #expect(store.insert(value, for: .nan, bytes: 1) == [value]) }
        #expect(store.count == 0)
        #expect(store.byteCount == 0)
        #expect(store.insert(7, for: 1, bytes: 3) == [])
        #expect(store.insert(8, for: .nan, bytes: 3) == [8])
        #expect(store.values == [7])
    }

    @Test("trimming, lowering the limit and removing all return what leaves, oldest first")
    func shrinking() {
        var store = Store(byteLimit: 100)
        for key in 0..<10 { _ = store.insert("\(key)", for: key, bytes: 10) }
        #expect(store.trim(toBytes: 79) == ["0", "1", "2"])
        #expect(store.trim(toBytes: 79) == [])
        #expect(store.byteCount == 70)
        #expect(store.setByteLimit(50) == ["3", "4"])
        #expect(store.insert("x", for: 10, bytes: 10) == ["5"])
        #expect(store.removeValue(for: 8) == "8")
        #expect(store.removeValue(for: 8) == nil)
        #expect(store.trim(toBytes: 0) == ["6", "7", "9", "x"])
        #expect(store.byteCount == 0)
        #expect(store.count == 0)
        #expect(store.byteLimit == 50)
        #expect(store.insert("y", for: 1, bytes: 50) == [])
        #expect(store.setByteLimit(-1) == ["y"])
    }

    @Test("nothing is held once it has left")
    func releases() {
        var store = LeastRecentlyUsed<Int, LifetimeProbe>(byteLimit: 2)
        let released = Counter()
        for key in 0..<5 {
            _ = store.insert(LifetimeProbe { released.increment() }, for: key, bytes: 1)
        }
        #expect(released.value == 3)
        _ = store.removeValue(for: 4)
        #expect(released.value == 4)
        _ = store.takeAll()
        #expect(released.value == 5)
    }

    @Test("agrees with a list that is searched from end to end", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var store = Store(byteLimit: 400)
        var model = NaiveStore(byteLimit: 400)
        for step in 0..<100_000 {
            let key = Int.random(in: 0..<60, using: &generator)
            switch Int.random(in: 0..<1_000, using: &generator) {
            case 0:
                #expect(store.trim(toBytes: 0) == model.trim(toBytes: 0))
            case 1..<6:
                let bytes = Int.random(in: -10...400, using: &generator)
                #expect(store.trim(toBytes: bytes) == model.trim(toBytes: bytes))
            case 6..<10:
                let limit = Int.random(in: 300...500, using: &generator)
                #expect(store.setByteLimit(limit) == model.setByteLimit(limit))
            case 10..<100:
                #expect(store.removeValue(for: key) == model.removeValue(for: key))
            case 100..<500:
                let bytes = Int.random(in: -2...30, using: &generator) * (key % 20 == 0 ? 17 : 1)
                let value = "\(step)"
                #expect(
                    store.insert(value, for: key, bytes: bytes)
                        == model.insert(value, for: key, bytes: bytes))
            default:
                #expect(store.value(for: key) == model.value(for: key))
            }
            guard
                store.byteCount == model.byteCount, store.count == model.entries.count,
                step % 10 > 0 || store.values == model.entries.map(\.value)
            else {
                Issue.record("differs from the model after step \(step) of seed \(seed)")
                return
            }
        }
    }
}

extension LeastRecentlyUsed {
    /// The values, the least recently used first.
    fileprivate var values: [Value] {
        var copy = self
        return copy.trim(toBytes: 0)
    }
}

/// What ``LeastRecentlyUsed`` must do, in the plainest words: a list, the least recently used entry first.
private struct NaiveStore {
    var byteLimit: Int
    var entries: [(key: Int, value: String, bytes: Int)] = []

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var byteCount: Int { entries.reduce(0) { $0 + $1.bytes } }

    mutating func value(for key: Int) -> String? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.value
    }

    mutating func removeValue(for key: Int) -> String? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        return entries.remove(at: index).value
    }

    mutating func insert(_ value: String, for key: Int, bytes: Int) -> [String] {
        let bytes = bytes < 1 ? 1 : bytes
        var released: [String] = []
        if let former = removeValue(for: key) { released.append(former) }
        if bytes > byteLimit { return released + [value] }
        while byteCount + bytes > byteLimit { released.append(entries.removeFirst().value) }
        entries.append((key, value, bytes))
        return released
    }

    mutating func trim(toBytes bytes: Int) -> [String] {
        var released: [String] = []
        while byteCount > max(bytes, 0) { released.append(entries.removeFirst().value) }
        return released
    }

    mutating func setByteLimit(_ limit: Int) -> [String] {
        byteLimit = limit
        return trim(toBytes: limit)
    }
}
