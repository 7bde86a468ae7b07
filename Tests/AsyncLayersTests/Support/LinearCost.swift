/// Whether one of 8,000 costs less than five times what one of 500 costs, in one of three
/// measurements: other processes run meanwhile.
@MainActor
func isLinear(_ cost: (_ count: UInt64) async -> Duration) async -> Bool {
    for _ in 0..<3 {
        var few = Duration.zero
        for _ in 0..<16 { few += await cost(500) }
        if await cost(8_000) < few * 5 { return true }
    }
    return false
}
