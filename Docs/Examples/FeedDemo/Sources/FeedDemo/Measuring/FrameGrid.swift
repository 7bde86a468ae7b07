/// The ticks of a display that refreshes evenly. Times are nanoseconds of a monotonic clock.
struct FrameGrid: Equatable, Sendable {
    /// Ticks a second.
    let hz: Int
    /// The time of tick 0.
    let origin: UInt64

    /// Makes a grid; below 1 tick a second counts as 1.
    init(hz: Int, origin: UInt64) {
        self.hz = max(hz, 1)
        self.origin = origin
    }

    /// The time from one tick to the next, in milliseconds.
    var periodMilliseconds: Double { 1_000 / Double(hz) }

    /// When a tick is. Every tick is computed from the origin, so that rounding never adds up.
    func time(of tick: Int) -> UInt64 {
        origin + UInt64(tick) * 1_000_000_000 / UInt64(hz)
    }

    /// The time from tick 0 to another one.
    func duration(to tick: Int) -> Duration { .nanoseconds(Int64(time(of: tick) - origin)) }

    /// The first tick that is not before a time.
    func tick(notBefore time: UInt64) -> Int {
        guard time > origin else { return 0 }
        var tick = Int((time - origin) * UInt64(hz) / 1_000_000_000)
        while self.time(of: tick) < time { tick += 1 }
        return tick
    }
}
