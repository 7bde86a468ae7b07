import AsyncLayers
import QueuePoolsLocks

/// Drafts: tiles of a coarser level, which are drawn before the sharp ones where the view has no picture.
///
/// When a scroll bar is dragged, the view is elsewhere before its tiles are drawn. So drafts are as coarse as
/// it takes for a view to be a few draws, and are drawn also for the place to which the next step of the
/// movement leads. They are no kind of tile of their own: they are kept, damaged, shown and released as tiles
/// of any level, and a view that is zoomed out finds them.
extension TilePipeline {
    /// The most draws of a view's drafts: sharp tiles that come later wait for those that have begun.
    private static var fewDraws: Double { 4 }

    /// Drafts that are to be drawn: those of the view, and then those of the next step. Tiles that serve as
    /// drafts, or are being drawn as such, are wanted; the draws of other drafts end.
    ///
    /// - Parameter count: the tiles in view that have no picture, and have not failed.
    func wantedDrafts(_ count: Int, of level: Level, _ source: any TileSource) -> [TileCandidate] {
        draftLevel = nil
        guard let view else { return [] }
        guard let grid = draftGrid(count, of: level, in: view) else {
            // Drafts of before are wanted as long as they are on show.
            if count > 0 { _ = blankPixels(in: view.visible, of: level) }
            return []
        }
        var known: Set<TileGrid.Index> = []
        var wanted = drafts(in: view.visible, rank: 0, on: grid, of: level, &known)
        if isMoving, movement.step != .zero {
            let next = drafts(in: view.visible.moved(by: movement.step), rank: 1, on: grid, of: level, &known)
            // Tiles that are not in view yet keep to the limit of memory.
            let bytes = (wanted.count + next.count) * level.tileBytes
            if bytes <= memoryLimit - inView.count * level.tileBytes { wanted += next }
        }
        guard !wanted.isEmpty else { return [] }
        let present = levels.first { $0.grid == grid }
        draftLevel = present ?? Level(grid, source)
        if present == nil, let draftLevel { levels.append(draftLevel) }
        let missing = wanted.filter { candidate in
            guard let tile = draftLevel?.tiles[candidate.index] else { return true }
            tile.lastWanted = lastTurn
            // One that is drawn for later is awaited now.
            if tile.state.isDrawing { tile.change(reason: .draft) }
            return tile.state.needsDrawing && tile.state.shown == nil
        }
        // The first one is alone: it may take as long as all of the view.
        guard drawTimes.newest.surplus == nil else { return missing }
        return drawingCount { $0 == .draft } > 0 ? [] : missing.min().map { [$0] } ?? []
    }

    /// The sharpest level on which drafts of a whole view are a few draws that take little of the time in
    /// which the sharp tiles are drawn. In a movement they take no more than two frames: the one before the
    /// view is there, and its own. Nil if there is none, or the last of the sharp tiles waits no longer than
    /// draws of layers may (16 ms).
    private func draftGrid(_ count: Int, of level: Level, in view: View) -> TileGrid? {
        let (threads, times, frame) = (host.threadCount, drawTimes.newest, host.demotionDelay)
        guard let draft, count > threads, let time = times.whole else { return nil }
        let wait = time * (count - threads) / threads
        guard wait > .zero else { return nil }
        let longest = max(frame, .milliseconds(16)) * 2
        var fraction = 0.5
        while fraction >= draft {
            let grid = grid(at: level.grid.scale * fraction)
            /// How many tiles a length touches, on average.
            func average(_ length: Double, _ extent: Int, of content: Double) -> Double {
                let scale = grid.scale / Double(extent)
                return min(length * scale + 1, (content * scale).rounded(.up))
            }
            let (visible, content) = (view.visible.size, size)
            let draws =
                average(visible.width, grid.tileWidth, of: content.width)
                * average(visible.height, grid.tileHeight, of: content.height)
            let pixels = Double(grid.tileArea) / Double(level.grid.tileArea)
            let drawTime = times.draft(pixels: pixels, content: pixels / (fraction * fraction)) ?? time
            let delay = drawTime * max(1, draws / Double(threads))
            // The cost of the first one is not known.
            let gain = times.surplus == nil ? frame * 2 : frame
            let isInTime = wait >= gain + delay * 2 && (!isMoving || delay <= longest)
            if draws <= Self.fewDraws, isInTime { return grid }
            // A coarser level would be one tile as well.
            if draws <= 1 { return nil }
            fraction /= 2
        }
        return nil
    }

