/// How fast a finger or a mouse moves, told from where it was in the last tenth of a second.
struct FingerSpeed: Equatable, Sendable {
    private struct Sample: Equatable {
        let time: Double
        let position: Double
    }

    private var samples: [Sample] = []

    private static let window = 0.1
    /// A finger that has held still for so long does not flick.
    private static let patience = 0.05
    /// What is handled in one turn was told over a frame, however close together its stamps are.
    private static let shortestTime = 1.0 / 60

    mutating func record(_ position: Double, at time: Double) {
        samples.removeAll { time - $0.time > Self.window }
        samples.append(Sample(time: time, position: position))
    }

    /// In points a second, at the moment of lifting off.
    func value(at time: Double) -> Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time,
            time - last.time <= Self.patience
        else { return 0 }
        return (last.position - first.position) / max(last.time - first.time, Self.shortestTime)
    }
}
