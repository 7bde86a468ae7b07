/// A queue; O(1) amortized. Elements are released by the callers that take them out.
struct FIFO<Element> {
    private(set) var elements: [Element?] = []
    private(set) var head = 0
    /// How many elements were left when it was last pruned.
    var keptCount = 0

    var count: Int { elements.count - head }

    mutating func removeAll(where isMeant: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isMeant($0) } ?? false }
        head = 0
    }

    var isEmpty: Bool { head == elements.count }

    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: consuming Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        let first = elements[head].take()
        head += 1
        // Layers at rest keep no memory for a turn in which many were displayed.
        if isEmpty, elements.capacity > 256 { (elements, head) = ([], 0) }
        if isEmpty || head >= max(64, elements.count / 2) {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }
}

extension FIFO: Sendable where Element: Sendable {}
