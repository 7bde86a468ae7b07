import QueuePools

/// Newest first, where more is requested than can be drawn: a draw that has waited for long is demoted for a
/// layer that has shown nothing since it was made or stopped. That will be on the screen for longer.
///
/// No timer. Only a newer draw demotes an older one, once, by one tier; what has no newer one behind it waits
/// where it is. A layer that shows something already demotes none: in a storm all wait in order, so that a
/// layer that is invalidated once is drawn, too.
extension DisplayHost {
    /// A drawing begins to wait.
    func beginWaiting(_ drawing: Drawing, mayDemoteOthers: Bool) {
        if mayDemoteOthers { demoteOverdue() }
        waiting.append(drawing)
        waiting.prune()
    }

    /// Demotes what has waited for long, once.
    private func demoteOverdue() {
        forgetStarted()
        let now = loop.now
        while let oldest = waiting.first, now - oldest.since >= demotionDelay {
            _ = waiting.popFirst()
            guard oldest.isWaiting else { continue }
            overdue[oldest.wantedTier.rawValue].append(oldest)
            isOverdue = true
            overdue[oldest.wantedTier.rawValue].prune()
            oldest.demote()
        }
    }

    /// True while a draw that was wanted on a tier, or on one above it, has waited for at least the demotion
    /// delay: more is requested there than the workers can draw. Called for a layer that may demote others.
    func isBehind(on tier: QoSTier) -> Bool {
        demoteOverdue()
        return isOverdue && overdue[tier.rawValue...].contains { !$0.isEmpty }
    }

    /// Drops draws that have begun. Those behind one that has not stay in the list until it does, so that
    /// only the first is checked.
    func forgetStarted() {
        waiting.forgetStarted()
        guard isOverdue else { return }
        for tier in overdue.indices { overdue[tier].forgetStarted() }
        isOverdue = overdue.contains { !$0.isEmpty }
    }
}

extension FIFO<Drawing> {
    /// Where the first waits for long, drops those behind it that do not. O(1), amortized.
    @MainActor
    fileprivate mutating func prune() {
        guard count >= 2 * keptCount + 64 else { return }
        removeAll { !$0.isWaiting }
        keptCount = count
    }

    @MainActor
    fileprivate mutating func forgetStarted() {
        while !isEmpty, elements[head]?.isWaiting == false { _ = popFirst() }
    }
}

/// A queue; O(1) amortized. Elements are released by the callers that take them out.
struct FIFO<Element> {
    fileprivate var elements: [Element?] = []
    fileprivate var head = 0
    /// How many elements were left when it was last pruned.
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
