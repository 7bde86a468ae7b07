import AsyncLayers

/// What the program was told last, and what it is to be told next.
struct HandOut {
    /// Nil if the places are not those of the content's size and of the wanted level.
    var view: TilePipeline.View?
    var placed: [PlacedTile] = []
    /// Those of the levels that were placed.
    var grids: Set<TileGrid> = []
    /// The wanted level's.
    var wanted: TileGrid?
    /// The view that the program has composed.
    var composed: TilePipeline.View?
    var coverage = TileCoverage()
    var time: Duration?
    /// Tiles that show another picture than was handed out.
    var changed: Set<TileID> = []
    var removed: [TileID] = []

    var isNew: Bool { !changed.isEmpty || !removed.isEmpty }
}

/// The pixels of a view that look different.
private struct ViewDamage {
    var isWhole: Bool
    private var rects: [PixelRect] = []

    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func insert(_ places: [PlacedTile]) { rects += places.map(\.destination) }

    mutating func insert(_ changed: [(id: TileID, pixels: PixelRect)], of places: [PlacedTile]) {
        guard !changed.isEmpty, !isWhole else { return }
        let pixels = Dictionary(changed.map { ($0.id, $0.pixels) }, uniquingKeysWith: { $1 })
        for place in places { if let pixels = pixels[place.id] { insert(pixels, of: place) } }
    }

    /// Some pixels of a tile's picture have changed.
    private mutating func insert(_ pixels: PixelRect, of place: PlacedTile) {
        func range(
            _ start: Int, _ end: Int, _ from: Double, _ length: Double, _ destination: Range<Int>
        ) -> (Int, Int) {
            let ratio = Double(destination.count) / length
            // Where pixels are interpolated, each is seen in its neighbours.
            let reach = ratio == 1 ? 0.0 : 1
            let (first, last) = (Double(start) - reach - from, Double(end) + reach - from)
            return (
                destination.lowerBound + Int((first * ratio).rounded(.down)),
                destination.lowerBound + Int((last * ratio).rounded(.up))
            )
        }
        let (source, destination) = (place.source, place.destination)
        let x = range(
            pixels.minX, pixels.maxX, source.minX, source.size.width, destination.minX..<destination.maxX)
        let y = range(
            pixels.minY, pixels.maxY, source.minY, source.size.height, destination.minY..<destination.maxY)
        let seen = PixelRect(minX: x.0, minY: y.0, maxX: x.1, maxY: y.1).intersection(destination)
        if let seen { rects.append(seen) }
    }

    /// As rectangles that do not overlap.
    func pixels(ofWindow window: PixelRect?) -> [PixelRect] {
        guard let window, !window.isEmpty else { return [] }
        if isWhole { return [window] }
        guard rects.count > 1 else { return rects }
        // Row by row, so that the region stays a few rectangles, and the same in each run.
        let sorted = rects.sorted {
            ($0.minY, $0.minX, $0.maxY, $0.maxX) < ($1.minY, $1.minX, $1.maxY, $1.maxX)
        }
        var region = PixelRegion(window)
        return sorted.flatMap { region.take($0) }
    }
}

extension TilePipeline.View {
    /// Its pixels.
    var window: PixelRect {
        func pixels(_ length: Double) -> Int { Int((length * scale).rounded()) }
        return PixelRect(
            minX: 0, minY: 0, maxX: pixels(visible.size.width), maxY: pixels(visible.size.height))
    }
}

extension TilePipeline {
    func takeChanges() -> TileChanges {
        var changes = TileChanges()
        var damage = ViewDamage(isWhole: handOut.composed != view)
        if !isPlacementCurrent {
            let former = Dictionary(grouping: handOut.placed, by: \.id)
            place(instead: former)
            let places = Dictionary(grouping: handOut.placed, by: \.id)
            let moved = Set(former.keys).union(places.keys).filter { id in
                former[id]?.map(\.geometry) != places[id]?.map(\.geometry)
            }
            for id in moved { damage.insert((former[id] ?? []) + (places[id] ?? [])) }
            changes.moved = inOrder(moved.filter { tiles[$0]?.state.isTaken == true })
            // Tiles that are on show no more may be released.
            if byteCount > memoryLimit, former.keys.contains(where: { places[$0] == nil }) {
                scheduleUpdate()
            }
        }
        for id in inOrder(handOut.changed) {
            switch tiles[id]?.take() {
            case .added: changes.added.append(id)
            case .changed(let pixels):
                changes.changed.append((id, pixels))
            case nil: break
            }
        }
        damage.insert(changes.changed, of: handOut.placed)
        changes.damage = damage.pixels(ofWindow: view?.window)
        handOut.composed = view
        // A dictionary has no order.
        changes.removed = handOut.removed.sorted { $0.number < $1.number }
        changes.placed = handOut.placed
        changes.coverage = handOut.coverage
        (handOut.changed, handOut.removed, handOut.view) = ([], [], view)
        isAnnounced = false
        return changes
    }

