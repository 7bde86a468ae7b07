import FeedKit
import Foundation

/// A reader who flicks from the top of a feed to its end: a finger speeds the content up, lets it go, and
/// catches it again before it has come to rest; after each fourth flick the content is left to slow down for
/// longer.
///
/// The offset is a function of the frame's number and of nothing else, so that all modes show the same frames
/// however long each takes. The last second is spent at rest, at the end.
struct FlickThrough: Sendable {
    /// Where each frame is, in points.
    let offsets: [Double]
    /// In which frames the content rests, from this one on.
    let restFrame: Int
    /// In points a second, at the fastest.
    let topSpeed: Double

    private let hz: Int

    /// How long the finger moves, in seconds.
    private static let drags = 0.07...0.12
    /// How long the content glides before it is caught.
    private static let glides = 0.5...0.9
    /// The same for each fourth flick.
    private static let longGlides = 1.2...1.8
    /// The same for the last flick.
    private static let lastGlide = 2.5

    init(frames: Int, maximumOffset: Double, hz: Int, seed: UInt64) {
        let moving = max(frames - hz, 1)
        let speeds = Self.speeds(moving, hz: hz, seed: seed)
        let sum = speeds.reduce(0, +)
        var travelled = 0.0
        let way = speeds.map { speed in
            travelled += speed
            return sum > 0 ? min(maximumOffset * travelled / sum, maximumOffset) : 0
        }
        let end = Array(repeating: maximumOffset, count: max(frames - moving + 1, 0))
        offsets = Array((way.dropLast() + end).prefix(frames))
        restFrame = moving - 1
        topSpeed = sum > 0 ? maximumOffset / sum * Double(hz) : 0
        self.hz = hz
    }

    /// The speed of each frame, of flicks that are released at speed 1.
    private static func speeds(_ count: Int, hz: Int, seed: UInt64) -> [Double] {
        var random = SeededGenerator(seed: seed)
        let seconds = (0..<count).map { Double($0) / Double(hz) }
        let tail = min(Int(lastGlide * Double(hz)), count)
        var speeds: [Double] = []
        var flicks = 0
        while speeds.count < count - tail {
            flicks += 1
            let drag = random.number(in: drags)
            let glide = random.number(in: flicks % 4 == 0 ? longGlides : glides)
            speeds += seconds.prefix { $0 < drag + glide }.map { time in
                time < drag ? time / drag : Deceleration.flick.remainder(after: time - drag)
            }
        }
        // The last one is left to come to rest by itself.
        let last = seconds.prefix(tail).reversed().map {
            expm1(Deceleration.flick.rate * $0) / expm1(Deceleration.flick.rate * lastGlide)
        }
        return speeds.prefix(count - tail) + last
    }

    /// In points a second, as it is from the frame before to this one.
    func speed(at frame: Int) -> Double {
        frame > 0 ? (offsets[frame] - offsets[frame - 1]) * Double(hz) : 0
    }
}
