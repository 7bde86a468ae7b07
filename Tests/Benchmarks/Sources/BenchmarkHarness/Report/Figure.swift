import Foundation

/// Spells numbers.
enum Figure {
    /// Spells a number that is not negative: 0.12, 4.81, 48.1, 481, 4,810.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        switch value {
        case 999.5...: return grouped(value)
        case 99.95...: return String(format: "%.0f", value)
        case 9.995...: return String(format: "%.1f", value)
        default: return String(format: "%.2f", value)
        }
    }

    /// Two numbers, or one where both are spelled alike.
    static func range(_ low: Double, _ high: Double) -> String {
        let (low, high) = (text(low), text(high))
        return low == high ? low : "\(low)–\(high)"
    }

    private static func grouped(_ value: Double) -> String {
        guard value < 1e15 else { return String(format: "%.2e", value) }
        var digits = String(Int(value.rounded()))
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
            position -= 3
        }
        return digits
    }
}
