import Foundation

/// A reader who flicks from the top of a feed to its end: a finger speeds the content up, lets it go, and catches it
/// again before it has come to rest; after each fourth flick the content is left to slow down for longer.
///
/// The offset is a function of the frame's number and of nothing else, so that all modes show the same frames however
/// long each takes. The last second is spent at rest, at the end.
struct Journey: Sendable {
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
        var random = SeededGenerator(seed: seed)
        let moving = max(frames - hz, 1)
        // The speed of each frame, for flicks of speed 1.
        var speeds: [Double] = []
        while speeds.count < moving {
            let drag = random.number(in: Self.drags)
            let glide = random.number(in: (speeds.count / hz) % 4 == 3 ? Self.longGlides : Self.glides)
            for frame in 0..<Int(((drag + glide) * Double(hz)).rounded(.up)) {
                let time = Double(frame) / Double(hz)
                speeds.append(time < drag ? time / drag : exp(-Glide.flickRate * (time - drag)))
            }
        }
        // The last flick is left to come to rest by itself.
        let tail = min(Int(Self.lastGlide * Double(hz)), moving / 2)
        for frame in 0..<tail {
            func growth(_ frames: Int) -> Double { expm1(Glide.flickRate * Double(frames) / Double(hz)) }
            let index = moving - 1 - frame
            speeds[index] = min(speeds[index], growth(frame) / growth(tail))
        }
        let all = speeds[..<moving].reduce(0, +)
        var travelled = 0.0
        var offsets = speeds[..<moving].map { speed in
            travelled += speed
            return maximumOffset * travelled / max(all, 1)
        }
        if all >= 1 { offsets[moving - 1] = maximumOffset }
        offsets += Array(repeating: maximumOffset, count: max(frames - moving, 0))
        self.offsets = offsets
        restFrame = moving - 1
        topSpeed = all > 0 ? maximumOffset / all * Double(hz) : 0
        self.hz = hz
    }

    /// In points a second, as it is from the frame before to this one.
    func speed(at frame: Int) -> Double {
        frame > 0 ? (offsets[frame] - offsets[frame - 1]) * Double(hz) : 0
    }
}
