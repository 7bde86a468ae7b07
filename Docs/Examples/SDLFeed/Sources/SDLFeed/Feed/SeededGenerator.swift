/// SplitMix64 (Steele, Lea and Flood, 2014): equal seeds give equal feeds, on every machine.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number from a range; none is much likelier than another. (The standard library's own way from bits to
    /// numbers may change.)
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// A number that is spread evenly over a range.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }

    mutating func element<Element>(of list: [Element]) -> Element { list[number(in: 0...list.count - 1)] }

    /// True once in so many times.
    mutating func oneIn(_ count: Int) -> Bool { number(in: 1...count) == 1 }
}
