extension TilePipeline {
    /// Lets the pictures go that were wanted longest ago, until the rest takes at most this many bytes; what
    /// is in view stays, and what was wanted in the turn `turn`.
    func trim(toBytes limit: Int, sparing turn: UInt64? = nil) {
        // The view may have changed in this turn.
        if !isUpdating, let source { findTilesInView(source) }
        var (bytes, empty) = (0, [Tile]())
        for tile in tiles.values {
            bytes += tile.pictureBytes
            // Passed before it was drawn.
            if tile.pictureBytes == 0, !tile.isInView, tile.lastWanted != turn { empty.append(tile) }
        }
        for tile in empty { forget(tile) }
        if bytes > max(0, limit) {
            let idle = tiles.values.filter { !$0.isInView && !$0.isPlaced && $0.lastWanted != turn }
            // Of those that were wanted in the same turn the oldest goes first: a dictionary has no order.
            let sorted = idle.sorted { ($0.lastWanted, $0.id.number) < ($1.lastWanted, $1.id.number) }
            for tile in sorted where bytes > max(0, limit) {
                bytes -= tile.pictureBytes
                forget(tile)
            }
        }
        counts.byteCount = bytes
    }

    private func forget(_ tile: Tile) {
        for level in levels where level.grid == tile.grid { level.tiles[tile.index] = nil }
        remove(tile)
    }
}
