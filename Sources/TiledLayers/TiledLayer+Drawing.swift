import AsyncLayers

/// The tiles of a scale.
@MainActor
final class Level<R: Renderer> {
    let grid: TileGrid
    var tiles: [TileGrid.Index: Tile<R>] = [:]

    init(_ grid: TileGrid) { self.grid = grid }

    /// The tiles that exist of those that some pixels touch.
    func tiles(in pixels: PixelRect) -> [Tile<R>] {
        let (columns, rows) = grid.tiles(in: pixels)
        if columns.count * rows.count > tiles.count {
            return tiles.values.filter { $0.frame.intersection(pixels) != nil }
        }
        return rows.flatMap { row in
            columns.compactMap { tiles[TileGrid.Index(column: $0, row: row)] }
        }
    }
}

/// A tile that could be drawn next, and what is drawn before it: what has the smaller rank, and then the
/// smaller distance. Not generic and without references: in each turn of a movement hundreds are sorted.
private struct Candidate: Comparable {
    let index: TileGrid.Index
    let reason: TileStatistics.Reason
    let rank: Int
    let distance: Double

    static func < (one: Candidate, other: Candidate) -> Bool {
        (one.rank, one.distance) < (other.rank, other.distance)
    }
}

/// Which level is wanted, and which tiles are drawn next. Chosen again in each turn, so no order is ever old.
extension TiledLayer {
    /// How many levels are kept, beside those that are on show: the wanted one and two before it.
    private static var maximumLevelCount: Int { 3 }

    /// Changes the wanted level, if the scale or the content asks for another one.
    func chooseLevel() {
        guard let view else { return }
        let grid = TileGrid(content: size, scale: wantedScale(view.scale), tileExtent: tileExtent)
        guard levels.first?.grid != grid else { return }
        // Its tiles are not awaited any more.
        endEdit()
        if let index = levels.firstIndex(where: { $0.grid == grid }) {
            levels.insert(levels.remove(at: index), at: 0)
        } else {
            levels.insert(Level(grid), at: 0)
        }
    }

    /// Lets levels go of which nothing was placed, the oldest first.
    func dropLevels() {
        while levels.count > Self.maximumLevelCount,
            let unplaced = levels.indices.dropFirst().last(where: { !handOut.grids.contains(levels[$0].grid) }
            )
        {
            for tile in levels.remove(at: unplaced).tiles.values { remove(tile) }
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

    func indicesInView(of level: Level<R>) -> [TileGrid.Index] {
        guard let view else { return [] }
        let inView = level.grid.pixels(in: view.visible).intersection(level.grid.frame(ofContent: size))
        return inView.map(level.grid.indices) ?? []
    }

    /// Begins as many draws as may be in flight: what is in view from the middle, then ahead of the movement
    /// by time, then around. In movement a missing tile comes before a damaged one, which has something to
    /// show. Draws end whose tiles are not wanted any more.
    func startDraws() {
        guard let view, let level = levels.first, content != nil else { return }
        var candidates: [Candidate] = []
        let scale = level.grid.scale
        let isGoing = movement.velocity != .zero
        for index in indicesInView(of: level) {
            let tile = tile(at: index, of: level)
            tile.lastWanted = lastTurn
            guard tile.needsDrawing else { continue }
            let isMissing = tile.shown.isNothing
            candidates.append(
                Candidate(
                    index: index, reason: isMissing ? .first : .damage, rank: isMissing == isGoing ? 0 : 1,
                    distance: squaredDistance(view.visible.center * scale, tile.frame)))
        }
        let isViewDone = candidates.isEmpty && drawing.isEmpty
        for (index, rank, distance) in wantedAhead(of: level, in: view.visible) {
            guard level.tiles[index]?.lastWanted != lastTurn else { continue }
            guard isViewDone || level.tiles[index] != nil else { continue }
            let tile = tile(at: index, of: level)
            tile.lastWanted = lastTurn
            guard tile.needsDrawing else { continue }
            candidates.append(Candidate(index: index, reason: .ahead, rank: rank, distance: distance))
        }
        for id in drawing where tiles[id].map({ $0.lastWanted != lastTurn }) ?? false {
            tiles[id]?.layer.cancelDisplay()
        }
        guard !candidates.isEmpty, drawing.count < max(1, maximumDraws) else { return }
        candidates.sort()
        var bytes = byteCount
        for candidate in candidates {
            guard drawing.count < max(1, maximumDraws), let tile = level.tiles[candidate.index] else { break }
            // What is drawn ahead displaces nothing.
            if candidate.reason == .ahead, bytes + tile.byteCount > byteLimit { break }
            bytes += tile.byteCount
            drawing.insert(tile.id)
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

    /// What will be in view, by the time until then, and what lies around.
    private func wantedAhead(
        of level: Level<R>, in visible: Rect
    ) -> [(index: TileGrid.Index, rank: Int, distance: Double)] {
        let (ahead, around) = (movement.ahead(of: visible), movement.around(visible))
        let grid = level.grid
        let pixels = grid.pixels(in: ahead.union(around)).intersection(grid.frame(ofContent: size))
        guard let pixels else { return [] }
        return grid.indices(in: pixels).compactMap { index in
            let frame = grid.frame(of: index)
            let rect =
                Rect(
                    x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width),
                    height: Double(frame.height)) * (1 / grid.scale)
            if ahead.intersects(rect) { return (index, 2, movement.time(until: rect, visible: visible)) }
            // In a pan, what lies beside the way is passed; in a zoom another level comes first.
            guard !isMoving, around.intersects(rect) else { return nil }
            return (index, 3, squaredDistance(visible.center * grid.scale, frame))
        }
    }
}