    /// Tiles in the order in which the user looks at them: on show first, from the middle of the view.
    private func inOrder(_ ids: Set<TileID>) -> [TileID] {
        guard let view, ids.count > 1 else { return Array(ids) }
        // Without references: at first it is hundreds that are sorted.
        var known: [(isHidden: Int, distance: Double, number: UInt64)] = ids.map { id in
            guard let tile = tiles[id] else { return (1, 0, id.number) }
            let scale = tile.grid.scale
            let distance = squaredDistance(view.visible.center * scale, tile.frame) / (scale * scale)
            return (tile.isPlaced ? 0 : 1, distance, id.number)
        }
        known.sort { $0 < $1 }
        return known.map { TileID(number: $0.number) }
    }

    /// Whether the places are those of the present view, and all of it was and is up to date.
    private var isPlacementCurrent: Bool {
        guard let view, let level = levels.first, handOut.view == view, let inViewOf,
            inViewOf == (view, level.grid, size)
        else { return false }
        let coverage = handOut.coverage
        guard coverage.blank + coverage.stale + coverage.coarse == 0, handOut.grids == [level.grid] else {
            return false
        }
        return inView.allSatisfy(\.state.isFresh)
    }

    /// What the layer has done so far.
    func statistics() -> TileStatistics {
        noteTime()
        return counts
    }

    /// Counts the time since the last call, in which the coverage was what was handed out.
    private func noteTime() {
        let (now, coverage) = (host.loop.now, handOut.coverage)
        defer { handOut.time = now }
        guard let time = handOut.time else { return }
        let seconds = (now - time) / .seconds(1)
        counts.blankPixelSeconds += Double(coverage.blank) * seconds
        counts.coarsePixelSeconds += Double(coverage.coarse) * seconds
        counts.stalePixelSeconds += Double(coverage.stale) * seconds
        counts.visiblePixelSeconds +=
            Double(coverage.blank + coverage.stale + coverage.coarse + coverage.sharp) * seconds
    }

