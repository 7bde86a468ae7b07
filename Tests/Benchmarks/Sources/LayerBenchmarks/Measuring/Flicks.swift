import AsyncLayers
import BenchmarkHarness
import Foundation

/// A list that is scrolled by flicks that follow one another, frame by frame.
///
/// A finger speeds the list up evenly and lets it go; then the speed falls by the factor 0.998 each
/// millisecond, which is `UIScrollView.DecelerationRate.normal`, until the finger is there again. Each third
/// flick glides on for longer, and a pause follows.
enum Flicks {
    struct Frame: Equatable {
        /// Where the list is, in rows.
        let position: Double
        /// What the finger did before this frame.
        var action: Action?
    }

    enum Action: Equatable {
        /// It came down: to drag, or to stop the list.
        case cameDown
        /// It let the list go, which would stop at this position by itself.
        case liftedOff(target: Double)
    }

    /// How much slower the list is after each second of gliding, as the exponent of e.
    private static let deceleration = -1_000 * log(0.998)

    /// Frames of a list that begins at rest.
    ///
    /// - Parameter speeds: in rows a second, when the finger lifts off.
    static func frames(_ count: Int, speeds: ClosedRange<Double>, seed: UInt64 = 1) -> [Frame] {
        var generator = SeededGenerator(seed: seed)
        let step = 1 / Double(FrameTicks.hertz)
        var position = 0.0
        var frames = [Frame(position: 0)]
        var flick = 0
        while frames.count < count {
            flick += 1
            let speed = Double.random(in: speeds, using: &generator)
            let drag = Double.random(in: 0.06...0.12, using: &generator)
            let glide = Double.random(in: flick % 3 == 0 ? 0.8...1.3 : 0.2...0.5, using: &generator)
            let pause = flick % 3 == 0 ? Double.random(in: 0.15...0.4, using: &generator) : 0

            for (index, time) in stride(from: step, to: drag, by: step).enumerated() {
                position += speed * time / drag * step
                frames.append(Frame(position: position, action: index == 0 ? .cameDown : nil))
            }
            let target = position + speed / deceleration
            for (index, time) in stride(from: 0, to: glide, by: step).enumerated() {
                position += speed * exp(-deceleration * time) * step
                frames.append(
                    Frame(position: position, action: index == 0 ? .liftedOff(target: target) : nil))
            }
            for (index, _) in stride(from: 0, to: pause, by: step).enumerated() {
                frames.append(Frame(position: position, action: index == 0 ? .cameDown : nil))
            }
        }
        return Array(frames.prefix(count))
    }
}
