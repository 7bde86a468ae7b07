/// The PNG files of tiles, limited in bytes: when room is needed, those that were not used for longest go
/// first. O(1).
///
/// No file is released in here: what leaves is returned, so that the caller releases it after its lock.
struct TileCache: Sendable {
    private struct Entry {
        let png: [UInt8]
        /// The tile that was used next after this one.
        var newer: TileAddress?
        /// The tile that was used last before this one.
        var older: TileAddress?
    }

    let byteLimit: Int
    /// The bytes of all files together; never above the limit.
    private(set) var byteCount = 0

    private var entries: [TileAddress: Entry] = [:]
    private var newest: TileAddress?
    private var oldest: TileAddress?

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { entries.count }

    /// A tile's file, which counts as used now.
    mutating func png(at address: TileAddress) -> [UInt8]? {
        guard let png = remove(address) else { return nil }
        append(png, at: address)
        return png
    }

    /// Caches a file as the most recently used one. Returns what is no longer cached: the tile's former file,
    /// those that make room, and this one if it is larger than the limit.
    mutating func insert(_ png: [UInt8], at address: TileAddress) -> [[UInt8]] {
        var released = [remove(address)].compactMap(\.self)
        guard png.count <= byteLimit else { return released + [png] }
        append(png, at: address)
        while byteCount > byteLimit, let oldest, let png = remove(oldest) { released.append(png) }
        return released
    }

    private mutating func append(_ png: [UInt8], at address: TileAddress) {
        entries[address] = Entry(png: png, newer: nil, older: newest)
        if let newest { entries[newest]?.newer = address } else { oldest = address }
        newest = address
        byteCount += png.count
    }

    private mutating func remove(_ address: TileAddress) -> [UInt8]? {
        guard let entry = entries.removeValue(forKey: address) else { return nil }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
        byteCount -= entry.png.count
        return entry.png
    }
}
