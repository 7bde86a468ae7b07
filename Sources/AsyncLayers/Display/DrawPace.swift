/// How fast a layer draws, and how fast requests come: decides whether stopping a draw pays.
///
/// A draw that has begun is stopped for a newer request only if requests come more slowly than the layer
/// draws. If they come faster, the next request would make the successor stale before it is done: stopping
/// would waste one draw after the other; finishing each shows pictures at the rate at which they can be
/// drawn. (``DisplayStateMachine`` adds that no draw is stopped unless a picture was shown since the last
/// one.)
struct DrawPace: Hashable, Sendable {
    /// How long a draw takes on its thread: rises to what was measured, and falls by an eighth of the
    /// difference. Zero before the first.
    private(set) var drawTime = Duration.zero

    /// Before the first, longer ago than any request.
    private var lastRequest = Duration.seconds(Int64.min / 2)

    /// Records a request. Returns the time since the one before.
    mutating func requested(at now: Duration) -> Duration {
        defer { lastRequest = now }
        return now - lastRequest
    }

    /// Records a finished draw.
    mutating func drew(in duration: Duration) {
        let duration = max(duration, .zero)
        // A shift: a division of 128 bits would be most of the cost.
        let eighth = Duration(attoseconds: (drawTime - duration).attoseconds >> 3)
        drawTime = max(duration, drawTime - eighth)
    }

    /// How many draws of the layer may run at a time, not counting those that were told to stop.
    ///
    /// Two, so that a thread that ends one finds the next without waiting for the main thread, and an idle
    /// one helps. One where draws are long, so that other layers have the other threads.
    var drawsAtATime: Int { drawTime > .zero && drawTime <= .milliseconds(100) ? 2 : 1 }

    /// Whether to stop a draw that has begun, for a newer request, so that the newest picture comes sooner.
    ///
    /// - Parameter quietTime: the time without requests before the draw's own. (That the newer request comes
    ///   during the draw proves nothing: it might be the only one.)
    func isStoppingWorthwhile(quietTime: Duration) -> Bool {
        drawTime > .zero && quietTime >= drawTime
    }
}
