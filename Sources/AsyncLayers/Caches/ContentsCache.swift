import Locks
public import QueuePools

/// Pictures by what they show, shared between layers, the least recently used going first.
///
///     let cache = ContentsCache<BitmapRenderer>(byteLimit: 64 << 20)
///     let layer = AsyncLayer(renderer: BitmapRenderer(), cache: cache)
///     // and in the delegate:
///     DisplayTask(key: item.id) { context, scope in … }
///
/// A pass whose task has a key that is in the cache, at the same size, scale, opacity and background, is
/// committed at once and draws nothing. One whose picture is being drawn at this moment, for another layer of
/// the same cache, gets that one. Layers that share a cache must have renderers that draw alike.
///
/// *Thread-safe.* Pictures that leave are released on the pool's tier background.
public final class ContentsCache<R: Renderer>: Sendable {
    typealias CachedPicture = Parcel<Picture<R.Contents>>

    private struct State {
        var pictures: LeastRecentlyUsed<RasterKey, CachedPicture>
        var hitCount = 0
        var missCount = 0
    }

    private let state: Lock<State>
    private let pool: any JobSubmitting

    /// Keyed draws in flight.
    @MainActor var drawings: [RasterKey: Raster<R>] = [:]

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes that its pictures may take together, by what the renderer says of their
    ///     contexts. Below 1 keeps nothing; pictures in flight are shared all the same.
    ///   - pool: where pictures that leave are released.
    public init(byteLimit: Int, pool: any JobSubmitting = DefaultQueuePool.shared) {
        state = Lock(State(pictures: LeastRecentlyUsed(byteLimit: byteLimit)))
        self.pool = pool
    }

    /// The bytes that the cached pictures take.
    public var byteCount: Int { state.withLock { $0.pictures.byteCount } }

    /// How many pictures are cached.
    public var count: Int { state.withLock { $0.pictures.count } }

    /// How many passes found their picture here.
    public var hitCount: Int { state.withLock { $0.hitCount } }

    /// How many passes with a key did not.
    public var missCount: Int { state.withLock { $0.missCount } }

    /// Lets go of every picture, or of the least recently used ones until the rest takes no more than this;
    /// call it when memory is short. What layers show stays. O(pictures that leave).
    public func trim(toBytes byteCount: Int = 0) {
        release(state.withLock { $0.pictures.trim(toBytes: byteCount) })
    }

    func picture(for key: RasterKey) -> CachedPicture? {
        state.withLock { state in
            // Copied under the lock: outside of it the cached one may be on its way out.
            let picture = state.pictures.value(for: key)?.copy()
            if picture == nil { state.missCount += 1 } else { state.hitCount += 1 }
            return picture
        }
    }

    func insert(_ picture: CachedPicture, for key: RasterKey, bytes: Int) {
        release(state.withLock { $0.pictures.insert(picture, for: key, bytes: bytes) })
    }

    private func release(_ pictures: [CachedPicture]) {
        for picture in pictures { picture.empty(on: pool) }
    }
}
