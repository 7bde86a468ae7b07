/// The ticks of a display that refreshes evenly, and by how much frames were late.
///
/// A frame begins at a tick and is due at the next. One whose work takes longer is shown at the first tick
/// after it has ended, and the next frame begins then: nothing is skipped, the scroll is held up.
struct FrameTicks {
    static let hertz = 120

    private let origin: UInt64
    private var tick = 0
    private var ticksLate = 0

    /// - Parameter origin: the time of the first tick, in nanoseconds of the clock.
    init(origin: UInt64) {
        self.origin = origin
    }

    /// When the next frame begins.
    var next: UInt64 { time(of: tick) }

    /// The work of the frame that began at `next` has ended.
    mutating func endFrame(at time: UInt64) {
        var shown = tick + 1
        while self.time(of: shown) < time { shown += 1 }
        ticksLate += shown - (tick + 1)
        tick = shown
    }

    /// The hitch time in milliseconds a second: by how much frames were shown later than they were due,
    /// divided by the time that all took (Apple's "Explore UI animation hitches and the render loop", Tech
    /// Talk, 2020).
    var hitches: Double { tick > 0 ? 1_000 * Double(ticksLate) / Double(tick) : 0 }

    /// Computed from the origin each time, so that rounding never adds up.
    private func time(of tick: Int) -> UInt64 {
        origin + UInt64(tick) * 1_000_000_000 / UInt64(Self.hertz)
    }
}
