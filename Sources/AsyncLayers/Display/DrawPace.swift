/// How fast a layer draws, and how fast it is asked to: enough to tell whether stopping a draw pays.
///
/// The rule: a draw that has begun is stopped for a newer request only if requests come more slowly than the layer
/// draws. If they come faster, the next request would make the successor stale before it is done, so stopping would
/// waste one draw after the other and show nothing sooner; finishing each shows pictures at the rate at which they can
/// be drawn. (``DisplayStateMachine`` adds that no draw is stopped unless a picture was shown since the last one.)
struct DrawPace: Hashable, Sendable {
    /// How long a draw takes on its thread: rises at once to what was measured, and falls by an eighth of the
    /// difference. Zero before the first.
    private(set) var drawTime = Duration.zero

    /// Before the first, longer ago than any.
    private var lastRequest = Duration.seconds(Int64.min / 2)

    /// A request comes. Returns how long there had been none.
    mutating func requested(at now: Duration) -> Duration {
        defer { lastRequest = now }
        return now - lastRequest
    }

    /// A draw has its picture.
    mutating func drew(in duration: Duration) {
        let duration = max(duration, .zero)
        // A shift, where a division of 128 bits would be most of the cost.
        let eighth = Duration(attoseconds: (drawTime - duration).attoseconds >> 3)
        drawTime = max(duration, drawTime - eighth)
    }

    /// How many draws of the layer may go on at a time, but for those that were told to stop.
    ///
    /// Two, so that a thread that ends one finds the next and need not wait for the main thread, and an idle one helps. A
    /// layer whose draws are long has one, so that it leaves the other threads to other layers.
    var drawsAtATime: Int { drawTime > .zero && drawTime <= .milliseconds(100) ? 2 : 1 }

    /// Whether to stop a draw that has begun, for a newer request, so that the newest picture is there sooner.
    ///
    /// - Parameter quietTime: how long there had been no request when the draw was asked for. (That the newer request
    ///   comes during the draw tells nothing: it might be the only one.)
    func isStoppingWorthwhile(quietTime: Duration) -> Bool {
        drawTime > .zero && quietTime >= drawTime
    }
}
