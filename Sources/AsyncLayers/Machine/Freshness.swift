/// How long a layer has been out of date, and from when on a draw had better be finished than begun anew.
///
/// The rule: a layer that is invalidated faster than it can draw shows a new picture at least every
/// `maximumStaleness`, if a draw takes no longer than that. So a stale draw is stopped only if one that
/// begins now instead can still be done in time, going by how long draws of this layer have taken: from begin
/// to picture, waiting included. Where draws take longer than `maximumStaleness`, every one is finished. Before
/// the first has been finished, half of `maximumStaleness` is left for it.
struct Freshness: Hashable, Sendable {
    /// Since when what is shown is not what was asked for; nil while it is.
    private(set) var staleSince: Duration?

    /// How long a pass takes: rises at once to what was measured, and falls by an eighth of the difference. Zero
    /// before the first.
    private(set) var turnaround = Duration.zero

    /// A pass begins.
    mutating func began(at now: Duration) {
        if staleSince == nil { staleSince = now }
    }

    /// A draw has its picture.
    mutating func finished(_ duration: Duration) {
        let duration = max(duration, .zero)
        // A shift, where a division of 128 bits would be most of what keeping these books costs.
        let eighth = Duration(attoseconds: (turnaround - duration).attoseconds >> 3)
        turnaround = max(duration, turnaround - eighth)
    }

    /// A picture is shown; an interim one is out of date from the start.
    mutating func shown(at now: Duration, isInterim: Bool) {
        staleSince = isInterim ? now : nil
    }

    /// Nothing is asked for any more.
    mutating func cancelled() { staleSince = nil }

    /// The time from which on a draw in flight is finished, whatever happens; a limit below zero counts as
    /// zero.
    func overdueTime(limit: Duration) -> Duration {
        guard let staleSince else { return Self.never }
        guard limit < Self.longest else { return Self.never }
        let limit = max(limit, .zero)
        return staleSince + limit - (turnaround > .zero ? turnaround : limit / 2)
    }

    private static let never = Duration.seconds(Int64.max / 2)
    private static let longest = Duration.seconds(Int64(1) << 40)
}
