import FeedKit

/// How long drawing a cell takes at least: for draws that are more expensive than those of a feed of text.
///
/// The rest of the time is spent as a long draw would spend it: busy, in steps, looking after each whether it
/// is still wanted.
struct DrawCost: Codable, Equatable, Sendable {
    /// In milliseconds; each cell has its own within the range, the same in every draw.
    let milliseconds: ClosedRange<Double>

    /// As long as drawing takes and no longer.
    static let none = DrawCost(milliseconds: 0...0)

    /// How long one step is, in nanoseconds.
    static let step: UInt64 = 50_000

    /// The least time for a cell, in nanoseconds, spread evenly over the range by the cell's number.
    func nanoseconds(ofCell number: Int) -> UInt64 {
        var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number))
        return UInt64(max(random.number(in: milliseconds), 0) * 1_000_000)
    }

    /// Is busy until the cell's time, or a share of it, is over; false when it was cancelled before.
    func waste(
        nanosecondsOf number: Int, share: Double = 1, since start: UInt64, now: () -> UInt64,
        isCancelled: () -> Bool
    ) -> Bool {
        let end = start + UInt64(Double(nanoseconds(ofCell: number)) * min(max(share, 0), 1))
        var time = now()
        while time < end {
            if isCancelled() { return false }
            let stepEnd = min(time + DrawCost.step, end)
            while time < stepEnd { time = now() }
        }
        return !isCancelled()
    }
}

extension DrawCost: CustomStringConvertible {
    /// "30" or "1-4", as the command line takes it.
    var description: String {
        let low = Spelling.coordinate(milliseconds.lowerBound)
        let high = Spelling.coordinate(milliseconds.upperBound)
        return low == high ? low : "\(low)-\(high)"
    }
}
