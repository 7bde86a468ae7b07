import QueuePools

/// Newest first, where more is asked for than can be drawn: what has waited for long gives way to a layer that has shown
/// nothing of what it is for now, since it was made or told to stop displaying. That will be on the screen for longer.
///
/// No clock begins anything here. Only a newer draw can push an older one back, once, by one tier; what has no newer one
/// behind it waits where it is. A layer that only shows something newer pushes none back: in a storm all wait in order, so that a
/// layer that asks once is drawn too.
extension DisplayHost {
    /// A place begins to wait.
    func beginWaiting(_ place: DrawPlace, mayDemoteOthers: Bool) {
        forgetStarted()
        if mayDemoteOthers { demoteOverdue() }
        waiting.append(place)
        waiting.prune()
    }

    /// What has waited for long gives way, once.
    private func demoteOverdue() {
        let now = loop.now
        while let oldest = waiting.first, oldest.age(at: now) >= demotionDelay {
            _ = waiting.popFirst()
            guard oldest.isWaiting else { continue }
            overdue[oldest.wantedTier.rawValue].append(oldest)
            isOverdue = true
            overdue[oldest.wantedTier.rawValue].prune()
            oldest.demote()
        }
    }

    /// True while a draw that was wanted on a tier, or on one above it, has waited for longer than the demotion delay: more
    /// is asked for there than the workers can draw. Asked on behalf of a layer that may demote others.
    func isBehind(on tier: QoSTier) -> Bool {
        forgetStarted()
        demoteOverdue()
        return isOverdue && overdue[tier.rawValue...].contains { !$0.isEmpty }
    }

    /// Draws have begun. Those behind one that has not may stay in the list until it does: a look at the first is all
    /// that it takes.
    func forgetStarted() {
        waiting.forgetStarted()
        guard isOverdue else { return }
        for tier in overdue.indices { overdue[tier].forgetStarted() }
        isOverdue = overdue.contains { !$0.isEmpty }
    }
}

extension FIFO<DrawPlace> {
    /// Where the first waits for long, forgets those behind it that do not. O(1), amortised.
    @MainActor
    fileprivate mutating func prune() {
        guard count >= 2 * keptCount + 64 else { return }
        removeAll { !$0.isWaiting }
        keptCount = count
    }

    @MainActor
    fileprivate mutating func forgetStarted() {
        while let oldest = first, !oldest.isWaiting { _ = popFirst() }
    }
}
