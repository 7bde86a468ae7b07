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
/// *Thread-safe.* Pictures that leave are released on the pool's tier background. Keys are compared, and
/// released, under the cache's lock.
public final class ContentsCache<R: Renderer>: Sendable {
    let pictures: PictureCache

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes that its pictures may take together, by what the renderer says of their
    ///     contexts. Below 1 keeps nothing; pictures in flight are shared all the same.
    ///   - pool: where pictures that leave are released.
    public init(byteLimit: Int, pool: any JobSubmitting = DefaultQueuePool.shared) {
        pictures = PictureCache(byteLimit: byteLimit, pool: pool)
    }

    /// The bytes that the cached pictures take.
    public var byteCount: Int { pictures.byteCount }

    /// How many pictures are cached.
    public var count: Int { pictures.count }

    /// How many passes found their picture here.
    public var hitCount: Int { pictures.hitCount }

    /// How many passes with a key did not.
    public var missCount: Int { pictures.missCount }

    /// Lets go of every picture, or of the least recently used ones until the rest takes no more than this;
    /// call it when memory is short. What layers show stays. O(pictures that leave).
    public func trim(toBytes byteCount: Int = 0) { pictures.trim(toBytes: byteCount) }
}
