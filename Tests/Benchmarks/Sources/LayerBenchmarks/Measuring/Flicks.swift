import BenchmarkHarness
import Foundation

/// How far a list has been scrolled at each frame, by flicks that follow one another.
///
/// A finger speeds the list up evenly and lets it go; then the speed falls by the factor 0.998 each
/// millisecond, which is `UIScrollView.DecelerationRate.normal`, until the next flick. Each third flick glides
/// on for longer, and a pause follows.
enum Flicks {
    /// Positions in rows, beginning with 0.
    ///
    /// - Parameter speeds: in rows a second, when the finger lets go.
    static func positions(frames: Int, speeds: ClosedRange<Double>, seed: UInt64 = 1) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        let step = 1 / Double(FrameTicks.hertz)
        var positions = [0.0]
        var flick = 0
        while positions.count < frames {
            flick += 1
            let speed = Double.random(in: speeds, using: &generator)
            let drag = Double.random(in: 0.06...0.12, using: &generator)
            let glide = Double.random(in: flick % 3 == 0 ? 0.8...1.3 : 0.2...0.5, using: &generator)
            let pause = flick % 3 == 0 ? Double.random(in: 0.15...0.4, using: &generator) : 0
            for time in stride(from: step, to: drag + glide + pause, by: step) {
                let velocity =
                    time < drag
                    ? speed * time / drag
                    : time < drag + glide ? speed * pow(0.998, (time - drag) * 1_000) : 0
                positions.append(positions.last! + velocity * step)
            }
        }
        return Array(positions.prefix(frames))
    }
}
