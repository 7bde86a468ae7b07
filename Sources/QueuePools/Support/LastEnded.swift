import QueuePoolsLocks

/// Keeps the executors of actors that have ended last. An actor that makes one at each call of
/// `unownedExecutor` uses it immediately, when it has ended: that is a trap then, and no use of memory that
/// is another object's. *Thread-safe.*
struct LastEnded<Element: Sendable>: ~Copyable {
    private static var limit: Int { 256 }
    private let last = Lock<(elements: [Element], next: Int)>(([], 0))

    /// Keeps one. Returns the one whose place it takes; in a forked child the new one, since a thread of the
    /// parent may have locked the list.
    func keep(_ element: Element) -> Element? {
        guard !isForkedChild else { return element }
        return last.withLock { last -> Element? in
            guard last.elements.count == Self.limit else {
                last.elements.append(element)
                return nil
            }
            defer { last.next = (last.next + 1) % Self.limit }
            let former = last.elements[last.next]
            last.elements[last.next] = element
            return former
        }
    }
}
