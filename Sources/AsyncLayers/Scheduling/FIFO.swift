/// A list that is added to at its end and taken from at its beginning; O(1) each, amortised.
///
/// It lets go of nothing by itself: whatever is taken out is the caller's from then on.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0
    /// How many it held when it was last looked through.
    var keptCount = 0

    var count: Int { elements.count - head }

    mutating func removeAll(where isMeant: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isMeant($0) } ?? false }
        head = 0
    }

    var isEmpty: Bool { head == elements.count }

    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        if isEmpty { return nil }
        let first = elements[head].take()
        head += 1
        if isEmpty || head >= max(64, elements.count / 2) {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }
}
