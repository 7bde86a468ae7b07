import AsyncLayers

/// When the tiles of an edit appear: together, or after a limit; or with a group.
extension TilePipeline {
    /// Tiles in view whose newest damage is to appear together.
    struct Edit {
        var tiles: [TileID: Tile] = [:]
        /// The number of its first edit.
        let first: UInt64
        let start: Duration
        /// Nil while there is one tile, which waits for no other: a timer is a fifth of what a blink costs.
        /// May run while a group holds the edit, and is ignored then.
        var timer: HostTimer?
    }

    /// Whether a tile's newest picture waits for those of other tiles, or for a group; not the first one that
    /// the tile has, if nothing of the edit is in it.
    func isHeldBack(_ tile: Tile) -> Bool {
        guard let edit, edit.tiles.count > 1 || isEditHeld, edit.tiles[tile.id] != nil else { return false }
        guard tile.state.shown == nil, let damage = tile.state.held?.lacks else { return true }
        return damage.since > edit.first
    }

    func join(_ tile: Tile) {
        // A single tile that takes longer appears by itself, and makes no later edit late.
        if let edit, edit.timer == nil, !isEditHeld, edit.start + editLimit <= host.loop.now {
            self.edit = nil
        }
        if edit == nil { edit = Edit(first: lastEdit, start: host.loop.now) }
        edit?.tiles[tile.id] = tile
        startLimit()
    }

    private func startLimit() {
        guard let present = edit, present.tiles.count > 1, present.timer == nil, !isEditHeld else { return }
        edit?.timer = host.loop.perform(at: present.start + editLimit) { [weak self] in
            self?.edit?.timer = nil
            if self?.isEditHeld == false { self?.endEdit() }
            self?.announce()
        }
    }

    /// Tiles that have left the view, or are not of the wanted level any more, are not waited for. They
    /// appear with a group, if there is one.
    func leaveEdit() {
        guard !isEditHeld, let tiles = edit?.tiles.values else { return }
        for tile in tiles where !tile.isInView {
            edit?.tiles[tile.id] = nil
            tile.publish()
        }
        endEditIfReady()
    }

    /// Whether no draw will change the tiles of the edit that are in view.
    var isEditAtRest: Bool {
        guard hasContent, let edit else { return true }
        return edit.tiles.values.allSatisfy { !$0.isInView || $0.state.isAtRest }
    }

    func endEditIfReady() { if !isEditHeld, isEditAtRest { endEdit() } }

    /// The edit's own limit holds again.
    func releaseEdit() {
        leaveEdit()
        guard let edit, !isEditHeld else { return }
        if edit.tiles.count > 1, edit.start + editLimit > host.loop.now { startLimit() } else { endEdit() }
    }

    /// Shows what there is of the edit; what is drawn later appears by itself.
    func endEdit() {
        guard let ended = edit else { return }
        ended.timer?.cancel()
        edit = nil
        for tile in ended.tiles.values { tile.publish() }
    }
}
