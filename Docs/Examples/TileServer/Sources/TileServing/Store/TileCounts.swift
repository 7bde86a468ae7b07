import QueuePools

/// What a store has done since it was made. What became of the draws is in its pool's statistics.
public struct TileCounts: Hashable, Sendable {
    /// Tiles asked for. Each ends as answered, abandoned, refused or failed, and until then waits.
    public var requests = 0
    /// Requests that got their tile.
    public var answered = 0
    /// Requests whose client left before there was an answer.
    public var abandoned = 0
    /// Requests that the pool refused: too many tiles waited, this one for too long, or the server ends.
    public var refused = 0
    /// Requests whose tile could not be drawn.
    public var failed = 0

    /// Requests that found their tile in the cache.
    public var cacheHits = 0
    /// Requests that met a draw of their tile, waiting or begun, and wait for that one.
    public var shared = 0
    /// Prefetched tiles that came into view before they were done. Each is a job more.
    public var raised = 0

    /// Draws that began.
    public var drawsStarted = 0
    /// Draws whose tile was done.
    public var drawsFinished = 0
    /// Draws that had begun, and ended because every request left.
    public var drawsStopped = 0

    mutating func count(_ answer: Result<[UInt8], any Error>, for requests: Int) {
        switch answer {
        case .success: answered += requests
        case .failure(is PoolError): refused += requests
        case .failure: failed += requests
        }
    }
}
