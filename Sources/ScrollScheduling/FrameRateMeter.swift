/// Frames a second and hitch time, measured from the times at which frames are shown.
///
/// What knows when the display shows a frame (a display link, a presentation callback, a loop that swaps
/// buffers) records each one:
///
///     meter.recordFrame(shownAt: presentationTime)
///     label.text = "\(meter.recent.framesPerSecond.rounded()) fps"
///     …
///     meter.suspend()  // the scroll has ended; nothing is shown until the next one, and nothing is late
///
/// A frame is expected one refresh interval after the frame before it, unless the driver says when. The time
/// by which it is later is hitch time (``FrameRateStatistics/hitchMillisecondsPerSecond`` has the
/// definition); less than half an interval is jitter of the clock and counts as nothing. Without a given
/// ``refreshInterval`` the meter derives it from the frames.
///
/// Times are `Duration`s since any origin, from one monotonic clock. A clock that goes backwards, or jumps by
/// more than an hour, ends the motion as ``suspend()`` does.
///
/// A value; recording is O(1) amortized, and memory is bounded: the window remembers at most
/// 1,024 frames.
public struct FrameRateMeter: Sendable {
    /// The window becomes shorter than requested if it would hold more frames than this.
    static let maximumFramesInWindow = 1_024

    /// The display's refresh interval; nil derives it, as a zero or negative one does.
    ///
    /// A derived interval cannot distinguish a display that refreshes half as often from one where every
    /// second frame is late; so set it if it is known, and again when the display changes its rate.
    public var refreshInterval: Duration? {
        didSet { intervalBeforeChange = effectiveRefreshInterval(oldValue) ?? .zero }
    }

    /// How long the window of ``recent`` is, in time in motion; at least one frame is in it. Default: 1 s.
    public let window: Duration

    /// All frames since the meter was made or ``reset()``.
    public private(set) var total = FrameRateStatistics()

    private var recentFrames = FrameWindow()
    private var estimate = RefreshIntervalEstimate()
    private var lastShown: Duration?
    /// The frame in flight at a change of the interval was still made for the former one.
    private var intervalBeforeChange = Duration.zero

    /// Times are clamped to this, so that the difference of two does not overflow.
    private static let largestTime = Duration.seconds(Int64.max / 2)
    private static let longestGap = Duration.seconds(3_600)

    /// Makes a meter that has seen nothing.
    ///
    /// - Parameters:
    ///   - refreshInterval: see ``refreshInterval``. Default: derived.
    ///   - window: see ``window``; below zero counts as zero.
    public init(refreshInterval: Duration? = nil, window: Duration = .seconds(1)) {
        self.refreshInterval = refreshInterval
        self.window = max(window, .zero)
    }

    /// The last ``window`` of time in motion, in whole frames. O(n) in the frames in the window.
    public var recent: FrameRateStatistics { recentFrames.statistics }

    /// The refresh interval in use: the given one, or the derived one; nil before it is known.
    var effectiveRefreshInterval: Duration? { effectiveRefreshInterval(refreshInterval) }

    /// Records a frame.
    ///
    /// The first one after the beginning or a ``suspend()`` begins a motion and is not counted. A second
    /// frame of the same time is not counted either, since the display shows one.
    ///
    /// - Parameters:
    ///   - shownAt: when the display shows it.
    ///   - dueAt: when it should have; nil: one refresh interval after the one before. No frame counts as
    ///     later than the time since the one before, so that no time is counted twice.
    public mutating func recordFrame(shownAt: Duration, dueAt: Duration? = nil) {
        let shown = Self.sane(shownAt)
        guard let last = lastShown, shown >= last, shown - last <= Self.longestGap else {
            lastShown = shown
            return
        }
        let gap = shown - last
        guard gap > .zero else { return }
        lastShown = shown
        estimate.add(gap)
        // The gap has just given the estimate a value, if there was none.
        let interval = max(effectiveRefreshInterval ?? gap, intervalBeforeChange)
        intervalBeforeChange = .zero
        let due = dueAt.map(Self.sane) ?? last + interval
        count(ShownFrame(gap: gap, lateness: min(shown - due, gap), interval: interval))
    }

