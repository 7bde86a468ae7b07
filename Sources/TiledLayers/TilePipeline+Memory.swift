extension TilePipeline {
    /// Lets the pictures go that were wanted longest ago, until the rest takes at most this many bytes; what
    /// is in view stays, and what was wanted in the turn `turn`.
    func trim(toBytes limit: Int, sparing turn: UInt64? = nil) {
        // The view may have changed in this turn.
        if !isUpdating, let source { findTilesInView(source) }
        var bytes = 0
        for tile in tiles.values { bytes += tile.pictureBytes }
        if bytes > max(0, limit) {
            let idle = tiles.values.filter { !$0.isInView && !$0.isPlaced && $0.lastWanted != turn }
            for tile in idle.sorted(by: { $0.lastWanted < $1.lastWanted }) where bytes > max(0, limit) {
                bytes -= tile.pictureBytes
                for level in levels where level.grid == tile.grid { level.tiles[tile.index] = nil }
                remove(tile)
            }
        }
        counts.byteCount = bytes
    }
}
