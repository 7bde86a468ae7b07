import Dispatch
import QueuePoolsLocks
public import QueuePools

/// Layouts by content and width, each made once, and kept while there is room.
///
/// Laying text out often costs more than drawing it, and is needed twice: for a row's height, on the main
/// thread, and by the draw closure. Both ask this cache:
///
///     let layouts = LayoutCache<Post, TextLayout>(byteLimit: 8 << 20) { _, layout in layout.byteCount }
///
///     // on any thread: makes the layout, unless it is kept or another thread is making it
///     let layout = try layouts.layout(for: post, width: 320) { try TextLayout(post.text, width: $0) }
///
///     // on the main thread, where nothing may be laid out
///     let height = layouts.cached(for: post, width: 320)?.size.height ?? estimatedHeight
///
/// The content must name everything that the layout depends on but the width: text, fonts, attributes. It is
/// hashed once a look-up, outside the cache's lock. A content that does not equal itself (NaN) is never kept.
///
/// **Widths** are rounded up to 1/1024 point, so that widths within the same 1024th share a layout. The maker
/// is given the rounded width, so that its layout depends on the key alone. From 2⁴⁰ points on a width is
/// infinite, no bound; NaN and negative widths count as zero.
///
/// **Room**: the least recently used layouts leave first. A layout that is larger than the limit is returned
/// but not kept. The thread that made a layout releases those that make room for it; ``removeAll()``,
/// ``trim(toBytes:)`` and a lower ``byteLimit`` release on the pool's tier background. Contents are compared
/// and released under the cache's lock.
///
/// *Thread-safe.*
public final class LayoutCache<Content: Hashable & Sendable, Layout: Sendable>: Sendable {
    private let byteCount: @Sendable (Content, Layout) -> Int
    private let pool: any JobSubmitting
    private let state: Lock<SingleFlightCache<Key, Layout, SingleFlight<Layout>>>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes of the layouts; zero or less keeps nothing. Default: 16 MiB.
    ///   - pool: where layouts that were taken out are released. Default: the process's.
    ///   - byteCount: an estimate for a layout together with its content, which is kept as well. Less than 1
    ///     counts as 1. Called once a layout, on the thread that made it.
    public init(
        byteLimit: Int = 16 << 20, pool: any JobSubmitting = DefaultQueuePool.shared,
        byteCount: @escaping @Sendable (Content, Layout) -> Int
    ) {
        self.byteCount = byteCount
        self.pool = pool
        state = Lock(SingleFlightCache(byteLimit: byteLimit))
    }

    /// The layout of a content in a width, in points; made now if it is not kept. O(1) if it is.
    ///
    /// Of several threads that need the same layout at the same time one makes it, and the others wait, as in
    /// Go's `singleflight` package. If the maker throws, its caller gets the error, and one of the others
    /// calls its own maker. A thread may wait for one of lower priority: on the main thread call
    /// ``cached(for:width:)`` instead, or make layouts ahead.
    ///
    /// A maker may ask this cache, and others, for other layouts. One that needs the layout it is making,
    /// directly or through threads that wait for each other, would deadlock: that stops the program, with a
    /// message.
    ///
    /// - Parameters:
    ///   - content: what is laid out.
    ///   - width: in points, rounded as the type's description says.
    ///   - make: makes the layout for the width it is given. The cache's lock is not held meanwhile.
    /// - Throws: what `make` throws.
    public func layout<Failure: Error>(
        for content: Content, width: Double, make: (_ width: Double) throws(Failure) -> Layout
    ) throws(Failure) -> Layout {
        let key = Key(content, width)
        while true {
            if let layout = try find(key, isCancelled: { false }, every: .never, make) { return layout }
        }
    }

