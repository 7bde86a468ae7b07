/// SplitMix64 (Steele, Lea and Flood, 2014): small, seeded, and the same on every platform and in every
/// release of the standard library, which `Double.random(in:using:)` does not promise.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number from the range. None is much more likely than another.
    public mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// A number that is spread evenly over the range.
    public mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }

    /// An element of a list, which must not be empty.
    public mutating func element<Element>(of list: [Element]) -> Element {
        list[number(in: 0...list.count - 1)]
    }

    /// True once in `count` calls, on average.
    public mutating func oneIn(_ count: Int) -> Bool { number(in: 1...count) == 1 }
}
