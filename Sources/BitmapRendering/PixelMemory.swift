#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Zeroed memory that is freed when its owner dies. It cannot be copied, only handed over.
///
/// `calloc` rather than Swift's allocator: it takes large blocks from the system as zeroed pages, so that the
/// pixels are written once only (by the draw), and it reports a failure where Swift's allocator would trap.
struct PixelMemory: ~Copyable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Takes zeroed memory for a number of bytes above zero.
    init(byteCount: Int) throws(BitmapError) {
        guard let start = calloc(byteCount, 1) else {
            throw .outOfMemory(byteCount: byteCount)
        }
        self.start = start
        self.byteCount = byteCount
    }

    deinit {
        free(start)
    }
}
