import BenchmarkHarness
import CMeasuring

/// Computing for as long as a draw would.
enum Work {
    /// How often a draw looks whether it is still wanted.
    static let piece = 0.25

    /// Computes for this many milliseconds of processor time, or until it is cancelled.
    static func compute(milliseconds: Double, _ isCancelled: () -> Bool) {
        var left = milliseconds
        while left > 0, !isCancelled() {
            measuring_burn(UInt64(min(left, piece) * roundsPerMillisecond))
            left -= piece
        }
    }

    /// Measured on first use, on an idle machine: the fastest of several tries.
    static let roundsPerMillisecond: Double = {
        let rounds = 200_000.0
        let times = (0..<20).map { _ in
            let start = Clock.threadTime
            measuring_burn(UInt64(rounds))
            return Clock.threadTime - start
        }
        return rounds / (Double(times.min() ?? 1) / 1e6)
    }()
}
