import Locks
public import QueuePools

/// Layouts by content and width, each made once, and kept while there is room.
///
/// Laying text out often costs more than drawing it, and is wanted twice: on the main thread for a row's
/// height, and by the draw closure for the drawing. Both ask this cache:
///
///     let layouts = LayoutCache<Post, TextLayout>(byteLimit: 8 << 20) { _, layout in layout.byteCount }
///
///     // anywhere: makes the layout, unless it is there or another thread is making it
///     let layout = try layouts.layout(for: post, width: 320) { width in try TextLayout(post.text, width: width) }
///
///     // on the main thread, where nothing may be laid out
///     let height = layouts.cached(for: post, width: 320)?.size.height ?? estimatedHeight
///
/// The content must name everything that the layout depends on but the width: text, fonts, attributes. Its
/// hash is computed once a look-up, before the cache's lock is taken. A content that does not equal itself, as one
/// with NaN in it, is laid out each time and never kept.
///
/// **Widths** are rounded up to 1/1024 point, so that widths within the same 1024th share a layout. The maker
/// is given the rounded width: what it makes depends on the key alone, not on who came first. From 2⁴⁰ points
/// on a width is infinite, no bound at all; NaN and what is below zero count as zero.
///
/// **Room**: the least recently used layouts go first. A layout that is larger than the limit is handed out
/// but not kept. Layouts that make room are released by the thread that made the new one; those that
/// ``removeAll()``, ``trim(toBytes:)`` and a lower ``byteLimit`` take out, on the pool's tier background. Contents
/// are compared, and released, under the cache's lock.
///
/// The idea of a label that caches its layout by its text is older than any of its libraries; making equal
/// layouts once, whoever asks, is what Go's `singleflight` package does for calls.
///
/// *Thread-safe.*
public final class LayoutCache<Content: Hashable & Sendable, Layout: Sendable>: Sendable {
    private let byteCount: @Sendable (Content, Layout) -> Int
    private let pool: any JobSubmitting
    private let state: Lock<State>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - byteLimit: how many bytes the layouts may take together; below zero counts as zero, which keeps
    ///     nothing. Default: 16 MiB.
    ///   - pool: where layouts that were taken out are released. Default: the process's `DefaultQueuePool`.
    ///   - byteCount: what a layout costs, together with its content, which is kept as well. An estimate
    ///     will do. Less than 1 counts as 1. Called once a layout, on the thread that made it.
    public init(
        byteLimit: Int = 16 << 20, pool: any JobSubmitting = DefaultQueuePool.shared,
        byteCount: @escaping @Sendable (Content, Layout) -> Int
    ) {
        self.byteCount = byteCount
        self.pool = pool
        state = Lock(State(byteLimit: byteLimit))
    }

