package import QueuePools

extension DisplayReport {
    /// When a pass began, drew and ended, on the host's clock. Says in one place which of the three times a
    /// report has.
    package struct Timeline: Hashable, Sendable {
        /// When the layer displayed.
        package var began: Duration
        /// When the pass began to make its context; nil if it did not draw.
        package var drawingBegan: Duration?
        /// When the picture was finished, or the draw stopped or failed; nil if the pass did not draw.
        package var drawingEnded: Duration?
        /// When the picture was shown or dropped, or the pass ended without one.
        package var ended: Duration

        /// Describes a pass that draws unless told otherwise.
        package init(
            began: Duration, drawingBegan: Duration? = nil, drawingEnded: Duration? = nil, ended: Duration
        ) {
            self.began = began
            self.drawingBegan = drawingBegan
            self.drawingEnded = drawingEnded
            self.ended = ended
        }
    }

    /// Makes the report of a pass from the moments of its life. A clock that goes backwards makes times of
    /// zero.
    package init(
        pass: UInt64, outcome: Outcome, source: DisplaySource, tier: QoSTier, isInterim: Bool = false,
        isSynchronous: Bool, timeline: Timeline
    ) {
        self.init(
            pass: pass, outcome: outcome, source: source, tier: tier, isInterim: isInterim,
            isSynchronous: isSynchronous)
        if !isSynchronous, source == .drawn || source == .shared {
            waitingTime = Self.time(from: timeline.began, to: timeline.drawingBegan ?? timeline.ended)
        }
        if let drawingBegan = timeline.drawingBegan {
            let drawingEnded = timeline.drawingEnded ?? timeline.ended
            drawingTime = Self.time(from: drawingBegan, to: drawingEnded)
            if outcome == .committed || outcome.stage == .committing {
                committingTime = Self.time(from: drawingEnded, to: timeline.ended)
            }
        }
    }

    /// Not `end - start`, which traps where the difference of a hostile clock's times overflows.
    private static func time(from start: Duration, to end: Duration) -> Duration {
        guard end.attoseconds > start.attoseconds else { return .zero }
        let (attoseconds, overflow) = end.attoseconds.subtractingReportingOverflow(start.attoseconds)
        return Duration(attoseconds: overflow ? .max : attoseconds)
    }
}
