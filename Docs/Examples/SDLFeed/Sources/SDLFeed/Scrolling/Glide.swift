import FeedKit

/// A movement that slows down as it comes near to where it stops:
///
///     x(t) = to − (to − from) · e^(−rate·t)
///
/// One law serves all. A flick continues at the finger's speed and stops where `Deceleration.flick` ends it;
/// a wheel and the keys know where they are going, and go there faster. Positions are in points, times in
/// seconds.
struct Glide: Equatable, Sendable {
    let start: Double
    let from: Double
    let to: Double
    let law: Deceleration

    /// For the wheel and the keys: 90 % of the way in a sixth of a second.
    static let jumpLaw = Deceleration(rate: 14)

    private static let restDistance = 0.5

    static func flick(from: Double, speed: Double, at time: Double) -> Glide {
        Glide(start: time, from: from, to: from + Deceleration.flick.distance(speed: speed), law: .flick)
    }

    static func jump(from: Double, to: Double, at time: Double) -> Glide {
        Glide(start: time, from: from, to: to, law: jumpLaw)
    }

    /// Half a point before the end, no movement is visible any more.
    func isOver(at time: Double) -> Bool { abs(to - from) * fade(at: time) < Self.restDistance }

    func position(at time: Double) -> Double { isOver(at: time) ? to : to - (to - from) * fade(at: time) }

    /// In points a second.
    func speed(at time: Double) -> Double { isOver(at: time) ? 0 : law.rate * (to - from) * fade(at: time) }

    private func fade(at time: Double) -> Double { law.remainder(after: max(time - start, 0)) }
}
