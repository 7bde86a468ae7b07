#if Cairo
    public import AsyncLayers
    public import QueuePools

    /// Pictures by key, each decoded once, and kept while there is room.
    ///
    ///     let images = ImageCache(byteLimit: 64 << 20)
    ///     let avatar = try images.image(for: url) {
    ///         try ImageDecoder().decode(contentsOfFile: path)
    ///             .resized(to: Size(width: 40, height: 40), cornerRadius: 20)
    ///     }
    ///
    /// What holds for a `LayoutCache` holds here: of several threads that ask for one picture at a time one
    /// makes it; a maker that throws leaves nothing behind. *Thread-safe.*
    public final class ImageCache: Sendable {
        private let images: LayoutCache<ContentKey, CairoImage>

        /// Makes an empty cache.
        ///
        /// - Parameters:
        ///   - byteLimit: how many bytes the pictures may take together. Default: 64 MiB.
        ///   - pool: where pictures that were taken out are released. Default: the process's.
        public init(byteLimit: Int = 64 << 20, pool: any JobSubmitting = DefaultQueuePool.shared) {
            images = LayoutCache(byteLimit: byteLimit, pool: pool) { _, image in image.byteCount }
        }

        /// The picture of a key; made now if it is not kept. Not for the main thread.
        ///
        /// - Parameters:
        ///   - key: must name everything that the picture depends on: the file, the size, the corners.
        ///   - make: makes it.
        /// - Throws: what `make` throws.
        public func image<Failure: Error>(
            for key: some Hashable & Sendable, make: () throws(Failure) -> CairoImage
        ) throws(Failure) -> CairoImage {
            try images.layout(for: ContentKey(key), width: 0) { _ throws(Failure) in try make() }
        }

        /// The picture if it is kept; makes nothing and waits for no thread. O(1).
        public func cached(for key: some Hashable & Sendable) -> CairoImage? {
            images.cached(for: ContentKey(key), width: 0)
        }

        /// Removes the least recently used pictures until the rest takes at most this many bytes.
        public func trim(toBytes byteCount: Int = 0) { images.trim(toBytes: byteCount) }

        /// Removes all pictures, as under memory pressure.
        public func removeAll() { images.removeAll() }

        /// What the cache has done so far. O(1).
        public var statistics: CacheStatistics { images.statistics }
    }
#endif
