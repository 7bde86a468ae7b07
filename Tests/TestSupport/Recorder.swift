import Synchronization

/// A list that any thread can append to. *Thread-safe.*
public final class Recorder<Element: Sendable>: Sendable {
    private let storage = Mutex<[Element]>([])

    public init() {}

    /// Appends an element.
    public func append(_ element: Element) {
        storage.withLock { $0.append(element) }
    }

    /// What was appended so far, in order.
    public var elements: [Element] { storage.withLock { $0 } }
}
