import QueuePoolsLocks

/// A list that any thread can append to. *Thread-safe.*
package final class Recorder<Element: Sendable>: Sendable {
    private let storage = Lock<[Element]>([])

    package init() {}

    /// Appends an element.
    package func append(_ element: Element) {
        storage.withLock { $0.append(element) }
    }

    /// What was appended so far, in order.
    package var elements: [Element] { storage.withLock { $0 } }

    /// Removes and returns these.
    package func takeAll() -> [Element] {
        storage.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
