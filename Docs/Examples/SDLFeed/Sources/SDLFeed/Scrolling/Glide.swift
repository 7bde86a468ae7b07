import Foundation

/// A movement that slows down as it comes near to where it stops:
///
///     x(t) = to − (to − from) · e^(−rate·t)
///
/// One law serves all. A flick goes on at the finger's speed, `v₀`, and stops `v₀/rate` further on; a wheel and the
/// keys know where they are going, and go there faster. Positions are in points, times in seconds.
struct Glide: Equatable, Sendable {
    let start: Double
    let from: Double
    let to: Double
    let rate: Double

    /// How much slower a flick is after a second, as the exponent of e: `UIScrollView` multiplies the speed by 0.998 each
    /// millisecond.
    static let flickRate = -1_000 * log(0.998)
    /// For the wheel and the keys: 90 % of the way in a sixth of a second.
    static let jumpRate = 14.0

    private static let restDistance = 0.5

    static func flick(from: Double, speed: Double, at time: Double) -> Glide {
        Glide(start: time, from: from, to: from + speed / flickRate, rate: flickRate)
    }

    static func jump(from: Double, to: Double, at time: Double) -> Glide {
        Glide(start: time, from: from, to: to, rate: jumpRate)
    }

    /// Half a point before the end, nobody sees a movement any more.
    func isOver(at time: Double) -> Bool { abs(to - from) * fade(at: time) < Self.restDistance }

    func position(at time: Double) -> Double { isOver(at: time) ? to : to - (to - from) * fade(at: time) }

    /// In points a second.
    func speed(at time: Double) -> Double { isOver(at: time) ? 0 : rate * (to - from) * fade(at: time) }

    private func fade(at time: Double) -> Double { exp(-rate * max(time - start, 0)) }
}