    /// Covers the view with tiles. Of each level, the best one first, those that are up to date, and of the
    /// wanted one also those that lack the newest edits, where they are on show. Then those that are not up
    /// to date, the newest state first. A covered region is taken away, so nothing overlaps.
    ///
    /// So a sharp tile stays until it is drawn again, though a coarser picture with the edit may be there
    /// before. Nor does a picture take the place of a newer one, also if the wanted level changes.
    ///
    /// - Parameter former: the places before.
    private func place(instead former: [TileID: [PlacedTile]]) {
        for id in former.keys { tiles[id]?.isPlaced = false }
        // If another level was wanted meanwhile, `isPlacedWhole` is old.
        let isSameLevel = handOut.wanted == levels.first?.grid
        handOut.wanted = levels.first?.grid
        (handOut.placed, handOut.grids) = ([], [])
        var coverage = TileCoverage()
        noteTime()
        defer { handOut.coverage = coverage }
        guard let view, let wanted = levels.first else { return }
        let scale = view.scale
        let origin = (x: pixel(view.visible.minX * scale), y: pixel(view.visible.minY * scale))
        let window = view.window
        let content = PixelRect(
            minX: -origin.x, minY: -origin.y, maxX: TileGrid.pixels(size.width, scale) - origin.x,
            maxY: TileGrid.pixels(size.height, scale) - origin.y)
        guard let area = window.intersection(content) else { return }
        var region = PixelRegion(area)
        var stale: [(tile: Tile, rank: Int)] = []
        for (rank, level) in levels.sorted(by: { isBetter($0, $1, at: scale) }).enumerated()
        where !region.isEmpty {
            guard let pixels = pixelsInView(of: level) else { continue }
            var onShow: [(tile: Tile, rects: [PixelRect])] = []
            for tile in level.tiles(in: pixels) where tile.state.shown != nil {
                let wasWhole = tile.isPlacedWhole && isSameLevel
                tile.isPlacedWhole = false
                if tile.state.isFresh {
                    place(tile, within: [area])
                } else if level === wanted, let places = former[tile.id] {
                    onShow.append((tile, wasWhole ? [area] : rects(of: places, tile)))
                    if !wasWhole { stale.append((tile, rank)) }
                } else {
                    stale.append((tile, rank))
                }
            }
            for (tile, rects) in onShow { place(tile, within: rects) }
        }
        func since(_ tile: Tile) -> UInt64 { tile.state.shown?.lacks?.since ?? 0 }
        stale.sort { (since($1.tile), $0.rank) < (since($0.tile), $1.rank) }
        for (tile, _) in stale { place(tile, within: [area]) }
        coverage.blank = region.area

        /// The pixels of the view at which a tile's picture lies now, of the parts that former places showed.
        func rects(of places: [PlacedTile], _ tile: Tile) -> [PixelRect] {
            let (ratio, drawn) = (scale / tile.grid.scale, tile.drawnFrame)
            return places.map { place in
                let source = place.source
                return PixelRect(
                    minX: pixel((source.minX + Double(drawn.minX)) * ratio) - origin.x,
                    minY: pixel((source.minY + Double(drawn.minY)) * ratio) - origin.y,
                    maxX: pixel((source.maxX + Double(drawn.minX)) * ratio) - origin.x,
                    maxY: pixel((source.maxY + Double(drawn.minY)) * ratio) - origin.y)
            }
        }

        func place(_ tile: Tile, within rects: [PixelRect]) {
            let ratio = scale / tile.grid.scale
            func edge(_ value: Int) -> Int { ratio == 1 ? value : pixel(Double(value) * ratio) }
            /// Rounded edges may lie beyond the picture, by half a pixel of the view.
            func source(_ value: Int, _ start: Int, _ range: ClosedRange<Int>) -> Double {
                let (lowest, highest) = (Double(range.lowerBound), Double(range.upperBound))
                return min(max(lowest, Double(value) / ratio - Double(start)), highest)
            }
            var frame = PixelRect(
                minX: edge(tile.frame.minX) - origin.x, minY: edge(tile.frame.minY) - origin.y,
                maxX: edge(tile.frame.maxX) - origin.x, maxY: edge(tile.frame.maxY) - origin.y)
            // The last tiles reach to the end of the content, which is rounded up.
            let end = tile.grid.frame(ofContent: size)
            if tile.frame.maxX >= end.maxX { frame.maxX = content.maxX }
            if tile.frame.maxY >= end.maxY { frame.maxY = content.maxY }
            let (isFresh, isSharp) = (tile.state.isFresh, ratio == 1)
            var placed = 0
            defer {
                tile.isPlacedWhole =
                    tile.grid == wanted.grid && placed == frame.intersection(area)?.area
            }
            for piece in rects.compactMap(frame.intersection).flatMap({ region.take($0) }) {
                placed += piece.area
                let (drawn, x, y) = (tile.drawnFrame, piece.minX + origin.x, piece.minY + origin.y)
                let place = PlacedTile(
                    id: tile.id,
                    source: Rect(
                        from: Point(
                            x: source(x, drawn.minX, 0...drawn.width - 1),
                            y: source(y, drawn.minY, 0...drawn.height - 1)),
                        to: Point(
                            x: source(x + piece.width, drawn.minX, 1...drawn.width),
                            y: source(y + piece.height, drawn.minY, 1...drawn.height))),
                    destination: piece, isFresh: isFresh, isSharp: isSharp)
                handOut.placed.append(place)
                tile.isPlaced = true
                handOut.grids.insert(tile.grid)
                coverage.add(piece.area, isFresh: isFresh, isSharp: isSharp)
            }
        }
    }

    private func pixel(_ value: Double) -> Int { Int(value.rounded()) }
}
