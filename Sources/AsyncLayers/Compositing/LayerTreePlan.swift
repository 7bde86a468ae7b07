/// How a tree of layers is drawn into one picture, or into tiles of it, decided before any memory is taken.
///
/// A layer is drawn in a context of its own, whose contents are drawn into the whole with their transform,
/// clips and opacity; then what lies in it, from the lowest to the topmost. A translucent layer that holds
/// others is drawn with them into a context of its own first, no larger than what is visible, which is made
/// translucent and clipped as one.
///
/// Left out are hidden and fully transparent layers, with all that they hold, and layers outside of the
/// picture or of their ancestors' masks.
///
/// The tree is walked once for all tiles; the steps for a tile are made on the thread that draws it. A layer
/// that lies in several tiles is drawn once, and kept from the first to the last of them, if there is memory.
/// One that cannot be kept, or is larger than a context may be, is drawn in parts: for each tile what that
/// shows. (Tiles of the layer itself would have seams where they are interpolated.)
struct LayerTreePlan: Sendable {
    enum Step: Hashable, Sendable {
        /// Draw the root into the whole picture.
        case root
        /// Draw a layer of the tree, or a part of it, in a context of its own, and place its contents.
        case picture(node: Int, ContextDescription, ContentsPlacement)
        /// Draw the steps up to the matching ``endGroup(_:)`` in a context of their own.
        case beginGroup(ContextDescription)
        /// Place the contents of the group.
        case endGroup(ContentsPlacement)
    }

    /// What the steps of any part of the picture are derived from.
    enum Entry: Sendable {
        /// The root's edge is the picture's; if round corners cut it, it is drawn in a context of its own.
        case root(mask: ContentsPlacement.Clip?)
        case picture(Picture)
        /// The extent of all that is visible within, in pixels.
        case beginGroup(extent: Rect)
        case endGroup(extent: Rect, opacity: Double, clips: [ContentsPlacement.Clip])

        func touches(_ rect: Rect) -> Bool {
            switch self {
            case .root: true
            case .picture(let picture): picture.bounds.touches(rect)
            case .beginGroup(let extent), .endGroup(let extent, _, _): extent.touches(rect)
            }
        }
    }

    /// A layer's own picture.
    struct Picture: Sendable {
        let node: Int
        let description: ContextDescription
        let placement: ContentsPlacement
        /// What is visible of it, in pixels of the whole, and the pixels around that.
        let region: VisibleRegion
        let bounds: Rect
        var mayBeCut: Bool
        /// Whether it is drawn in parts.
        var isCut = false

        /// The pixels around what of it lies in a rectangle; nil for none.
        func bounds(in rect: Rect) -> Rect? {
            guard bounds.touches(rect) else { return nil }
            let seen = bounds.intersection(rect)
            return seen == bounds || !region.intersection(with: rect, under: .identity).isEmpty ? seen : nil
        }

        /// From pixels of the whole to the layer's own, and how many more are needed at each side: none where
        /// pixels are copied, and one where they are interpolated.
        private func fromPixels(_ scale: Double) -> (transform: LayerTransform, margin: Double)? {
            let toPixels = LayerTransform.scale(x: 1 / description.scale, y: 1 / description.scale)
                .concatenating(placement.transform).concatenating(.scale(x: scale, y: scale))
            let (width, height) = (description.pixelWidth, description.pixelHeight)
            if let move = toPixels.wholePixelMove(width: width, height: height) {
                return (.translation(x: -move.x, y: -move.y), 0)
            }
            return toPixels.inverted().map { ($0, 1) }
        }

        /// The part that shows a rectangle of the whole, and its placement.
        func part(showing seen: Rect, scale: Double) -> (ContextDescription, ContentsPlacement)? {
            guard let (transform, margin) = fromPixels(scale),
                let part = description.part(
                    transform.bounds(of: seen.widened(by: margin)), margin: 2 * margin)
            else { return nil }
            var placement = placement
            placement.transform = part.place.concatenating(placement.transform)
            return (part, placement)
        }

