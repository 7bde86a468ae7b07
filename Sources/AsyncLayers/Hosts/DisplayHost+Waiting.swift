/// Newest first, where more is asked for than can be drawn: what has waited for long gives way to what is begun
/// now, which will be on the screen for longer, and which nobody has had to wait for yet.
///
/// No clock begins anything here. Only a newer draw can push an older one back, once, by one tier; whatever has
/// no newer one behind it waits where it is.
extension DisplayHost {
    /// A draw begins to wait.
    func beginWaiting(_ raster: Raster) {
        letEndedGo()
        while let oldest = waiting.first, raster.beganAt - oldest.beganAt >= patience {
            _ = waiting.popFirst()
            oldest.giveWay()
        }
        waiting.append(raster)
    }

    /// Draws have ended. Those behind one that has not may stay in the list until it does: a look at the first is
    /// all that it takes.
    func letEndedGo() {
        while let oldest = waiting.first, oldest.hasEnded { _ = waiting.popFirst() }
    }
}