    /// Begins a motion: from now on frames are due, the first one an interval after this time. Without it,
    /// the first frame itself begins the motion.
    public mutating func resume(at time: Duration) {
        lastShown = Self.sane(time)
    }

    /// Ends a motion: until the next frame or ``resume(at:)`` nothing is due. What was measured stays.
    public mutating func suspend() {
        lastShown = nil
    }

    /// Drops all frames and the derived refresh interval.
    public mutating func reset() {
        self = Self(refreshInterval: refreshInterval, window: window)
    }

    private mutating func count(_ frame: ShownFrame) {
        total.add(frame)
        recentFrames.add(frame, window: window)
    }

    private func effectiveRefreshInterval(_ given: Duration?) -> Duration? {
        if let given, given > .zero { return min(given, Self.longestGap) }
        return estimate.interval
    }

    private static func sane(_ time: Duration) -> Duration {
        min(max(time, .zero - largestTime), largestTime)
    }
}

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

    /// The sum of the frames. O(n).
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

/// How long a display shows a frame, estimated from the times between frames.
///
/// The estimate is the lower quartile of the last 16: late frames make times longer, and as long as no more
/// than three of four are late it holds; frames that come in a bunch after a late one make some times too
/// short, and fewer than four of these do not matter either. After a change of the display's rate the
/// estimate follows within 13 frames.
struct RefreshIntervalEstimate: Hashable, Sendable {
    private static let memory = 16

    private var gaps: [Duration] = []
    private var next = 0

    /// The estimate; nil before the first gap.
    private(set) var interval: Duration?

    /// Takes a time between two frames into account. O(1): at most 16 are compared.
    mutating func add(_ gap: Duration) {
        if gaps.count < Self.memory {
            gaps.append(gap)
        } else {
            gaps[next] = gap
            next = (next + 1) % Self.memory
        }
        interval = gaps.sorted()[(gaps.count - 1) / 4]
    }
}

/// How smoothly frames were shown, over some time.
public struct FrameRateStatistics: Equatable, Sendable, CustomStringConvertible {
    /// How many frames were shown, not counting those that begin a motion: there is no earlier frame
    /// to measure from.
    public internal(set) var frames = 0

    /// The time that they cover: from the beginning of each motion to its last frame, without pauses.
    public internal(set) var duration = Duration.zero

    /// The time by which frames were shown later than expected, all together.
    package internal(set) var hitchTime = Duration.zero

    /// The longest time by which a frame was shown later than expected.
    public internal(set) var longestHitch = Duration.zero

    /// How many refreshes of the display passed without the new frame that they were to bring.
    public internal(set) var droppedFrames = 0

    /// Frames a second; zero while there are none.
    public var framesPerSecond: Double {
        let seconds: Double = duration / .seconds(1)
        return seconds > 0 ? Double(frames) / seconds : 0
    }

    /// The hitch time in milliseconds per second of motion: 0 is smooth, 1,000 stands still.
    ///
    /// Apple's hitch time ratio, as defined in the tech talk "Explore UI animation hitches and the render
    /// loop" (2020): a hitch is any time by which a frame appears on screen later than expected, and the sum
    /// over a motion is divided by the motion's duration, so that motions of different lengths compare. The
    /// talk calls less than 5 ms/s good, 5 to 10 noticeable, and more than 10 critical.
    public var hitchMillisecondsPerSecond: Double {
        duration > .zero ? hitchTime / duration * 1_000 : 0
    }

    /// Such as "120 frames in 1.0 seconds, dropped 2, late by 0.025 seconds, 0.02 seconds at most".
    public var description: String {
        "\(frames) frames in \(duration), dropped \(droppedFrames), late by \(hitchTime), \(longestHitch) at most"
    }
}
