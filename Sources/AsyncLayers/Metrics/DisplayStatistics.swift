public import QueuePools

/// A snapshot of what a ``DisplayMetrics`` counted since it was made.
///
/// Exact if taken on the main actor. Elsewhere passes may end while it is read, but it is consistent: no more
/// ends than beginnings, interim commits than commits, wasted drawings than drawings, or wasted time than
/// drawing time.
public struct DisplayStatistics: Hashable, Sendable, CustomStringConvertible {
    /// Passes that began.
    public var begun = 0
    /// Passes whose picture was shown, by where it came from.
    public var committed = Sources()
    /// Those of ``committed`` that were already stale.
    public var interims = 0
    /// Passes that a newer request made stale, by where they stopped.
    public var superseded = Stages()
    /// Passes that were cancelled, by where they stopped.
    public var cancelled = Stages()
    /// Passes that met an error.
    public var failed = 0

    /// How long passes waited for their draw, also those that ended before it.
    public var waitingTimes = TimeSummary()
    /// How long passes drew, also those that stopped on the way.
    public var drawingTimes = TimeSummary()
    /// How long after their drawing pictures were shown or dropped.
    public var committingTimes = TimeSummary()

    /// The time spent drawing, in sum.
    public var drawingTime = Duration.zero
    /// The part of ``drawingTime`` whose pictures were never shown.
    public var wastedDrawingTime = Duration.zero
    /// Passes that drew and whose picture, finished or not, was never shown.
    public var wastedDrawings = 0

    /// Statistics of nothing.
    public init() {}

    /// Passes that ended.
    public var ended: Int { committed.total + superseded.total + cancelled.total + failed }

    /// Passes that began and have not ended.
    public var inFlight: Int { max(0, begun - ended) }

    /// Passes that drew.
    public var drawings: Int { drawingTimes.sampleCount }

    /// The part of the drawings that was never shown, from 0 to 1; 0 without drawings.
    public var wastedDrawingRatio: Double {
        drawings > 0 ? Double(wastedDrawings) / Double(drawings) : 0
    }

    /// How passes ended and how long they drew, such as "begun 9, committed 7, interim 1, superseded 1,
    /// cancelled 0, failed 1, drew p50 10 ms, …".
    public var description: String {
        var parts = ["begun \(begun)", "committed \(committed.total)", "interim \(interims)"]
        parts += ["superseded \(superseded.total)", "cancelled \(cancelled.total)", "failed \(failed)"]
        if drawings > 0 { parts.append("drew \(drawingTimes)") }
        return parts.joined(separator: ", ")
    }

    /// How many passes stopped at each stage.
    public struct Stages: Hashable, Sendable {
        /// Before anything was drawn.
        public var waiting = 0
        /// While drawing.
        public var drawing = 0
        /// With a finished picture.
        public var committing = 0

        /// All of them.
        public var total: Int { waiting + drawing + committing }
    }

    /// How many pictures came from where.
    public struct Sources: Hashable, Sendable {
        /// Drawn by the pass itself.
        public var drawn = 0
        /// Drawn for another layer at the same time.
        public var shared = 0
        /// Found in the cache.
        public var cached = 0
        /// Equal to what was shown.
        public var unchanged = 0
        /// No picture: the layer was emptied.
        public var empty = 0

        /// All of them.
        public var total: Int { drawn + shared + cached + unchanged + empty }
    }
}