    /// The layout of a content in a width, in points, for a caller that can be cancelled.
    ///
    /// As ``layout(for:width:make:)``, but a thread that waits for another one's layout stops waiting within
    /// 5 ms of the cancellation. For draw closures, with the scope's `isCancelled`:
    ///
    ///     let layout = try layouts.layout(for: post, width: width, isCancelled: { scope.isCancelled }) {
    ///         try TextLayout(post.text, width: $0, isCancelled: { scope.isCancelled })
    ///     }
    ///
    /// If the thread that makes the layout is cancelled, one of those that wait makes it.
    ///
    /// - Parameters:
    ///   - content: what is laid out.
    ///   - width: in points, rounded as the type's description says.
    ///   - isCancelled: called on this thread, every 5 ms while it waits.
    ///   - make: makes the layout for the width it is given. The cache's lock is not held meanwhile.
    /// - Throws: what `make` throws; `CancellationError` if `isCancelled` returns true before.
    public func layout(
        for content: Content, width: Double, isCancelled: () -> Bool,
        make: (_ width: Double) throws -> Layout
    ) throws -> Layout {
        let key = Key(content, width)
        while true {
            if let layout = try find(key, isCancelled: isCancelled, every: .milliseconds(5), make) {
                return layout
            }
            if isCancelled() { throw CancellationError() }
        }
    }

    /// The layout if it is kept; neither makes it nor waits for it. O(1). Counts as a use.
    public func cached(for content: Content, width: Double) -> Layout? {
        let key = Key(content, width)
        return state.withLock { $0.kept.value(for: key) }
    }

    /// The most bytes of the layouts. A lower limit takes effect immediately; negative counts as zero.
    public var byteLimit: Int {
        get { state.withLock { $0.kept.byteLimit } }
        set { release(state.withLock { $0.kept.setByteLimit(newValue) }) }
    }

    /// Removes all layouts: under memory pressure, or when layouts would differ now, as after a change of
    /// fonts. Those that are being made are returned to the callers that wait, but not kept.
    public func removeAll() {
        pool.release(state.withLock { $0.takeAll() })
    }

    /// Removes the least recently used layouts until the rest takes at most this many bytes. O(removed
    /// layouts).
    public func trim(toBytes byteCount: Int = 0) {
        release(state.withLock { $0.kept.trim(toBytes: byteCount) })
    }

    /// What the cache has done so far. O(1).
    public var statistics: CacheStatistics { state.withLock { $0.statistics } }
}

extension LayoutCache {
    /// The layout; nil if the maker that was waited for failed, or the caller is cancelled.
    private func find<Failure: Error>(
        _ key: Key, isCancelled: () -> Bool, every interval: DispatchTimeInterval,
        _ make: (Double) throws(Failure) -> Layout
    ) throws(Failure) -> Layout? {
        let (layout, flight, isOwn) = state.withLock { state in
            let (layout, flight) = state.find(key)
            guard layout == nil, flight == nil else { return (layout, flight, false) }
            let own = SingleFlight<Layout>()
            state.begin(own, for: key)
            return (nil, own, true)
        }
        guard let flight else { return layout }
        guard isOwn else {
            guard flight.wait(isCancelled: isCancelled, every: interval) else {
                fatalError(
                    """
                    LayoutCache: the maker of a layout of \(Content.self) in a width of \(key.width) \
                    points needs that very layout, directly or through threads that wait for each other
                    """)
            }
            return flight.value
        }
        var made: (layout: Layout, bytes: Int)?
        defer {
            let released = state.withLock { state in
                guard state.end(flight, for: key), let made else { return [Layout]() }
                return state.kept.insert(made.layout, for: key, bytes: made.bytes)
            }
            flight.finish(made?.layout)
            // Not under the lock, and not before the waiting threads are woken.
            extendLifetime(released)
        }
        let newLayout = try make(key.width)
        made = (newLayout, byteCount(key.content, newLayout))
        return newLayout
    }

    private func release(_ layouts: consuming [Layout]) {
        guard !layouts.isEmpty else { return }
        pool.release(layouts)
    }
}

extension LayoutCache {
    /// A content and a width.
    struct Key: Hashable, Sendable {
        // A content may be long: it is hashed once, here, and not under the lock. First, since what differs
        // in it is compared no further.
        private let hash: Int
        /// In points; infinite for no bound.
        let width: Double
        let content: Content

        /// Rounds a width up to 1/1024 point, which is Pango's unit, so that text laid out in its own natural
        /// width does not lose its last word to a rounding error. Below 2⁴⁰ every step is exact in a Double.
        init(_ content: Content, _ width: Double) {
            self.content = content
            self.width = width >= 0x1p40 ? .infinity : width > 0 ? (width * 1_024).rounded(.up) / 1_024 : 0
            hash = content.hashValue
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(hash)
            hasher.combine(width)
        }
    }
}
