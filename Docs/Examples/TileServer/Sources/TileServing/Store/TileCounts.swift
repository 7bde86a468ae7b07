/// What a store has done since it was made.
public struct TileCounts: Hashable, Sendable {
    /// Tiles asked for. Each ends as answered, abandoned, refused or failed, and until then waits.
    public var requests = 0
    /// Requests that got their tile.
    public var answered = 0
    /// Requests whose client left before there was an answer.
    public var abandoned = 0
    /// Requests turned away because too many tiles waited.
    public var refused = 0
    /// Requests whose tile could not be drawn.
    public var failed = 0

    /// Requests that found their tile in the cache.
    public var cacheHits = 0
    /// Requests that met a draw of their tile, waiting or begun, and wait for that one.
    public var shared = 0
    /// Prefetched tiles that came into view before they were done.
    public var raised = 0

    /// Draws that began.
    public var drawsStarted = 0
    /// Of those, the ones that began though every request had left: the draw was just then taken from its
    /// queue. They end before their first row.
    public var drawsStartedForAbandoned = 0
    /// Draws whose tile was done.
    public var drawsFinished = 0
    /// Draws that met an error.
    public var drawsFailed = 0
    /// Draws taken off their queue because every request left.
    public var cancelledBeforeStart = 0
    /// Draws that stopped between two rows because every request left.
    public var cancelledWhileDrawing = 0

    /// Draws in their queues now.
    public var waiting = 0
    /// Draws on a thread now.
    public var drawing = 0
}
