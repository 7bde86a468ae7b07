/// Frames a second and hitch time, measured from the times at which frames are shown.
///
/// Whoever knows when the display shows a frame (a display link, a presentation callback, the loop of a
/// program that swaps buffers itself) records each one:
///
///     meter.recordFrame(shownAt: presentationTime)
///     label.text = "\(meter.recent.framesPerSecond.rounded()) fps"
///     …
///     meter.pause()  // the scroll has ended; nothing is shown until the next one, and nothing is late
///
/// A frame is expected one refresh interval after the frame before it, unless the driver says when. What it
/// comes later than that is hitch time (``FrameRateStatistics/hitchMillisecondsPerSecond`` has the
/// definition); less than half an interval is jitter of the clock and counts as nothing. Without a given
/// ``refreshInterval`` the meter derives it from the frames.
///
/// Times are `Duration`s since any origin, from one monotonic clock. A clock that goes backwards, or jumps by
/// more than an hour, ends the motion as ``pause()`` does.
///
/// A value; recording is O(1) amortized, and memory is bounded: the window remembers at most
/// ``maximumFramesInWindow`` frames.
public struct FrameRateMeter: Sendable {
    /// The window becomes shorter than asked for where it would hold more frames than this: 1,024.
    public static let maximumFramesInWindow = 1_024

    /// The display's refresh interval; nil derives it, as a zero or negative one does.
    ///
    /// Derived, it cannot be told whether the display refreshes half as often or every second frame is late;
    /// so give it if it is known, and change it when the display changes its rate.
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

    /// Beyond this, times are no times: two of them can still be subtracted.
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

    /// The refresh interval that is reckoned with: the given one, or the derived one; nil before it is known.
    public var effectiveRefreshInterval: Duration? { effectiveRefreshInterval(refreshInterval) }

    /// Records a frame.
    ///
    /// The first one after the beginning or a ``pause()`` begins a motion and is not counted. A second frame
    /// of the same time is not counted either, since the display shows one.
    ///
    /// - Parameters:
    ///   - shownAt: when the display shows it.
    ///   - dueAt: when it should have; nil: one refresh interval after the one before. No frame counts as later
    ///     than the time since the one before, so that no time is counted twice.
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

    /// Begins a motion: from now on frames are due, the first one an interval after this time. Without it, the
    /// first frame itself begins the motion.
    public mutating func resume(at time: Duration) {
        lastShown = Self.sane(time)
    }

    /// Ends a motion: until the next frame or ``resume(at:)`` nothing is due. What was measured stays.
    public mutating func pause() {
        lastShown = nil
    }

    /// Forgets all frames and the derived refresh interval.
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
