/// What is remembered of a frame: how long it came after the one before, and how late.
struct ShownFrame: Hashable, Sendable {
    let gap: Duration
    let hitch: Duration
    let dropped: Int

    /// - Parameter lateness: how much later than due; negative if earlier. Less than half an interval is
    ///   jitter. Never more than an hour, as gaps are.
    init(gap: Duration, lateness: Duration, interval: Duration) {
        self.gap = gap
        let isLate = lateness > .zero && lateness * 2 >= interval
        hitch = isLate ? lateness : .zero
        dropped = isLate ? Int(exactly: (lateness / interval).rounded()) ?? .max : 0
    }
}

extension FrameRateStatistics {
    mutating func add(_ frame: ShownFrame) {
        frames += 1
        duration += frame.gap
        hitchTime += frame.hitch
        longestHitch = max(longestHitch, frame.hitch)
        droppedFrames = droppedFrames.addingSaturating(frame.dropped)
    }
}

/// The last frames, in a ring: as many as cover a time.
struct FrameWindow: Sendable {
    private var ring: [ShownFrame] = []
    private var first = 0
    private var count = 0
    private var duration = Duration.zero

    /// What the frames come to. O(n).
    var statistics: FrameRateStatistics {
        var statistics = FrameRateStatistics()
        for index in 0..<count { statistics.add(ring[(first + index) % ring.count]) }
        return statistics
    }

    /// Adds a frame, and forgets old ones as long as the others cover the window without them.
    mutating func add(_ frame: ShownFrame, window: Duration) {
        if count == FrameRateMeter.maximumFramesInWindow { forgetOldest() }
        if count == ring.count { grow() }
        ring[(first + count) % ring.count] = frame
        count += 1
        duration += frame.gap
        while count > 1, duration - ring[first].gap >= window { forgetOldest() }
    }

    private mutating func forgetOldest() {
        duration -= ring[first].gap
        first = (first + 1) % ring.count
        count -= 1
    }

    /// Twice the room, with the oldest frame first. Memory comes with the frames that need it: a second at 60
    /// Hz takes a sixteenth of the most.
    private mutating func grow() {
        let frames = (0..<count).map { ring[(first + $0) % ring.count] }
        let room = min(max(count * 2, 64), FrameRateMeter.maximumFramesInWindow)
        let nothing = ShownFrame(gap: .zero, lateness: .zero, interval: .zero)
        ring = frames + Array(repeating: nothing, count: room - count)
        first = 0
    }
}

extension Int {
    fileprivate func addingSaturating(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
