/// How many draws a tier takes that has refused some. Its statistics count refusals, so a layer tries one
/// more only now and then.
struct TierLimit {
    /// The time without draws after one was refused.
    static let pause = Duration.milliseconds(8)

    private var count = Int.max
    private var accepted = 0
    private var pausedUntil = Duration.zero

    mutating func refuses(beside others: Int, at time: Duration) {
        (count, accepted) = (max(1, min(others, count)), 0)
        pausedUntil = time + Self.pause
    }

    mutating func accepts() {
        accepted += 1
        pausedUntil = .zero
        if accepted == 32 { (count, accepted) = (count + 1, 0) }
    }

    /// How many more may be tried.
    func room(beside others: Int, at time: Duration) -> Int {
        time < pausedUntil ? 0 : max(0, count - others)
    }
}
