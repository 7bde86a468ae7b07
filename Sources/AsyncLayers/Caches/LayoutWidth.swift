/// A width that layouts are made for, in steps of 1/1024 point: the finest that Pango's units can tell apart.
///
/// Widths are rounded up, never down. Text that is laid out in its own natural width must not lose its last
/// word to a rounding error; a box that is a thousandth of a point too wide harms nobody.
struct LayoutWidth: Hashable, Sendable {
    /// From here on, in points, a width is no bound at all. Below it, every step is exact in a Double.
    static let unboundedFrom = 0x1p40

    private static let stepsPerPoint = 1_024.0
    private let steps: Int64

    /// Rounds a width in points. NaN and what is below zero count as zero.
    init(_ points: Double) {
        if points >= Self.unboundedFrom {
            steps = .max
        } else if points > 0 {
            steps = Int64((points * Self.stepsPerPoint).rounded(.up))
        } else {
            steps = 0
        }
    }

    /// The width in points; infinite when it is no bound.
    var points: Double { steps == .max ? .infinity : Double(steps) / Self.stepsPerPoint }
}
