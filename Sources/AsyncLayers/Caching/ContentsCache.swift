public import QueuePools

/// Pictures by what they show, shared between layers; the least recently used leave first.
///
///     let cache = ContentsCache<BitmapRenderer>(byteLimit: 64 << 20)
///     let layer = AsyncLayer(renderer: BitmapRenderer(), cache: cache)
///     // and in the delegate:
///     DisplayTask(key: item.id) { context, scope in … }
///
/// A pass whose task's key is in the cache, at the same size, scale, opacity and background, draws nothing.
/// One whose picture is being drawn for another layer of the cache waits for that draw. Layers that share a
/// cache must have renderers that draw alike.
///
/// *Thread-safe.* Pictures that leave are released on the pool's tier background. Keys are compared and
/// released under the cache's lock.
public final class ContentsCache<R: Renderer>: Sendable {
    let pictures: PictureCache

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes of its pictures, by the renderer's count for their contexts. Below 1
    ///     keeps nothing; pictures in flight are shared nevertheless.
    ///   - pool: where pictures that leave are released.
    public init(byteLimit: Int, pool: any JobSubmitting = DefaultQueuePool.shared) {
        pictures = PictureCache(byteLimit: byteLimit, pool: pool)
    }

    /// The bytes that the cached pictures take.
    public var byteCount: Int { pictures.byteCount }

    /// How many pictures are cached.
    public var count: Int { pictures.count }

    /// How many passes found their picture.
    public var hitCount: Int { pictures.hitCount }

    /// How many passes with a key found none.
    public var missCount: Int { pictures.missCount }

    /// Releases the least recently used pictures until the rest takes at most this many bytes; call it when
    /// memory is short. What layers show stays. O(pictures that leave).
    public func trim(toBytes byteCount: Int = 0) { pictures.trim(toBytes: byteCount) }
}
