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

/// Pictures by key, without the renderer's type; see ``ContentsCache``. Draws in flight are shared on the
/// main actor, which must not block, and so not by ``SingleFlight``.
final class PictureCache: Sendable {
    private struct State {
        var pictures: LeastRecentlyUsed<PictureKey, DeferredRelease<Picture>>
        var hitCount = 0
        var missCount = 0
    }

    private let state: Lock<State>
    private let pool: any JobSubmitting

    /// Keyed draws in flight.
    @MainActor var draws: [PictureKey: Draw] = [:]

    init(byteLimit: Int, pool: any JobSubmitting) {
        state = Lock(State(pictures: LeastRecentlyUsed(byteLimit: byteLimit)))
        self.pool = pool
    }

    var byteCount: Int { state.withLock { $0.pictures.byteCount } }

    var count: Int { state.withLock { $0.pictures.count } }

    var hitCount: Int { state.withLock { $0.hitCount } }

    var missCount: Int { state.withLock { $0.missCount } }

    func trim(toBytes byteCount: Int) {
        pool.release(state.withLock { $0.pictures.trim(toBytes: byteCount) })
    }

    func picture(for key: PictureKey) -> DeferredRelease<Picture>? {
        state.withLock { state in
            // Copied under the lock: outside of it the cached one may be on its way out.
            let picture = state.pictures.value(for: key)?.copy()
            if picture == nil { state.missCount += 1 } else { state.hitCount += 1 }
            return picture
        }
    }

    func insert(_ picture: DeferredRelease<Picture>, for key: PictureKey) {
        pool.release(state.withLock { $0.pictures.insert(picture, for: key, bytes: picture.byteCount) })
    }
}