        /// A context that is no smaller than that of any part in a tile.
        func largestPart(in tile: ContextDescription) -> ContextDescription {
            var part = description
            guard let (transform, margin) = fromPixels(tile.scale) else { return part }
            let seen = Size(
                width: min(Double(tile.pixelWidth), bounds.size.width),
                height: min(Double(tile.pixelHeight), bounds.size.height))
            let area = transform.bounds(of: Rect(size: seen).widened(by: margin)).size
            // Two more for rounding, where pixels are interpolated.
            func extent(_ extent: Double, limit: Int) -> Int {
                let extent = extent + margin * 6
                return extent < Double(limit) ? Int(extent.rounded(.up)) : limit
            }
            part.pixelWidth = extent(area.width, limit: part.pixelWidth)
            part.pixelHeight = extent(area.height, limit: part.pixelHeight)
            return part
        }
    }

    /// The most levels of a tree, its root included.
    static let maximumDepth = 512

    /// The whole picture.
    let picture: ContextDescription
    private var entries: [Entry]
    /// The layers that are kept for later tiles, and their bounds in pixels.
    private(set) var kept: [Int: Rect] = [:]

    /// Plans the drawing of a tree. O(layers · depth) if layers are in the order of their heights.
    ///
    /// - Parameter picture: the root's whole picture, by ``ContextDescription/init(size:scale:isOpaque:)``.
    /// - Throws: if the tree is too deep, or a layer that is not hidden has an invalid size.
    init<R>(_ tree: LayerTree<R>, picture: ContextDescription) throws(DisplayError) {
        var builder = Builder(tree: tree, picture: picture)
        entries = try builder.build()
        self.picture = picture
    }

    /// The part of the plan for a row of tiles. O(layers).
    func row(of tile: ContextDescription) -> LayerTreePlan {
        let row = Rect(
            x: picture.frame.minX, y: tile.frame.minY, width: picture.frame.size.width,
            height: tile.frame.size.height)
        var plan = self
        plan.entries.removeAll { !$0.touches(row) }
        return plan
    }

    /// The steps that draw the whole picture, or a tile of it, in order. O(layers).
    func steps(in tile: ContextDescription) -> [Step] {
        var steps: [Step] = []
        var groups: [(step: Int, extent: Rect?)] = []
        func widen(by rect: Rect) {
            guard let index = groups.indices.last else { return }
            groups[index].extent = groups[index].extent?.union(rect) ?? rect
        }
        for entry in entries {
            switch entry {
            case .root(nil): steps.append(.root)
            case .root(let mask?):
                steps.append(
                    .picture(node: 0, tile, ContentsPlacement(transform: tile.place, clips: [mask])))
            case .picture(let picture):
                guard let seen = picture.bounds(in: tile.frame) else { continue }
                let whole = (picture.description, picture.placement)
                guard let part = picture.isCut ? picture.part(showing: seen, scale: tile.scale) : whole else {
                    continue
                }
                widen(by: seen)
                steps.append(.picture(node: picture.node, part.0, part.1))
            case .beginGroup:
                groups.append((steps.count, nil))
                steps.append(.beginGroup(tile))
            case .endGroup(_, let opacity, let clips):
                let group = groups.removeLast()
                guard let extent = group.extent, let part = tile.group(around: extent) else {
                    steps.removeSubrange(group.step...)
                    continue
                }
                steps[group.step] = .beginGroup(part)
                steps.append(
                    .endGroup(ContentsPlacement(transform: part.place, opacity: opacity, clips: clips)))
                widen(by: extent)
            }
        }
        return steps
    }