    /// The drafts that cover the places in an area without a picture; not those that are known.
    private func drafts(
        in area: Rect, rank: Int, on grid: TileGrid, of level: Level, _ known: inout Set<TileGrid.Index>
    ) -> [TileCandidate] {
        // A power of two, exactly.
        let ratio = Int(level.grid.scale / grid.scale)
        let center = area.center * grid.scale
        var drafts: [TileCandidate] = []
        // Edges of levels are rounded, each by itself.
        for blank in blankPixels(in: area, of: level) where min(blank.width, blank.height) > 1 {
            let pixels = PixelRect(
                minX: blank.minX / ratio, minY: blank.minY / ratio, maxX: (blank.maxX + ratio - 1) / ratio,
                maxY: (blank.maxY + ratio - 1) / ratio)
            for index in grid.indices(in: pixels) where known.insert(index).inserted {
                let distance = squaredDistance(center, grid.frame(of: index))
                drafts.append(TileCandidate(index: index, reason: .draft, rank: rank, distance: distance))
            }
        }
        return drafts
    }

    /// The pixels of the wanted level in an area that no picture of any level shows, nor a draft that is
    /// being drawn, or has failed. The tiles of other levels that show some are wanted.
    private func blankPixels(in area: Rect, of level: Level) -> [PixelRect] {
        let content = level.grid.frame(ofContent: size)
        guard let pixels = level.grid.pixels(in: area).intersection(content) else { return [] }
        var region = PixelRegion(pixels)
        for other in levels where !region.isEmpty {
            let ratio = level.grid.scale / other.grid.scale
            func edge(_ value: Int) -> Int { ratio == 1 ? value : Int((Double(value) * ratio).rounded()) }
            let end = other.grid.frame(ofContent: size)
            for tile in other.tiles(in: other.grid.pixels(in: area)) {
                let isDraft = tile.reason == .draft && (tile.state.isDrawing || tile.state.hasFailed)
                guard tile.state.shown != nil || isDraft else { continue }
                var frame = PixelRect(
                    minX: edge(tile.frame.minX), minY: edge(tile.frame.minY), maxX: edge(tile.frame.maxX),
                    maxY: edge(tile.frame.maxY))
                // The last tiles reach to the end of the content, which is rounded up.
                if tile.frame.maxX >= end.maxX { frame.maxX = content.maxX }
                if tile.frame.maxY >= end.maxY { frame.maxY = content.maxY }
                // Another draw that its tile does not need ends.
                if !region.take(frame).isEmpty, isDraft || !tile.state.isDrawing {
                    tile.lastWanted = lastTurn
                }
            }
        }
        return region.rects
    }
}

/// How long draws of whole tiles take in their closures: estimates. *Thread-safe*: draws note their time on
/// their threads, since those that come too late for the view have no outcome that tells it.
final class TileDrawTimes: Sendable {
    struct Times {
        /// Of a tile of the wanted level that came into view; nil before the first.
        fileprivate(set) var whole: Duration?
        /// The time that a draft takes beyond that of its pixels, for each tile whose content it has more:
        /// for letters and outlines. Nil before the first of the wanted level.
        fileprivate(set) var surplus: Duration?

        /// The time of a draft with the pixels of so many tiles, and the content of so many.
        func draft(pixels: Double, content: Double) -> Duration? {
            whole.map { $0 * pixels + (surplus ?? .zero) * (content - pixels) }
        }
    }

    private let times = Lock(Times())

    var newest: Times { times.withLock { $0 } }

    /// - Parameters:
    ///   - pixels: as many as those of so many tiles of the wanted level.
    ///   - content: that of so many tiles.
    ///   - isStopped: whether the whole would have taken longer.
    func drew(
        in duration: Duration, because reason: TileStatistics.Reason, pixels: Double = 1, content: Double = 1,
        isStopped: Bool
    ) {
        func update(_ estimate: inout Duration?, _ newest: Duration) {
            guard let present = estimate else { return estimate = newest }
            if !isStopped || newest > present { estimate?.approach(newest) }
        }
        times.withLock { times in
            switch reason {
            case .first: update(&times.whole, duration)
            case .draft:
                let surplus =
                    max(.zero, duration - (times.whole ?? .zero) * pixels) / max(1, content - pixels)
                update(&times.surplus, surplus)
            case .damage, .ahead, .overview: break
            }
        }
    }

    /// Those of another level may take longer, or less long.
    func forgetDrafts() { times.withLock { $0.surplus = nil } }
}
