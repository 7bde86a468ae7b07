import QueuePools
import Synchronization

/// Draws tiles on a pool, for as long as a request waits for them.
///
///     let png = try await store.tile(at: address)
///
/// - Tiles in view are drawn on a higher tier than prefetched ones. Within a tier the threads get them in
///   turn as they are asked for, and each thread draws its own in that order.
/// - A request for a tile that is waiting or being drawn gets that one. If it was prefetched and is now in
///   view, it changes to the higher tier, also in the middle of the draw.
/// - A task that is cancelled leaves. With the last one the draw goes: off its queue at once, or, if it has
///   begun, after the row that it is at.
/// - What was drawn is cached. The cache is limited; how many tiles wait, and for how long, the pool limits.
///
/// *Thread-safe.*
public final class TileStore: Sendable {
    /// What bounds the store's memory.
    public let limits: TileStoreLimits

    let picture: any TilePicture
    let pool: DefaultQueuePool
    let drawBegan: @Sendable (TileAddress) -> Void
    let state: Mutex<State>
    private let numbers = Atomic<Int>(0)

    typealias Waiter = SharedDraw.Waiter

    /// What the lock protects.
    struct State: Sendable {
        /// The draws that requests wait for.
        var draws: [TileAddress: SharedDraw] = [:]
        var cache: TileCache
        var counts = TileCounts()
    }

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - picture: what the tiles show.
    ///   - pool: where they are drawn, see ``TileStoreLimits/makePool(threads:)``.
    ///   - limits: what bounds the memory.
    ///   - drawBegan: called by a draw as it begins, on the pool's thread. Default: nothing.
    public init(
        picture: any TilePicture, pool: DefaultQueuePool, limits: TileStoreLimits = TileStoreLimits(),
        drawBegan: @escaping @Sendable (TileAddress) -> Void = { _ in }
    ) {
        self.picture = picture
        self.pool = pool
        self.limits = limits
        self.drawBegan = drawBegan
        state = Mutex(State(cache: TileCache(byteLimit: limits.cacheBytes)))
    }

    /// The tile as a PNG file: from the cache, from a draw that others wait for, or drawn now.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; `PoolError` when too many tiles wait
    ///   (`.full`), this one for too long (`.expired`), or the pool was shut down; what drawing throws.
    public func tile(at address: TileAddress, urgency: Urgency = .interactive) async throws -> [UInt8] {
        let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(address, urgency, number, $0) }
        } onCancel: {
            leave(address, number)
        }
    }

    /// What the store has done, and does now.
    public var counts: TileCounts { state.withLock { $0.counts } }

    /// The bytes of the cached tiles; never above the limit.
    public var cachedBytes: Int { state.withLock { $0.cache.byteCount } }

    /// How many tiles are cached.
    public var cachedTiles: Int { state.withLock { $0.cache.count } }
}