    /// The layout of a content in a width, in points; made now if it is not there. O(1) if it is.
    ///
    /// Of several threads that ask for the same layout at the same moment one makes it, and the others wait
    /// for that. If the maker throws, its caller gets the error, and one of the others tries with its own
    /// maker. A thread that waits does so whatever its priority; so don't call this on a thread that must not
    /// wait for lower ones, such as the main thread: ask ``cached(for:width:)`` there, or make what it needs
    /// ahead.
    ///
    /// A maker may ask this cache, and others, for other layouts. One that asks for the layout it is making,
    /// directly or around several threads that wait for each other, would wait for ever: that stops the
    /// program, with a message.
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
            if let layout = try find(key, isCancelled: nil, make) { return layout }
        }
    }

    /// The layout of a content in a width, in points, as long as it is needed; made now if it is not there.
    ///
    /// As ``layout(for:width:make:)``, but a thread that waits for another one's layout stops waiting within 5 ms once
    /// the layout is not needed any more. For draw closures, with the scope's `isCancelled`:
    ///
    ///     let layout = try layouts.layout(for: post, width: width, isCancelled: { scope.isCancelled }) {
    ///         try TextLayout(post.text, width: $0, isCancelled: { scope.isCancelled })
    ///     }
    ///
    /// If the thread that makes the layout stops because *it* does not need it, one of those that wait makes it.
    ///
    /// - Parameters:
    ///   - content: what is laid out.
    ///   - width: in points, rounded as the type's description says.
    ///   - isCancelled: whether the caller needs the layout no more. Called on this thread, while it waits every 5 ms.
    ///   - make: makes the layout for the width it is given. The cache's lock is not held meanwhile.
    /// - Throws: what `make` throws; `CancellationError` if `isCancelled` returns true before the layout is there.
    public func layout(
        for content: Content, width: Double, isCancelled: () -> Bool,
        make: (_ width: Double) throws -> Layout
    ) throws -> Layout {
        let key = Key(content, width)
        return try withoutActuallyEscaping(isCancelled) { isCancelled in
            while true {
                if let layout = try find(key, isCancelled: isCancelled, make) { return layout }
                if isCancelled() { throw CancellationError() }
            }
        }
    }

    /// The layout if it is there; neither makes it nor waits for one that is being made. O(1). Counts as a use.
    public func cached(for content: Content, width: Double) -> Layout? {
        let key = Key(content, width)
        return state.withLock { $0.layout(for: key) }
    }

    /// How many bytes the layouts may take together. Lowered, it takes effect at once; below zero counts as
    /// zero.
    public var byteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set { release(state.withLock { $0.setByteLimit(newValue) }) }
    }

    /// Gives up everything: under memory pressure, or because layouts would come out differently now, as after
    /// a change of fonts. Layouts that are being made still reach those who asked before, but are not kept.
    public func removeAll() {
        pool.release([DeferredRelease(state.withLock { $0.takeAll() })])
    }

    /// Gives up the least recently used layouts until the rest takes at most this many bytes. O(n) in the
    /// number of layouts that go.
    public func trim(toBytes bytes: Int) {
        release(state.withLock { $0.trim(toBytes: bytes) })
    }

    /// What the cache has done so far. O(1).
    public var statistics: LayoutCacheStatistics {
        state.withLock { $0.statistics }
    }
}

extension LayoutCache {
    /// The layout; nil if the one that was waited for failed, or the caller needs it no more.
    private func find<Failure: Error>(
        _ key: Key, isCancelled: (() -> Bool)?, _ make: (Double) throws(Failure) -> Layout
    ) throws(Failure) -> Layout? {
        switch state.withLock({ $0.find(key) }) {
        case .kept(let layout): return layout
        case .toBeMade(let flight): return try self.make(flight, key, make)
        case .beingMade(let flight):
            switch flight.wait(isCancelled: isCancelled) {
            case .made(let layout): return layout
            case .failed, .cancelled: return nil
            case .endless: Self.stop(key)
            }
        }
    }

    private func make<Failure: Error>(
        _ flight: SingleFlight<Layout>, _ key: Key, _ make: (Double) throws(Failure) -> Layout
    ) throws(Failure) -> Layout {
        let layout: Layout
        do throws(Failure) {
            layout = try make(key.width.points)
        } catch {
            state.withLock { $0.end(flight, key) }
            flight.finish(nil)
            throw error
        }
        let bytes = byteCount(key.content, layout)
        let released = state.withLock { $0.end(flight, key, with: layout, bytes: bytes) }
        flight.finish(layout)
        // Not under the lock, and not before those who wait may go on.
        _ = consume released
        return layout
    }

    private func release(_ layouts: consuming [Layout]) {
        guard !layouts.isEmpty else { return }
        pool.release([DeferredRelease(layouts)])
    }

    private static func stop(_ key: Key) -> Never {
        fatalError(
            """
            LayoutCache: the maker of a layout of \(Content.self) in a width of \(key.width.points) points needs \
            that very layout, directly or through threads that wait for each other
            """)
    }
}

/// What a ``LayoutCache`` has done since it was made, and what it holds.
public struct LayoutCacheStatistics: Hashable, Sendable {
    /// Look-ups that found a layout.
    public let hits: Int

    /// Look-ups that found none: the layout was then made, or, by
    /// ``LayoutCache/cached(for:width:)``, not.
    public let misses: Int

    /// Look-ups that met another thread making the layout, and waited for it.
    public let waits: Int

    /// How many layouts are kept.
    public let count: Int

    /// The bytes that the kept layouts take, as the cache's `byteCount` closure tells them.
    public let bytes: Int

    /// How many bytes they may take.
    public let byteLimit: Int
}
