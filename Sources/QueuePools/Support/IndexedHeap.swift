/// An element of an ``IndexedHeap``.
package protocol HeapElement: AnyObject {
    /// Where it is in the heap, which alone changes it. Any value while the element is in no heap.
    var heapIndex: Int { get set }
    func isBefore(_ other: Self) -> Bool
}

/// A binary heap in which each element knows its place.
package struct IndexedHeap<Element: HeapElement> {
    private var elements: [Element] = []

    package init() {}

    package var count: Int { elements.count }

    package var first: Element? { elements.first }

    /// O(log *n*).
    package mutating func insert(_ element: Element) {
        elements.append(element)
        rise(element, from: elements.count - 1)
    }

    /// Takes out an element. Returns false if it is not there: its index may then be any value. O(log *n*).
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        let place = element.heapIndex
        guard place < elements.count, elements[place] === element else { return false }
        let last = elements.removeLast()
        if last !== element { sink(last, from: place) }
        // Returns the memory of a burst.
        if elements.isEmpty, elements.capacity > 1_024 { elements = [] }
        return true
    }

    /// Takes out all, in any order. O(1).
    package mutating func takeAll() -> [Element] {
        defer { elements = [] }
        return elements
    }

    /// Puts an element that is there where it belongs now. O(log *n*).
    package mutating func update(_ element: Element) { sink(element, from: element.heapIndex) }

    /// Puts an element where it belongs on the way from a place to the root.
    private mutating func rise(_ element: Element, from start: Int) {
        var place = start
        while place > 0, element.isBefore(elements[(place - 1) / 2]) {
            put(elements[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(element, at: place)
    }

    /// Puts an element where it belongs below a place, or on the way from there to the root.
    private mutating func sink(_ element: Element, from start: Int) {
        var place = start
        while 2 * place + 1 < elements.count {
            var least = 2 * place + 1
            if least + 1 < elements.count, elements[least + 1].isBefore(elements[least]) { least += 1 }
            guard elements[least].isBefore(element) else { break }
            put(elements[least], at: place)
            place = least
        }
        rise(element, from: place)
    }

    private mutating func put(_ element: Element, at place: Int) {
        elements[place] = element
        element.heapIndex = place
    }
}
