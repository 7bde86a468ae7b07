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
