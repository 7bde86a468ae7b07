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
        if Double(columns.count) * Double(rows.count) > Double(tiles.count) {
            return tiles.values.filter { $0.frame.intersection(pixels) != nil }.sorted {
                ($0.index.row, $0.index.column) < ($1.index.row, $1.index.column)
            }
        }
        return grid.indices(in: pixels).compactMap { tiles[$0] }
    }
}

/// A tile that could be drawn next, and what is drawn before it: what has the smaller rank, and then the
/// smaller distance. Without references: in each turn of a movement hundreds are sorted.
struct TileCandidate: Comparable {
    let index: TileGrid.Index
    let reason: TileStatistics.Reason
    let rank: Int
    let distance: Double

    var isOfOverview: Bool { reason == .overview }

    static func < (one: TileCandidate, other: TileCandidate) -> Bool {
        (one.rank, one.distance) < (other.rank, other.distance)
    }
}

/// Which level is wanted, and which tiles are drawn next. Chosen again in each turn, so no order is ever old.
extension TilePipeline {
    /// An overview of more tiles is not drawn.
    private static var maximumOverviewCount: Double { 1_024 }

    /// Changes the wanted level, if the scale or the content asks for another one.
    private func chooseLevel(_ view: View, _ source: any TileSource) {
        let grid = grid(at: wantedScale(view.scale))
        if levels.first?.grid != grid {
            handOut.view = nil
            drawTimes.forgetDrafts()
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
        guard Double(columns.count) * Double(rows.count) <= Self.maximumOverviewCount else { return }
        if let present = levels.first(where: { $0.grid == grid }) { return overview = present }
        let level = Level(grid, source)
        levels.append(level)
        overview = level
    }

    func grid(at scale: Double) -> TileGrid {
        TileGrid(content: size, scale: scale, tileExtent: tileExtent)
    }

    /// Lets levels go that have no tile any more.
    func dropLevels() {
        let (wanted, overview) = (levels.first, overview)
        levels.removeAll { $0.tiles.isEmpty && $0 !== overview && $0 !== wanted }
    }

    /// The exact scale at rest, and if tiles of it are in view. Otherwise in movement steps of two from the
    /// present one, as in Chromium: a coarser one as soon as it is zoomed out, a finer one when that is twice
    /// as fine. If tiles of a scale on the way fill half of the view, that one.
    private func wantedScale(_ exact: Double) -> Double {
        guard isMoving, let present = levels.first?.grid.scale else { return exact }
        if levels.contains(where: { $0.grid.scale == exact && shareOfView($0) > 0 }) { return exact }
        let ratio = exact / present
        guard ratio > 2 || ratio < 1 / 1.2 else { return present }
        let target = present * Double(sign: .plus, exponent: ratio.exponent, significand: 1)
        // None that would be left at once for a coarser one.
        let near = levels.filter { level in
            let scale = level.grid.scale
            guard scale >= target / 1.2, scale <= exact * 1.2, ratio > 2 || scale < present else {
                return false
            }
            return shareOfView(level) >= 0.5
        }
        return near.min { isBetter($0, $1, at: exact) }?.grid.scale ?? target
    }

    /// How many of a level's places in view have a picture, of all that there are.
    private func shareOfView(_ level: Level) -> Double {
        guard let pixels = pixelsInView(of: level) else { return 0 }
        let (columns, rows) = level.grid.tiles(in: pixels)
        let count = level.tiles(in: pixels).count { $0.state.shown != nil }
        return Double(count) / (Double(columns.count) * Double(rows.count))
    }

    /// Whether the tiles of a level look better: those that are as fine as the view or finer, up to twice,
    /// and then the nearest.
    func isBetter(_ one: Level, _ other: Level, at scale: Double) -> Bool {
        func rank(_ level: Level) -> (isBlurred: Int, distance: Double) {
            let ratio = level.grid.scale / scale
            return ((0.95...2).contains(ratio) ? 0 : 1, max(ratio, 1 / ratio))
        }
        return rank(one) < rank(other)
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
        mayHaveEmptyTiles = true
        let former = inView
        let indices = pixelsInView(of: level).map(level.grid.indices) ?? []
        inView = indices.map { tile(at: $0, of: level, source) }
        let present = Set(inView.map(\.id))
        for tile in former where !present.contains(tile.id) { tile.isInView = false }
        for tile in inView {
            if !tile.isInView { (tile.isInView, tile.cameIntoView) = (true, lastTurn) }
            // A tile that is drawn ahead is awaited now.
            if tile.state.isDrawing, !tile.reason.isOfView { tile.change(reason: tile.reasonInView) }
        }
    }

    /// Begins draws of tiles in view, from the middle. If a thread is free of those, also of tiles that come
    /// into view, by the time until then, of those around, and of the overview. Draws end whose tiles are not
    /// wanted any more. Edits have room of their own, and so have other tiles in view.
    func startDraws(_ source: any TileSource) {
        guard let view, let level = levels.first, hasContent else { return }
        var (edits, firsts, others): ([TileCandidate], [TileCandidate], [TileCandidate]) = ([], [], [])
        let center = view.visible.center * level.grid.scale
        var missingCount = 0
        for tile in inView {
            tile.lastWanted = lastTurn
            if tile.state.shown == nil, !tile.state.hasFailed { missingCount += 1 }
            guard tile.state.needsDrawing else { continue }
            let distance = squaredDistance(center, tile.frame)
            let candidate = TileCandidate(
                index: tile.index, reason: tile.reasonInView, rank: 0, distance: distance)
            if candidate.reason == .damage { edits.append(candidate) } else { firsts.append(candidate) }
        }
        let drafts = wantedDrafts(missingCount, of: level, source)
        for candidate in fitting(wantedBeyondView(of: level, in: view.visible), beside: level) {
            if let tile = self.level(of: candidate)?.tiles[candidate.index] {
                // A tile that has left the view, or is a draft no more, gives its room back.
                if tile.state.isDrawing, tile.reason.isAwaited, tile.lastWanted != lastTurn {
                    tile.change(reason: candidate.reason)
                }
                tile.lastWanted = lastTurn
                guard tile.state.needsDrawing else { continue }
                if candidate.isOfOverview, tile.state.shown != nil, !mayRedrawOverview() { continue }
            }
            others.append(candidate)
        }
        cancelUnwanted()
        let areBegun = (begin(edits, source), begin(drafts, source), begin(firsts, source))
        guard areBegun == (true, true, true), drawingCount(where: \.isAwaited) < host.threadCount else {
            return
        }
        _ = begin(others, source)
    }

    private func cancelUnwanted() {
        let unwanted = drawing.compactMap { tiles[$0] }.filter { $0.lastWanted != lastTurn }
        // A set has no order, and a seed of a simulation is to have one.
        for tile in unwanted.sorted(by: { $0.id.number < $1.id.number }) { tile.painter.cancelDraw() }
    }

    /// Begins as many draws as there is room for, in their order. Returns whether these are all.
    private func begin(_ candidates: [TileCandidate], _ source: any TileSource) -> Bool {
        guard let reason = candidates.first?.reason else { return true }
        let present = drawingCount { reason.isAwaited ? $0 == reason : !$0.isAwaited }
        let room = max(1, maximumDraws) - present
        guard room > 0 else { return false }
        for candidate in candidates.sorted().prefix(room) {
            guard let level = self.level(of: candidate) else { continue }
            let tier = candidate.reason.tier
            let room = tierLimits[tier]?.room(beside: drawingCount { $0.tier == tier }, at: host.loop.now)
            // Drafts leave a place to edits, which wait on the same tier.
            guard room ?? 2 > (reason == .draft ? 1 : 0) else { return false }
            let tile = tile(at: candidate.index, of: level, source)
            guard tile.state.needsDrawing else { continue }
            drawing.insert(tile.id)
            tile.lastWanted = lastTurn
            tile.draw(
                because: candidate.reason, timeLimit: candidate.reason == .damage ? displayTimeLimit : nil)
        }
        return candidates.count <= room
    }

    private func level(of candidate: TileCandidate) -> Level? {
        switch candidate.reason {
        case .overview: overview
        case .draft: draftLevel
        case .first, .damage, .ahead: levels.first
        }
    }

    func drawingCount(where isMeant: (TileStatistics.Reason) -> Bool) -> Int {
        drawing.count { tiles[$0].map { isMeant($0.reason) } ?? false }
    }

    func squaredDistance(_ point: Point, _ frame: PixelRect) -> Double {
        let (x, y) = (
            Double(frame.minX + frame.maxX) / 2 - point.x, Double(frame.minY + frame.maxY) / 2 - point.y
        )
        return x * x + y * y
    }

    /// What will be in view, by the time until then, what lies around, and the overview.
    private func wantedBeyondView(of level: Level, in visible: Rect) -> [TileCandidate] {
        let (ahead, around) = (movement.ahead(of: visible), movement.around(visible))
        let grid = level.grid
        let near = grid.pixels(in: ahead.union(around)).intersection(grid.frame(ofContent: size))
        let seen = pixelsInView(of: level)
        let beyond = near == seen ? nil : near
        let wanted = (beyond.map(grid.indices) ?? []).compactMap { index -> TileCandidate? in
            let frame = grid.frame(of: index)
            guard seen.flatMap(frame.intersection) == nil else { return nil }
            let rect = frame.rect * (1 / grid.scale)
            if ahead.intersects(rect) {
                let time = movement.time(until: rect, visible: visible)
                return TileCandidate(index: index, reason: .ahead, rank: 2, distance: time)
            }
            // In a pan, what lies beside the way is passed; in a zoom another level comes first.
            guard !isMoving, around.intersects(rect) else { return nil }
            let distance = squaredDistance(visible.center * grid.scale, frame)
            return TileCandidate(index: index, reason: .ahead, rank: 3, distance: distance)
        }
        return wanted + overviewTiles(around: visible.center)
    }

    private func overviewTiles(around center: Point) -> [TileCandidate] {
        // In movement nothing is drawn that is not seen soon.
        guard !isMoving, let overview, overview !== levels.first else { return [] }
        return overview.grid.indices(in: overview.grid.frame(ofContent: size)).map { index in
            let distance = squaredDistance(center * overview.grid.scale, overview.grid.frame(of: index))
            return TileCandidate(index: index, reason: .overview, rank: 4, distance: distance)
        }
    }

    /// Whether the overview is drawn again: when the edits have ended for half a second. It is on show only
    /// where nothing better is.
    private func mayRedrawOverview() -> Bool {
        guard let damagedAt else { return true }
        let end = damagedAt + .milliseconds(500)
        guard end > host.loop.now else { return true }
        // It looks again when it comes, after later damage.
        if overviewTimer == nil {
            overviewTimer = host.loop.perform(at: end) { [weak self] in
                self?.overviewTimer = nil
                self?.scheduleUpdate()
            }
        }
        return false
    }

    /// As many as the byte limit has room for beside what is in view, in their order.
    private func fitting(_ wanted: [TileCandidate], beside level: Level) -> [TileCandidate] {
        var room = memoryLimit - inView.count * level.tileBytes
        let largest = max(level.tileBytes, overview?.tileBytes ?? 0)
        if wanted.count * largest <= room { return wanted }
        return wanted.sorted().filter { candidate in
            room -= candidate.isOfOverview ? overview?.tileBytes ?? 0 : level.tileBytes
            return room >= 0
        }
    }
}
