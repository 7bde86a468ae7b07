import QueuePools

/// What bounds a store's memory, and how long its requests wait.
public struct TileStoreLimits: Hashable, Sendable {
    /// How many bytes the cached PNG files may take together. Default: 64 MiB. Zero caches nothing.
    public var cacheBytes: Int

    /// How many tiles in view may wait to be drawn, and besides these half as many prefetched ones. Default:
    /// 512.
    public var waitingTiles: Int

    /// A tile whose draw has not begun after this time is refused. Default: nil, it waits for any time.
    public var patience: Duration?

    /// Describes limits; zero or fewer tiles count as one, negative bytes as zero.
    public init(cacheBytes: Int = 64 << 20, waitingTiles: Int = 512, patience: Duration? = nil) {
        self.cacheBytes = max(cacheBytes, 0)
        self.waitingTiles = max(waitingTiles, 1)
        self.patience = patience
    }

    /// A pool that keeps to the limits.
    ///
    /// - Throws: `PoolError` if there cannot be that many threads.
    public func makePool(
        threads: TierCounts = .automatic
    ) throws(PoolError) -> DefaultQueuePool {
        let options = QueuePoolOptions(
            label: "tiles", queuesPerTier: threads,
            capacity: [
                Urgency.interactive.tier: waitingTiles,
                Urgency.prefetched.tier: max(waitingTiles / 2, 1),
            ])
        #if os(Linux)
            // For the longest wait and run in the metrics. It costs 100 ns a draw.
            let workers = WorkerOptions(observation: JobObservation())
            return try DefaultQueuePool(options, workers: workers)
        #else
            return try DefaultQueuePool(options)
        #endif
    }
}
