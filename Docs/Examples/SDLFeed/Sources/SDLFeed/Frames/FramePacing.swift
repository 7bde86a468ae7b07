/// When the next frame is due where showing one does not wait for the display. Pure: it is told the time.
struct FramePacing: Sendable {
    let interval: Duration
    private(set) var nextFrame: Duration

    init(interval: Duration, now: Duration) {
        self.interval = interval
        nextFrame = now
    }

    /// In step with the frame before, unless that was long ago. A turn at rest does not wait and comes before its frame
    /// is due: it counts from now, else many of them would add up to a long sleep.
    mutating func frameWasShown(at now: Duration) {
        nextFrame = max(min(nextFrame, now) + interval, now)
    }
}
