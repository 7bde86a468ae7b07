/// What bounds a store's memory.
public struct TileStoreLimits: Hashable, Sendable {
    /// How many bytes the cached PNG files may take together. Default: 64 MiB. Zero caches nothing.
    public var cacheBytes: Int

    /// How many tiles may wait to be drawn. Default: 512. Prefetched ones may take half of the room, so that
    /// they are the first to be refused.
    public var waitingTiles: Int

    /// Describes limits; negative ones count as zero.
    public init(cacheBytes: Int = 64 << 20, waitingTiles: Int = 512) {
        self.cacheBytes = max(cacheBytes, 0)
        self.waitingTiles = max(waitingTiles, 0)
    }

    func waitingTiles(for urgency: Urgency) -> Int {
        urgency == .interactive ? waitingTiles : waitingTiles / 2
    }
}
