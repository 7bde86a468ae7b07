import Foundation

/// How content slows down that moves by itself: in each second it loses the same share of its speed.
///
///     v(t) = v₀ · e^(−rate·t)        x(t) = v₀/rate · (1 − e^(−rate·t))
///
/// Distances are in points, times in seconds.
public struct Deceleration: Equatable, Sendable {
    /// How much slower the content is after a second, as the exponent of e.
    public let rate: Double

    /// Makes a law of a rate, which must be positive.
    public init(rate: Double) {
        self.rate = rate
    }

    /// After a flick, as in `UIScrollView`: its documented `DecelerationRate.normal` is 0.998, by which the
    /// speed is multiplied each millisecond. So the rate is about 2.002, and a flick that is released at
    /// 8,000 points a second ends 3,996 points further on. (Apple's talk "Designing Fluid Interfaces", WWDC
    /// 2018, computes the end of a flick by the same law.)
    public static let flick = Deceleration(rate: -1_000 * log(0.998))

    /// The share of the speed that is left after a time, and of the way to the end.
    public func remainder(after time: Double) -> Double { exp(-rate * time) }

    /// How far content of a speed moves until it stops.
    public func distance(speed: Double) -> Double { speed / rate }

    /// How far content of a speed moves in a time.
    public func distance(speed: Double, in time: Double) -> Double {
        distance(speed: speed) * (1 - remainder(after: time))
    }

    /// How long content of a speed takes for a distance; nil if it stops before.
    public func time(for distance: Double, speed: Double) -> Double? {
        let share = distance * rate / speed
        return share < 1 ? -log(1 - share) / rate : nil
    }
}
