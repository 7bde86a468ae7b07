import QueuePools

/// Newest first, where more is requested than can be drawn: a draw that has waited for long is demoted for a
/// layer that has shown nothing since it was made or stopped. That will be on the screen for longer.
///
/// No timer. Only a newer draw demotes an older one, once, by one tier; what has no newer one behind it waits
/// where it is. A layer that shows something already demotes none: in a storm all wait in order, so that a
/// layer that is invalidated once is drawn, too.
@MainActor
final class Demotion {
    /// See ``DisplayHost/demotionDelay``.
    nonisolated let delay: Duration
    /// Drawings that wait, in the order of their arrival, and some that no longer wait.
    @exclusivity(unchecked) private var waiting = FIFO<Drawing>()
    /// Those that had waited for the delay, by the tier that they were wanted on.
    private var overdue = QoSTier.allCases.map { _ in FIFO<Drawing>() }
    /// False if there are none of these.
    private var isOverdue = false

    nonisolated init(delay: Duration) { self.delay = delay }

    /// A drawing begins to wait.
    func beginWaiting(_ drawing: Drawing, mayDemoteOthers: Bool) {
        if mayDemoteOthers { demoteOverdue(at: drawing.host.now) }
        waiting.append(drawing)
        waiting.prune()
    }

    /// Demotes what has waited for long, once.
    private func demoteOverdue(at now: Duration) {
        forgetStarted()
        while let oldest = waiting.first, now - oldest.since >= delay {
            _ = waiting.popFirst()
            guard oldest.isWaiting else { continue }
            let tier = oldest.wantedTier.rawValue
            overdue[tier].append(oldest)
            overdue[tier].prune()
            isOverdue = true
            oldest.demote()
        }
    }

    /// True while a draw that was wanted on a tier, or on one above it, has waited for at least the delay:
    /// more is requested there than the workers can draw. Called for a layer that may demote others.
    func isBehind(on tier: QoSTier, at now: Duration) -> Bool {
        demoteOverdue(at: now)
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

    /// Whether no drawing is kept.
    var isEmpty: Bool { waiting.isEmpty && !isOverdue }
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
