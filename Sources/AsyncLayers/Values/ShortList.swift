/// A list that is nearly always empty or of one element, which takes no memory then.
struct ShortList<Element> {
    private var head: Element?
    /// Empty without a head.
    private var tail: [Element] = []

    init(_ element: consuming Element? = nil) { head = element }

    mutating func append(_ element: consuming Element) {
        if head == nil { head = element } else { tail.append(element) }
    }

    /// Removes an element, in time that grows with the number of those behind it.
    mutating func remove(at index: Int) -> Element {
        defer { if tail.isEmpty { tail = [] } }  // keeps no memory
        guard index == 0, let first = head.take() else { return tail.remove(at: index - 1) }
        if !tail.isEmpty { head = tail.removeFirst() }
        return first
    }

    mutating func popFirst() -> Element? { head == nil ? nil : remove(at: 0) }
}

extension ShortList: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    subscript(index: Int) -> Element {
        get {
            guard index == 0, let head else { return tail[index - 1] }
            return head
        }
        set { if index == 0 { head = newValue } else { tail[index - 1] = newValue } }
    }
}

extension ShortList: Equatable where Element: Equatable {}
extension ShortList: Hashable where Element: Hashable {}