    /// Decides which layers are drawn in parts, and which are kept for later tiles.
    ///
    /// O(layers · log layers + tiles).
    ///
    /// - Parameters:
    ///   - tiles: of the picture, which may be a single one.
    ///   - byteLimit: the most bytes that any single context may take.
    ///   - budget: the most bytes that may be alive at once; what is kept does not exceed it.
    ///   - mayCut: whether all layers may be drawn in parts, and not only those that say so.
    ///   - byteCount: the bytes of a context.
    /// - Returns: the most bytes of contexts and contents that are alive at once, or, for several tiles,
    ///   somewhat more; `Int.max` where the sum does not fit. More than the budget only if nothing is kept.
    /// - Throws: `DisplayError.tooManyBytes` for a context that is larger than any may be.
    mutating func divide(
        into tiles: TilePlan, byteLimit: Int, budget: Int, mayCut: Bool,
        byteCount: (ContextDescription) -> Int
    ) throws(DisplayError) -> Int {
        func fits(_ bytes: Int) -> Bool { (0...max(0, byteLimit)).contains(bytes) }
        func bytes(of description: ContextDescription) throws(DisplayError) -> Int {
            let needed = byteCount(description)
            guard fits(needed) else { throw DisplayError.tooManyBytes(needed: needed, limit: byteLimit) }
            return needed
        }
        func sum(_ first: Int, _ second: Int) -> Int {
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? .max : sum
        }
        kept = [:]
        let tile = tiles.largestTile
        var alive = [try bytes(of: tile)]
        var peak = alive[0]
        func rise(by bytes: Int) { peak = max(peak, sum(alive[alive.count - 1], bytes)) }
        var shared: [(index: Int, tiles: ClosedRange<Int>, byteCount: Int)] = []
        for index in entries.indices {
            switch entries[index] {
            case .root(nil): break
            case .root: rise(by: alive[0])
            case .picture(var picture):
                let whole = byteCount(picture.description)
                let span = tiles.indices(under: picture.bounds)
                picture.isCut = (mayCut || picture.mayBeCut) && (span.count > 1 || !fits(whole))
                if picture.isCut {
                    rise(by: try bytes(of: picture.largestPart(in: tile)))
                    if fits(whole) { shared.append((index, span, whole)) }
                } else {
                    rise(by: try bytes(of: picture.description))
                }
                entries[index] = .picture(picture)
            case .beginGroup(let extent):
                var group = picture.group(around: extent) ?? tile
                group.pixelWidth = min(group.pixelWidth, tile.pixelWidth)
                group.pixelHeight = min(group.pixelHeight, tile.pixelHeight)
                alive.append(sum(alive[alive.count - 1], try bytes(of: group)))
                peak = max(peak, alive[alive.count - 1])
            case .endGroup: alive.removeLast()
            }
        }
        return peak + keep(shared, tileCount: tiles.count, byteLimit: budget - min(peak, budget))
    }

    /// Keeps layers for later tiles, within the bytes; returns the most that are kept at once.
    private mutating func keep(
        _ shared: [(index: Int, tiles: ClosedRange<Int>, byteCount: Int)], tileCount: Int, byteLimit: Int
    ) -> Int {
        var (tile, bytes, peak) = (0, 0, 0)
        var released = [Int](repeating: 0, count: tileCount + 1)
        for layer in shared.sorted(by: { $0.tiles.lowerBound < $1.tiles.lowerBound }) {
            while tile < layer.tiles.lowerBound {
                tile += 1
                bytes -= released[tile]
            }
            guard layer.byteCount <= byteLimit - bytes, case .picture(var picture) = entries[layer.index]
            else { continue }
            bytes += layer.byteCount
            peak = max(peak, bytes)
            released[layer.tiles.upperBound + 1] += layer.byteCount
            picture.isCut = false
            entries[layer.index] = .picture(picture)
            kept[picture.node] = picture.bounds
        }
        return peak
    }
}

extension ContextDescription {
    /// Its place in the whole picture, in pixels.
    var frame: Rect {
        Rect(
            x: Double(pixelOriginX), y: Double(pixelOriginY), width: Double(pixelWidth),
            height: Double(pixelHeight))
    }

    /// From the points of a part's contents to the points of the whole.
    fileprivate var place: LayerTransform {
        .translation(x: Double(pixelOriginX) / scale, y: Double(pixelOriginY) / scale)
    }

    /// The pixels around a rectangle, and some more at each side; nil for none.
    fileprivate func part(_ rect: Rect, margin: Double) -> ContextDescription? {
        guard [rect.minX, rect.maxX, rect.minY, rect.maxY].allSatisfy(\.isFinite) else { return nil }
        func range(_ start: Double, _ end: Double, from origin: Int, count: Int) -> Range<Int> {
            let (low, high) = (Double(origin), Double(origin + count))
            let first = min(max(start.rounded(.down) - margin, low), high)
            return Int(first)..<Int(min(max(end.rounded(.up) + margin, first), high))
        }
        let columns = range(rect.minX, rect.maxX, from: pixelOriginX, count: pixelWidth)
        let rows = range(rect.minY, rect.maxY, from: pixelOriginY, count: pixelHeight)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        var part = self
        (part.pixelOriginX, part.pixelWidth) = (columns.lowerBound, columns.count)
        (part.pixelOriginY, part.pixelHeight) = (rows.lowerBound, rows.count)
        return part
    }

    /// The context of a group, with a pixel for rounding at each side; nil for none.
    fileprivate func group(around rect: Rect) -> ContextDescription? {
        var group = part(rect, margin: 1)
        group?.isOpaque = false
        return group
    }
}
