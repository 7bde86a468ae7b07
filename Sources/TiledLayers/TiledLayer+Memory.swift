extension TiledLayer {
    /// Lets the pictures go that were wanted longest ago, until the rest takes at most this many bytes; what
    /// is in view stays. Call it when memory is short.
    public func trim(toBytes limit: Int) {
        var bytes = byteCount
        if bytes > max(0, limit) {
            var idle: [IdleTile] = []
            for tile in tiles.values where tile.lastWanted != lastTurn && handOut.placed[tile.id] == nil {
                idle.append(IdleTile(lastWanted: tile.lastWanted, id: tile.id))
            }
            idle.sort()
            for idle in idle where bytes > max(0, limit) {
                guard let tile = tiles[idle.id] else { continue }
                bytes -= tile.pictureBytes
                for level in levels where level.grid == tile.grid { level.tiles[tile.index] = nil }
                remove(tile)
            }
        }
        counts.byteCount = bytes
    }

    var byteCount: Int {
        var count = 0
        for tile in tiles.values { count += tile.pictureBytes }
        return count
    }
}

/// A tile that is not wanted now. Not generic and without a reference, as what is sorted often must be.
private struct IdleTile: Comparable {
    let lastWanted: UInt64
    let id: TileID

    static func < (one: IdleTile, other: IdleTile) -> Bool { one.lastWanted < other.lastWanted }
}
