public import QueuePools

/// A snapshot of what a ``DisplayMetrics`` counted since it was made.
///
/// Exact if taken on the main actor. Elsewhere passes may end while it is read, but it is consistent: no more
/// ends than beginnings, interim commits than commits, wasted draws than draws, or wasted time than
/// drawing time.
public struct DisplayStatistics: Equatable, Sendable, CustomStringConvertible {
    /// Passes that began.
    public var begun = 0
    /// Passes whose picture was shown.
    public var committed = 0
    /// Where the pictures of ``committed`` came from; all of them together are as many.
    public var sources: [DisplaySource: Int] = [:]
    /// Those of ``committed`` that were already stale.
    public var interims = 0
    /// Passes that a newer request made stale.
    public var superseded = 0
    /// Passes that were cancelled.
    public var cancelled = 0
    /// Passes that met an error.
    public var failed = 0

    /// How long passes waited for their draw, also those that ended before it.
    public var waitTimes = TimeSummary()
    /// How long passes drew, also those that stopped on the way.
    public var drawTimes = TimeSummary()
    /// How long after their drawing pictures were shown or dropped.
    public var commitTimes = TimeSummary()

    /// The time spent drawing, in sum.
    public var drawTime = Duration.zero
    /// The part of ``drawTime`` whose pictures were never shown.
    public var wastedDrawTime = Duration.zero
    /// Passes that drew and whose picture, finished or not, was never shown.
    public var wastedDraws = 0

    /// Statistics of nothing.
    public init() {}

    /// Passes that ended.
    public var ended: Int { committed + superseded + cancelled + failed }

    /// Passes that began and have not ended.
    public var inFlight: Int { max(0, begun - ended) }

    /// Passes that drew.
    public var draws: Int { drawTimes.sampleCount }

    /// The part of the draws that were never shown, from 0 to 1; 0 without draws.
    package var wastedDrawRatio: Double {
        draws > 0 ? Double(wastedDraws) / Double(draws) : 0
    }

    /// How passes ended and how long they drew, such as "begun 9, committed 7, interim 1, superseded 1,
    /// cancelled 0, failed 1, drew p50 10 ms, …".
    public var description: String {
        var parts = ["begun \(begun)", "committed \(committed)", "interim \(interims)"]
        parts += ["superseded \(superseded)", "cancelled \(cancelled)", "failed \(failed)"]
        if draws > 0 { parts.append("drew \(drawTimes)") }
        return parts.joined(separator: ", ")
    }
}
