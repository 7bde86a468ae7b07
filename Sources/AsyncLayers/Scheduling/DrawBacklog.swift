import QueuePools

/// How long the queues of a host's draws are, as far as the main actor knows: an estimate.
struct DrawBacklog {
    /// Draws that wait or are being drawn, by tier.
    private var counts = QoSTier.allCases.map { _ in 0 }
    /// Estimates how long a draw takes: an eighth of the newest one, and the rest of those before. It begins
    /// with a quarter of a frame.
    private var drawTime = Duration.milliseconds(4)

    mutating func enter(_ tier: QoSTier) { counts[tier.rawValue] += 1 }

    mutating func leave(_ tier: QoSTier) { counts[tier.rawValue] -= 1 }

    mutating func drew(in duration: Duration) {
        drawTime.approach(max(.zero, duration))
    }

    /// Whether no draw waits or is being drawn.
    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    /// How long a draw that comes now on a tier waits, if so many threads draw what is on that tier and on
    /// higher ones. O(1).
    func wait(on tier: QoSTier, threadCount: Int) -> Duration {
        let ahead = counts[tier.rawValue...].reduce(0, +) - threadCount
        return ahead > 0 ? drawTime * ahead / threadCount : .zero
    }
}

extension Duration {
    /// Makes an estimate follow the newest value: an eighth of that, and the rest of those before.
    package mutating func approach(_ newest: Duration) {
        // A shift: a division of 128 bits would be most of the cost.
        self += Duration(attoseconds: (newest - self).attoseconds >> 3)
    }
}
