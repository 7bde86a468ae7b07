import Foundation

/// How much the stress tests do, and from which seed.
///
/// `STRESS_SCALE` multiplies the work (default 1; 100 makes 10⁶ passes); `STRESS_SEED` chooses the random
/// sequence (default 1). A failure is repeated with the same two, as far as threads allow.
enum StressPlan {
    static let scale = max(1, environment("STRESS_SCALE") ?? 1)
    static let seed = UInt64(max(0, environment("STRESS_SEED") ?? 1))

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): small, seeded, and good enough to shuffle schedules.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
