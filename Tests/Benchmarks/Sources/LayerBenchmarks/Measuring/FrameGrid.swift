import BenchmarkHarness

/// The frames of a display that refreshes evenly.
enum FrameGrid {
    static let hertz = 120

    /// Runs frames from the main loop: each begins at its tick and ends when its turn has. A frame that takes
    /// longer than to the next tick is shown at the first tick after it has ended; the next frame begins then.
    ///
    /// - Parameters:
    ///   - begin: what the frame's turn does, given the frame's number and the time of its tick.
    ///   - end: called when the turn has ended, outside of the frame's time.
    /// - Returns: the hitch time in milliseconds a second: by how much frames were shown later than they were
    ///   due, divided by the time that all took (Apple's "Explore UI animation hitches and the render loop",
    ///   Tech Talk, 2020).
    @MainActor
    static func run(
        frames: Int, host: any LayerHost, begin: (_ frame: Int, _ time: UInt64) -> Void,
        end: (_ time: UInt64) -> Void
    ) -> Double {
        let origin = Clock.now + 20_000_000
        func time(of tick: Int) -> UInt64 { origin + UInt64(tick) * 1_000_000_000 / UInt64(hertz) }
        var (tick, ticksLate) = (0, 0)
        for frame in 0..<frames {
            MainLoop.run(until: time(of: tick))
            begin(frame, time(of: tick))
            host.endTurn()
            MainLoop.turn()
            let now = Clock.now
            var shown = tick + 1
            while time(of: shown) < now { shown += 1 }
            ticksLate += shown - (tick + 1)
            tick = shown
            end(now)
        }
        return 1_000 * Double(ticksLate) / Double(tick)
    }
}
