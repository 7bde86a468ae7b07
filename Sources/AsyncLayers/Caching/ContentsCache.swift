import Locks
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
    public var byteCount: Int { pictures.kept.withLock { $0.byteCount } }

    /// How many pictures are cached.
    public var count: Int { pictures.kept.withLock { $0.count } }

    /// How many passes found their picture.
    public var hitCount: Int { pictures.kept.withLock { $0.hitCount } }

    /// How many passes with a key found none.
    public var missCount: Int { pictures.kept.withLock { $0.missCount } }

    /// Releases the least recently used pictures until the rest takes at most this many bytes; call it when
    /// memory is short. What layers show stays. O(pictures that leave).
    public func trim(toBytes byteCount: Int = 0) {
        pictures.pool.release(pictures.kept.withLock { $0.trim(toBytes: byteCount) })
    }
}

/// Pictures by key, without the renderer's type; see ``ContentsCache``. Draws in flight are shared on the
/// main actor, which must not block, and so not by ``SingleFlight``.
final class PictureCache: Sendable {
    let kept: Lock<LeastRecentlyUsed<PictureKey, DeferredRelease<Picture>>>
    let pool: any JobSubmitting

    /// Keyed draws in flight.
    @MainActor var draws: [PictureKey: Draw] = [:]

    init(byteLimit: Int, pool: any JobSubmitting) {
        kept = Lock(LeastRecentlyUsed(byteLimit: byteLimit))
        self.pool = pool
    }

    func picture(for key: PictureKey) -> DeferredRelease<Picture>? {
        // Copied under the lock: outside of it the cached one may be on its way out.
        kept.withLock { $0.value(for: key)?.copy() }
    }

    func insert(_ picture: DeferredRelease<Picture>, for key: PictureKey) {
        pool.release(kept.withLock { $0.insert(picture, for: key, bytes: picture.byteCount) })
    }
}
