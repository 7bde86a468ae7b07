import AsyncLayers

/// The tiles of a scale.
@MainActor
final class Level {
    let grid: TileGrid
    /// The bytes of a tile's picture, the largest.
    let tileBytes: Int
    var tiles: [TileGrid.Index: Tile] = [:]

    init(_ grid: TileGrid, _ source: any TileSource) {
        self.grid = grid
        tileBytes = source.byteCount(
            width: grid.tileWidth + 2, height: grid.tileHeight + 2, scale: grid.scale)
    }

    /// The tiles that exist of those that some pixels touch, row by row. O(tiles that exist) if there are
    /// more places than those: far zoomed out, the view has billions of a fine level.
    func tiles(in pixels: PixelRect) -> [Tile] {
        let (columns, rows) = grid.tiles(in: pixels)
        if columns.count * rows.count > tiles.count {
            return tiles.values.filter { $0.frame.intersection(pixels) != nil }.sorted {
                ($0.index.row, $0.index.column) < ($1.index.row, $1.index.column)
            }
        }
        return grid.indices(in: pixels).compactMap { tiles[$0] }
    }
}

/// A tile that could be drawn next, and what is drawn before it: what has the smaller rank, and then the
/// smaller distance. Without references: in each turn of a movement hundreds are sorted.
private struct Candidate: Comparable {
    let index: TileGrid.Index
    let reason: TileStatistics.Reason
    let rank: Int
    let distance: Double

    var isOfOverview: Bool { reason == .overview }

    static func < (one: Candidate, other: Candidate) -> Bool {
        (one.rank, one.distance) < (other.rank, other.distance)
    }
}

/// Which level is wanted, and which tiles are drawn next. Chosen again in each turn, so no order is ever old.
extension TilePipeline {
    /// How many levels are kept, beside the overview and those that are on show: the wanted one and two
    /// before it.
    private static var maximumLevelCount: Int { 3 }

    /// An overview of more tiles is not drawn.
    private static var maximumOverviewCount: Int { 1_024 }

    /// Changes the wanted level, if the scale or the content asks for another one.
    private func chooseLevel(_ view: View, _ source: any TileSource) {
        let grid = grid(at: wantedScale(view.scale))
        if levels.first?.grid != grid {
            handOut.view = nil
            if let index = levels.firstIndex(where: { $0.grid == grid }) {
                levels.insert(levels.remove(at: index), at: 0)
            } else {
                levels.insert(Level(grid, source), at: 0)
            }
        }
        chooseOverview(source)
    }

    private func chooseOverview(_ source: any TileSource) {
        overview = nil
        guard let overviewScale, overviewScale.isFinite, overviewScale > 0 else { return }
        let grid = grid(at: overviewScale)
        let (columns, rows) = grid.tiles(in: grid.frame(ofContent: size))
        guard columns.count * rows.count <= Self.maximumOverviewCount else { return }
        if let present = levels.first(where: { $0.grid == grid }) { return overview = present }
        let level = Level(grid, source)
        levels.append(level)
        overview = level
    }

    private func grid(at scale: Double) -> TileGrid {
        TileGrid(content: size, scale: scale, tileExtent: tileExtent)
    }

    /// Lets levels go of which nothing was placed, the oldest first.
    func dropLevels() {
        func mayGo(_ level: Level) -> Bool { level !== overview && !handOut.grids.contains(level.grid) }
        while levels.count(where: { $0 !== overview }) > Self.maximumLevelCount,
            let index = levels.indices.dropFirst().last(where: { mayGo(levels[$0]) })
        {
            for tile in levels.remove(at: index).tiles.values { remove(tile) }
        }
    }

    /// The exact scale at rest. In movement steps of two from the present one, as in Chromium: a coarser one
    /// as soon as it is zoomed out, a finer one when that is twice as fine; one that is there, if it is near.
    private func wantedScale(_ exact: Double) -> Double {
        guard isMoving, let present = levels.first?.grid.scale else { return exact }
        let ratio = exact / present
        guard ratio > 2 || ratio < 1 / 1.2 else { return present }
        let target = present * Double(sign: .plus, exponent: ratio.exponent, significand: 1)
        return levels.map(\.grid.scale).first { max($0 / target, target / $0) <= 1.2 } ?? target
    }

    /// The pixels of a level that are in view, and not beyond the content.
    func pixelsInView(of level: Level) -> PixelRect? {
        guard let view else { return nil }
        return level.grid.pixels(in: view.visible).intersection(level.grid.frame(ofContent: size))
    }

    /// Chooses the level and finds its tiles in view, if the view, the scale or the content has changed.
    func findTilesInView(_ source: any TileSource) {
        guard let view else { return }
        chooseLevel(view, source)
        guard let level = levels.first else { return }
        let newest = (view, level.grid, size)
        if let inViewOf, inViewOf == newest { return }
        inViewOf = newest
        for tile in inView { tile.isInView = false }
        let indices = pixelsInView(of: level).map(level.grid.indices) ?? []
        inView = indices.map { tile(at: $0, of: level, source) }
        for tile in inView { tile.isInView = true }
    }

