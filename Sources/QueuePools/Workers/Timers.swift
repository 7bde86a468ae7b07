/// What is to happen later, the earliest first: a binary heap. What is due at the same time comes out in the
/// order it went in.
struct Timers<Element> {
    private var heap: [(deadline: UInt64, turn: UInt64, element: Element)] = []
    private var turns: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }

    /// When the earliest is due, in nanoseconds of the monotonic clock; `.max` if there is none.
    var nextDeadline: UInt64 { heap.first?.deadline ?? .max }

    /// O(log *n*).
    mutating func insert(_ element: Element, at deadline: UInt64) {
        heap.append((deadline, turns, element))
        turns += 1
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the earliest if it is due. O(log *n*).
    mutating func takeDue(at now: UInt64) -> Element? {
        guard nextDeadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        let due = heap.removeLast().element
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: isBefore), isBefore(least, parent) else { return due }
            heap.swapAt(least, parent)
            parent = least
        }
    }

    /// Takes out those that meet a condition. O(*n* log *n*).
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        heap.removeAll { isRemoved($0.element) }
        heap.sort { ($0.deadline, $0.turn) < ($1.deadline, $1.turn) }  // what is in order is a heap
    }

    /// Takes out all of them.
    mutating func takeAll() -> [Element] {
        defer { heap = [] }
        return heap.map(\.element)
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].deadline, heap[a].turn) < (heap[b].deadline, heap[b].turn)
    }
}
