/// The ticks of a display that refreshes evenly. Times are nanoseconds of a monotonic clock.
///
/// A frame has one period for its work, from the tick at which it begins to the next. If its work ends later,
/// it is shown at the first tick after that, and the next frame begins there: no frame is skipped, and the
/// scroll is late, as on a screen.
public struct FrameGrid: Equatable, Sendable {
    /// Ticks a second.
    public let hz: Int
    /// The time of tick 0.
    public let origin: UInt64

    /// Makes a grid; below 1 tick a second counts as 1.
    public init(hz: Int, origin: UInt64) {
        self.hz = max(hz, 1)
        self.origin = origin
    }

    /// The time from one tick to the next, in milliseconds.
    public var periodMilliseconds: Double { 1_000 / Double(hz) }

    /// When a tick is. Every tick is computed from the origin, so that rounding never adds up.
    public func time(of tick: Int) -> UInt64 {
        origin + UInt64(tick) * 1_000_000_000 / UInt64(hz)
    }

    /// The time from tick 0 to another one.
    public func duration(to tick: Int) -> Duration { .nanoseconds(Int64(time(of: tick) - origin)) }

    /// The first tick that is not before a time.
    public func tick(notBefore time: UInt64) -> Int {
        guard time > origin else { return 0 }
        var tick = Int((time - origin) * UInt64(hz) / 1_000_000_000)
        while self.time(of: tick) < time { tick += 1 }
        return tick
    }

    /// The tick at which a frame is shown that began at a tick, and whose work ended at a time.
    public func shownTick(ofFrameAt tick: Int, endedAt time: UInt64) -> Int {
        max(self.tick(notBefore: time), tick + 1)
    }
}