    /// Begins as many draws as may be in flight: what is in view from the middle, then ahead of the movement
    /// by time, then around, then the overview. In movement a missing tile comes before a damaged one, which
    /// has something to show. Draws end whose tiles are not wanted any more.
    func startDraws(_ source: any TileSource) {
        guard let view, let level = levels.first, hasContent else { return }
        var candidates: [Candidate] = []
        let center = view.visible.center * level.grid.scale
        let isGoing = movement.velocity != .zero
        for tile in inView {
            tile.lastWanted = lastTurn
            guard tile.needsDrawing else { continue }
            let isMissing = tile.shown.isNothing
            candidates.append(
                Candidate(
                    index: tile.index, reason: isMissing ? .first : .damage,
                    rank: isMissing == isGoing ? 0 : 1, distance: squaredDistance(center, tile.frame)))
        }
        let isViewDone = candidates.isEmpty && drawing.isEmpty
        for candidate in fitting(wantedBeyondView(of: level, in: view.visible), beside: level) {
            if let tile = (candidate.isOfOverview ? overview : level)?.tiles[candidate.index] {
                tile.lastWanted = lastTurn
                guard tile.needsDrawing else { continue }
            } else if !isViewDone {
                continue
            }
            candidates.append(candidate)
        }
        for id in drawing where tiles[id].map({ $0.lastWanted != lastTurn }) ?? false {
            tiles[id]?.painter.cancelDraw()
        }
        let room = max(1, maximumDraws) - drawing.count
        guard !candidates.isEmpty, room > 0, pause == nil else { return }
        candidates.sort()
        for candidate in candidates.prefix(room) {
            guard let level = candidate.isOfOverview ? overview : level else { continue }
            let tile = tile(at: candidate.index, of: level, source)
            drawing.insert(tile.id)
            tile.lastWanted = lastTurn
            tile.reason = candidate.reason
            counts.draws[candidate.reason, default: 0] += 1
            tile.draw(deadline: candidate.reason == .damage ? displayDeadline : nil)
        }
    }

    private func squaredDistance(_ point: Point, _ frame: PixelRect) -> Double {
        let (x, y) = (
            Double(frame.minX + frame.maxX) / 2 - point.x, Double(frame.minY + frame.maxY) / 2 - point.y
        )
        return x * x + y * y
    }

    /// What will be in view, by the time until then, what lies around, and the overview.
    private func wantedBeyondView(of level: Level, in visible: Rect) -> [Candidate] {
        let (ahead, around) = (movement.ahead(of: visible), movement.around(visible))
        let grid = level.grid
        let near = grid.pixels(in: ahead.union(around)).intersection(grid.frame(ofContent: size))
        let seen = pixelsInView(of: level)
        let beyond = near == seen ? nil : near
        let wanted = (beyond.map(grid.indices) ?? []).compactMap { index -> Candidate? in
            let frame = grid.frame(of: index)
            guard seen.flatMap(frame.intersection) == nil else { return nil }
            let rect = frame.rect * (1 / grid.scale)
            if ahead.intersects(rect) {
                let time = movement.time(until: rect, visible: visible)
                return Candidate(index: index, reason: .ahead, rank: 2, distance: time)
            }
            // In a pan, what lies beside the way is passed; in a zoom another level comes first.
            guard !isMoving, around.intersects(rect) else { return nil }
            let distance = squaredDistance(visible.center * grid.scale, frame)
            return Candidate(index: index, reason: .ahead, rank: 3, distance: distance)
        }
        return wanted + overviewTiles(around: visible.center)
    }

    private func overviewTiles(around center: Point) -> [Candidate] {
        // In movement nothing is drawn that is not seen soon.
        guard !isMoving, let overview, overview !== levels.first else { return [] }
        return overview.grid.indices(in: overview.grid.frame(ofContent: size)).map { index in
            let distance = squaredDistance(center * overview.grid.scale, overview.grid.frame(of: index))
            return Candidate(index: index, reason: .overview, rank: 4, distance: distance)
        }
    }

    /// As many as the byte limit has room for beside what is in view, in their order.
    private func fitting(_ wanted: [Candidate], beside level: Level) -> [Candidate] {
        var room = max(0, byteLimit) - inView.count * level.tileBytes
        let largest = max(level.tileBytes, overview?.tileBytes ?? 0)
        if wanted.count * largest <= room { return wanted }
        return wanted.sorted().filter { candidate in
            room -= candidate.isOfOverview ? overview?.tileBytes ?? 0 : level.tileBytes
            return room >= 0
        }
    }
}
