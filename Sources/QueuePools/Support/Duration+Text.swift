extension Duration {
    /// A text for people: three digits at most, in the unit that fits, as "120 µs", "8.4 ms" or "1.5 s".
    /// Whole seconds from 1,000 s on.
    package var text: String {
        guard self != .zero else { return "0 s" }
        let sign = self < .zero ? "-" : ""
        let amount = attoseconds.magnitude
        let units: [(name: String, length: UInt128)] = [
            ("ns", 1_000_000_000), ("µs", 1_000_000_000_000), ("ms", 1_000_000_000_000_000),
            ("s", 1_000_000_000_000_000_000),
        ]
        for (name, length) in units where amount < 1_000 * length {
            for (digits, scale) in [(2, UInt128(100)), (1, 10), (0, 1)] {
                let scaled = (amount * scale + length / 2) / length
                guard scaled < 1_000 else { continue }
                return "\(sign)\(Self.decimal(Int(scaled), fractionDigits: digits)) \(name)"
            }
        }
        let second = units[3].length
        return "\(sign)\(amount / second + (amount % second >= second / 2 ? 1 : 0)) s"
    }

    /// A number of tenths or hundredths, without zeros at the end.
    private static func decimal(_ value: Int, fractionDigits: Int) -> String {
        var (value, digits) = (value, fractionDigits)
        while digits > 0, value % 10 == 0 { (value, digits) = (value / 10, digits - 1) }
        let scale = [1, 10, 100][digits]
        guard digits > 0 else { return "\(value)" }
        return "\(value / scale).\("\(value % scale + scale)".dropFirst())"
    }
}
