public import AsyncLayers

/// What the program was told last.
struct HandOut {
    var isNew = false
    var view: (visible: Rect, scale: Double)?
    var placed: [TileID: [PlacedTile]] = [:]
    /// The scales of the levels that were placed.
    var levels: Set<Double> = []
    var removed: [TileID] = []
    var coverage = TileCoverage()
    var time: Duration?
}

extension TiledLayer {
    /// What is to be shown, and how it differs from what was taken last. O(tiles in view).
    public func takeChanges() -> TileChanges {
        var changes = TileChanges()
        let placed = place(in: &changes)
        for tile in tiles where !tile.shown.isNothing {
            switch tile.handedOut {
            case .nothing: changes.added.append(tile.id)
            case .picture(let pixels?): changes.changed.append((tile.id, pixels))
            case .picture(nil): continue
            }
            tile.handedOut = .picture(changed: nil)
        }
        changes.removed = handOut.removed
        for (id, places) in placed
        where handOut.placed[id].map({ $0.map(\.destination) }) != places.map(\.destination) {
            if handOut.placed[id] != nil { changes.moved.append(id) }
        }
        changes.placed = placed.values.flatMap { $0 }
        note(changes.coverage)
        handOut.placed = placed
        handOut.removed = []
        handOut.view = view
        changesAreTaken()
        return changes
    }

    /// The contents of a tile; nil if it is gone, or was uploaded and let go.
    public func contents(of id: TileID) -> R.Contents? { tile(id)?.contents }

    /// Lets the pixels of a tile go, which the program has uploaded; the tile stays.
    public func didUpload(_ id: TileID) { tile(id)?.didUpload() }

    /// What the layer has done so far. O(1).
    public var statistics: TileStatistics { statistics_ }

    private func tile(_ id: TileID) -> Tile<R>? { tiles.first { $0.id == id } }

    private func note(_ coverage: TileCoverage) {
        let now = host.loop.now
        if let time = handOut.time {
            let seconds = (now - time) / .seconds(1)
            let former = handOut.coverage
            statistics_.blankPixelSeconds += Double(former.blank) * seconds
            statistics_.visiblePixelSeconds +=
                Double(former.blank + former.stale + former.coarse + former.sharp) * seconds
        }
        (handOut.coverage, handOut.time) = (coverage, now)
    }

    /// Covers the view with tiles: first those that are up to date, the wanted level before the others, then
    /// those that miss the newest edits, the newest state before older ones. What is covered is taken away,
    /// so nothing overlaps.
    private func place(in changes: inout TileChanges) -> [TileID: [PlacedTile]] {
        guard let wanted = levels.first else { return [:] }
        let scale = view.scale
        let (x, y) = (pixel(view.visible.minX * scale), pixel(view.visible.minY * scale))
        let window = PixelRect(
            minX: 0, minY: 0, maxX: pixel(view.visible.size.width * scale),
            maxY: pixel(view.visible.size.height * scale))
        let whole = PixelRect(
            minX: 0, minY: 0, maxX: TileGrid.pixels(size.width, scale),
            maxY: TileGrid.pixels(size.height, scale))
        guard let area = window.intersection(whole.moved(x: -x, y: -y)) else { return [:] }
        var region = PixelRegion(area)
        var placed: [TileID: [PlacedTile]] = [:]
        var stale: [(tile: Tile<R>, rank: Int)] = []
        handOut.levels = []
        let others = levels.dropFirst().sorted { distance($0) < distance($1) }
        for (rank, level) in ([wanted] + others).enumerated() where !region.isEmpty {
            let pixels = level.grid.pixels(in: view.visible)
            let tiles = level.grid.indices(in: pixels).compactMap { level.tiles[$0] }
            for tile in tiles where !tile.shown.isNothing {
                if tile.damage == nil { place(tile, rank, (x, y)) } else { stale.append((tile, rank)) }
            }
        }
        stale.sort { ($1.tile.damage?.since ?? 0, $0.rank) < ($0.tile.damage?.since ?? 0, $1.rank) }
        for (tile, rank) in stale { place(tile, rank, (x, y)) }
        changes.coverage.blank = region.area
        return placed

        func place(_ tile: Tile<R>, _ rank: Int, _ origin: (x: Int, y: Int)) {
            let ratio = scale / tile.scale
            func edge(_ value: Int) -> Int { ratio == 1 ? value : pixel(Double(value) * ratio) }
            let frame = PixelRect(
                minX: edge(tile.frame.minX) - origin.x, minY: edge(tile.frame.minY) - origin.y,
                maxX: edge(tile.frame.maxX) - origin.x, maxY: edge(tile.frame.maxY) - origin.y)
            for piece in region.take(frame) {
                func source(_ value: Int, _ origin: Int, _ start: Int) -> Double {
                    Double(value + origin) / ratio - Double(start)
                }
                let (left, top) = (
                    source(piece.minX, origin.x, tile.drawnFrame.minX),
                    source(piece.minY, origin.y, tile.drawnFrame.minY)
                )
                let place = PlacedTile(
                    id: tile.id,
                    source: Rect(
                        x: left, y: top, width: Double(piece.width) / ratio,
                        height: Double(piece.height) / ratio), destination: piece,
                    isFresh: tile.damage == nil, isSharp: rank == 0 && ratio == 1)
                placed[tile.id, default: []].append(place)
                handOut.levels.insert(tile.scale)
                if tile.damage != nil {
                    changes.coverage.stale += piece.area
                } else if place.isSharp {
                    changes.coverage.sharp += piece.area
                } else {
                    changes.coverage.coarse += piece.area
                }
            }
        }
    }

    private func pixel(_ value: Double) -> Int { Int(value.rounded()) }

    /// How far a level's scale is from that of the view. A coarser one is better than one of the same
    /// distance that is finer, of which more tiles would be needed.
    private func distance(_ level: Level<R>) -> Double {
        let ratio = level.grid.scale / view.scale
        return max(ratio, 1 / ratio)
    }
}
