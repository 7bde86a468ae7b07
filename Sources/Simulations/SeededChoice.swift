/// Chooses by chance from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// Written out with its own way to a bounded number, since the standard library's may change between versions,
/// and a seed that was noted down must go on to mean the same schedule.
struct SeededChoice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 to below the bound, which must be above 0. Not quite even for bounds near 2⁶⁴; choices
    /// are of a few.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)).multipliedFullWidth(by: UInt64(bound)).high)
    }
}
