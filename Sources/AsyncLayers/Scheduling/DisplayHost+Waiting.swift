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
        let now = loop.now
        while mayDemoteOthers, let oldest = waiting.first, oldest.age(at: now) >= demotionDelay {
            _ = waiting.popFirst()
            oldest.demote()
        }
        waiting.append(place)
    }

    /// True while a draw has waited for longer than the demotion delay: more is asked for than the workers can draw.
    var isBehind: Bool {
        forgetStarted()
        return waiting.first.map { $0.age(at: loop.now) >= demotionDelay } ?? false
    }

    /// Draws have begun. Those behind one that has not may stay in the list until it does: a look at the first is all
    /// that it takes.
    func forgetStarted() {
        while let oldest = waiting.first, !oldest.isWaiting { _ = waiting.popFirst() }
    }
}
