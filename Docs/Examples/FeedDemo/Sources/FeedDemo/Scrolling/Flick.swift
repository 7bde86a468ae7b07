import FeedKit

/// One flick: a finger speeds the content up and releases it, and the content glides until the next touch,
/// the edge or rest.
///
/// Lengths are in points, times in seconds since the touch. While the finger is down the speed grows evenly,
/// so that after `a` seconds it has moved the content `v₀ · a / 2`; the glide is
/// ``FeedKit/Deceleration/flick``. There is no rubber band: at an edge the content stops.
struct Flick: Sendable {
    /// Where the content was when the finger touched it.
    let origin: Double
    /// +1 towards the end of the content, −1 towards its start.
    let direction: Double
    /// How long the finger moves.
    let dragDuration: Double
    /// The speed at which the finger releases the content.
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
            let glide = Deceleration.flick.time(for: room - dragDistance, speed: speed)
            if let glide { duration = min(duration, dragDuration + glide) }
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
        return speed * dragDuration / 2 + Deceleration.flick.distance(speed: speed, in: time - dragDuration)
    }

    /// Where the content would stop if it were not touched, as a scroll view predicts when it is released.
    var target: Double {
        origin + direction * min(room, speed * dragDuration / 2 + Deceleration.flick.distance(speed: speed))
    }

    /// The content's offset.
    func offset(at time: Double) -> Double {
        origin + direction * distance(at: time)
    }
}
