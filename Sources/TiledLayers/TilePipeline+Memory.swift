extension TilePipeline {
    /// The most bytes now.
    var memoryLimit: Int { max(0, min(byteLimit, trimLimit ?? .max)) }

    /// Releases pictures until the rest takes at most so many bytes, and keeps to that until the view
    /// changes.
    func trim(toBytes byteCount: Int) {
        trimLimit = byteCount
        // The view may have changed in this turn.
        if !isUpdating, let source { findTilesInView(source) }
        trim()
        announce()
    }

    /// Releases the pictures that were wanted longest ago, until the rest is within the limit. Tiles stay
    /// that are in view, or were wanted in the turn `turn`.
    func trim(sparing turn: UInt64? = nil) {
        if mayHaveEmptyTiles {
            mayHaveEmptyTiles = false
            for tile in tiles.values where tile.state.pictureCount == 0 && !tile.isInView {
                if tile.lastWanted != turn { forget(tile) } else { mayHaveEmptyTiles = true }
            }
        }
        if byteCount > memoryLimit {
            // Without references: in a movement hundreds are sorted each turn.
            var idle: [(lastWanted: UInt64, number: UInt64)] = []
            for tile in tiles.values where !tile.isInView && !tile.isPlaced && tile.lastWanted != turn {
                idle.append((tile.lastWanted, tile.id.number))
            }
            // Of those that were wanted in the same turn the oldest goes first: a dictionary has no order.
            idle.sort { $0 < $1 }
            for (_, number) in idle where byteCount > memoryLimit {
                if let tile = tiles[TileID(number: number)] { forget(tile) }
            }
        }
        counts.byteCount = byteCount
    }

    private func forget(_ tile: Tile) {
        for level in levels where level.grid == tile.grid { level.tiles[tile.index] = nil }
        remove(tile)
    }
}
