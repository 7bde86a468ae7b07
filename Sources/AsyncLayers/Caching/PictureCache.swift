import Locks
import QueuePools

/// Pictures by key, without the renderer's type; see ``ContentsCache``.
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
