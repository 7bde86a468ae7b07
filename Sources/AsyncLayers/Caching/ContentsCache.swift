import QueuePoolsLocks
public import QueuePools

/// Pictures by what they show, shared between layers; the least recently used are evicted first.
///
///     let cache = ContentsCache<BitmapRenderer>(byteLimit: 64 << 20)
///     let layer = AsyncLayer(renderer: BitmapRenderer(), cache: cache)
///     // and in the delegate:
///     DisplayTask(key: item.id) { context, scope in … }
///
/// A pass whose task's key is in the cache, at the same size, scale, opacity and background, draws nothing.
/// One whose picture is being drawn for another layer of the cache waits for that draw. A part of a
/// ``Composition`` whose key is in the cache is not drawn. Layers that share a cache must have renderers that
/// draw alike.
///
/// *Thread-safe.* Pictures that leave are released on the pool's tier background; if more than 16 MiB of them
/// wait, by the next draw of a layer with the cache. Keys are compared and released under the cache's lock.
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

    /// What the cache has done so far. O(1).
    public var statistics: CacheStatistics { pictures.state.withLock { $0.statistics } }

    /// Releases the least recently used pictures until the rest takes at most this many bytes; call it when
    /// memory is short. What layers show stays. A key names all that its picture depends on, so nothing need
    /// be removed because it is out of date. O(pictures that leave).
    public func trim(toBytes byteCount: Int = 0) {
        pictures.releases.leave(pictures.state.withLock { $0.kept.trim(toBytes: byteCount) })
    }
}

/// Pictures by key, and keyed draws in flight, without the renderer's type; see ``ContentsCache``.
final class PictureCache: Sendable {
    let state: Lock<SingleFlightCache<PictureKey, Picture, Drawing>>
    let releases: PictureReleases

    init(byteLimit: Int, pool: any JobSubmitting) {
        state = Lock(SingleFlightCache(byteLimit: byteLimit))
        releases = PictureReleases(pool: pool)
    }

    deinit { releases.leave(state.withLock { $0.kept.trim(toBytes: 0) }) }

    func find(_ key: PictureKey) -> (picture: Picture?, drawing: Drawing?) {
        state.withLock { state in
            let (picture, drawing) = state.find(key)
            // Held under the lock: outside of it the cache may leave it.
            return (picture?.hold(), drawing)
        }
    }

    /// The pictures of a composition's parts. Drawings in flight are not awaited. The lock is taken for 64 of
    /// them at a time, so that the main thread waits for few.
    func find(_ keys: [PictureKey]) -> [Picture?] {
        stride(from: 0, to: keys.count, by: 64).flatMap { start in
            state.withLock { state in
                keys[start..<min(start + 64, keys.count)].map { state.kept.value(for: $0)?.hold() }
            }
        }
    }

    func begin(_ drawing: Drawing, for key: PictureKey) {
        state.withLock { $0.begin(drawing, for: key) }
    }

    func end(_ drawing: Drawing, for key: PictureKey) {
        _ = state.withLock { $0.end(drawing, for: key) }
    }

    func insert(_ picture: Picture, for key: PictureKey) {
        releases.leave(state.withLock { $0.kept.insert(picture.hold(), for: key, bytes: picture.byteCount) })
    }
}
