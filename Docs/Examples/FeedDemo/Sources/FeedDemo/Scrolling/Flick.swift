import Foundation

/// One flick: a finger speeds the content up, lets it go, and the content glides until the next touch, the
/// edge or rest.
///
/// Lengths are in points, times in seconds since the touch. The glide is that of `UIScrollView`: its
/// documented `DecelerationRate.normal` is 0.998, by which the speed is multiplied each millisecond. With
/// `k = −1000 · ln 0.998 ≈ 2.002` per second that is
///
///     v(t) = v₀ · e^(−k·t)        x(t) = v₀/k · (1 − e^(−k·t))
///
/// so a flick that is let go at 8,000 points a second would glide 3,996 points if nothing stopped it.
/// (Apple's talk "Designing Fluid Interfaces", WWDC 2018, projects a flick by the same law.) While the finger
/// is down the speed grows evenly, so that after `a` seconds it has moved the content `v₀ · a / 2`. There is
/// no rubber band: at an edge the content stops.
struct Flick: Sendable {
    /// How much slower the content is after each second of gliding, as the exponent of e.
    static let deceleration = -1_000 * log(0.998)

    /// Where the content was when the finger touched it.
    let origin: Double
    /// +1 towards the end of the content, −1 towards its start.
    let direction: Double
    /// How long the finger moves.
    let dragDuration: Double
    /// The speed at which the finger lets go.
    let speed: Double
    /// How long the content moves in all, drag included; shorter than planned when it meets the edge.
    let duration: Double
    /// True when the content stops at the edge.
    let endsAtEdge: Bool
    /// How far the content can go.
    private let room: Double

    /// Plans a flick.
    ///
    /// - Parameter room: how far the content can go in this direction.
    init(
        origin: Double, direction: Double, room: Double, dragDuration: Double, speed: Double,
        glideDuration: Double
    ) {
        self.origin = origin
        self.direction = direction
        self.dragDuration = dragDuration
        self.speed = speed
        self.room = max(room, 0)
        let dragDistance = speed * dragDuration / 2
        var duration = dragDuration + glideDuration
        if room <= dragDistance {
            duration = dragDuration * (max(room, 0) / dragDistance).squareRoot()
        } else {
            let reach = (room - dragDistance) * Flick.deceleration / speed
            if reach < 1 { duration = min(duration, dragDuration - log(1 - reach) / Flick.deceleration) }
        }
        endsAtEdge = duration < dragDuration + glideDuration
        self.duration = duration
    }

    /// How far the content has been moved.
    func distance(at time: Double) -> Double {
        // The formula ends within a rounding error of the edge; the edge is where the next flick turns.
        if endsAtEdge, time >= duration { return room }
        let time = min(max(time, 0), duration)
        if time <= dragDuration { return speed * time * time / (2 * dragDuration) }
        let glide = 1 - exp(-Flick.deceleration * (time - dragDuration))
        return speed * dragDuration / 2 + speed / Flick.deceleration * glide
    }

    /// Where the content would stop if nobody caught it, as a scroll view foretells when the finger lets go.
    var target: Double {
        origin + direction * min(room, speed * dragDuration / 2 + speed / Flick.deceleration)
    }

    /// The content's offset.
    func offset(at time: Double) -> Double {
        origin + direction * distance(at: time)
    }
}
