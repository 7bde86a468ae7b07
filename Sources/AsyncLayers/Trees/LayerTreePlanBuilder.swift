/// Walks a tree and writes the steps of its drawing down. The way back to the root is a list, not the stack.
struct LayerTreePlanBuilder<R: Renderer> {
    /// A layer whose children are being visited.
    private struct Level {
        /// The layers within, from the lowest to the topmost, and how many of them were visited.
        let children: [Int]
        var visited = 0
        let toRoot: LayerTransform
        /// What what lies within is cut to, up to the next group or the picture.
        let clips: [ContentsPlacement.Clip]
        /// What of the picture lies within all clips, those of all groups included.
        let region: VisibleRegion
        /// Where all that was drawn so far lies, in pixels; nil for nothing.
        var extent: Rect?
        /// The step that begins the group that this layer is, and the placement that ends it.
        var group: (step: Int, placement: ContentsPlacement)?
    }

    private let tree: LayerTree<R>
    private let picture: ContextDescription
    private var steps: [LayerTreePlan.Step] = []
    private var levels: [Level] = []

    init(tree: LayerTree<R>, picture: ContextDescription) {
        self.tree = tree
        self.picture = picture
    }

    mutating func build() throws -> [LayerTreePlan.Step] {
        enterRoot()
        while let level = levels.last {
            if level.visited < level.children.count {
                levels[levels.count - 1].visited += 1
                try enter(level.children[level.visited], of: level)
            } else {
                leave(levels.removeLast())
            }
        }
        return steps
    }

    /// The root's edge is the picture's: only round corners cut anything off. If there are any, the root is
    /// drawn in a context of its own, so that they are cut off its picture.
    private mutating func enterRoot() {
        let root = tree.nodes[0]
        let whole = VisibleRegion(
            Rect(
                x: Double(picture.pixelOriginX), y: Double(picture.pixelOriginY),
                width: Double(picture.pixelWidth), height: Double(picture.pixelHeight)))
        let mask = root.cornerRadius > 0 ? root.mask(toRoot: .identity) : nil
        if let mask {
            if root.draw != nil {
                let placement = ContentsPlacement(transform: Self.place(of: picture), clips: [mask])
                steps.append(.picture(node: 0, picture, placement))
            }
        } else if root.draw != nil {
            steps.append(.root)
        }
        levels = [
            Level(
                children: tree.childrenInOrder(of: 0), toRoot: .identity, clips: mask.map { [$0] } ?? [],
                region: mask.map { whole.intersection(with: $0.rect, under: toPixels(.identity)) } ?? whole)
        ]
    }

    private mutating func enter(_ index: Int, of parent: Level) throws {
        let node = tree.nodes[index]
        let opacity = node.visibleOpacity
        guard !node.isHidden, opacity > 0 else { return }
        let plan =
            node.draw == nil
            ? ContextPlan.nothing
            : try ContextPlan(size: node.size, scale: node.scale, isOpaque: node.isOpaque)
        guard levels.count < LayerTreeError.maximumDepth else {
            throw LayerTreeError.tooDeep(limit: LayerTreeError.maximumDepth)
        }
        let toRoot = node.toParent.concatenating(parent.toRoot)
        guard toRoot.inverted() != nil else { return }

        var (clips, region) = (parent.clips, parent.region)
        if let mask = node.mask(toRoot: toRoot) {
            clips.append(mask)
            region = region.intersection(with: mask.rect, under: toPixels(toRoot))
        }
        guard !region.isEmpty else { return }

        let children = tree.childrenInOrder(of: index)
        let isGroup = opacity < 1 && !children.isEmpty
        var level = Level(
            children: children, toRoot: toRoot, clips: isGroup ? [] : clips, region: region)
        if isGroup {
            level.group = (steps.count, ContentsPlacement(opacity: opacity, clips: clips))
            steps.append(.beginGroup(picture))
        }
        if case .context(let description) = plan {
            let size = Size(
                width: Double(description.pixelWidth) / description.scale,
                height: Double(description.pixelHeight) / description.scale)
            let visible = region.intersection(with: Rect(size: size), under: toPixels(toRoot))
            if !visible.isEmpty {
                level.extent = visible.bounds
                let placement = ContentsPlacement(
                    transform: toRoot, opacity: isGroup ? 1 : opacity, clips: level.clips)
                steps.append(.picture(node: index, description, placement))
            }
        }
        levels.append(level)
    }

    private mutating func leave(_ level: Level) {
        if let extent = level.extent, let index = levels.indices.last {
            levels[index].extent = levels[index].extent.map { Self.union($0, extent) } ?? extent
        }
        guard let (step, placement) = level.group else { return }
        guard let extent = level.extent, let description = part(around: extent) else {
            steps.removeSubrange(step...)
            return
        }
        steps[step] = .beginGroup(description)
        steps.append(
            .endGroup(
                ContentsPlacement(
                    transform: Self.place(of: description), opacity: placement.opacity,
                    clips: placement.clips)))
    }

    // MARK: Pixels and points

    /// The pixels of the picture around a rectangle, with one to spare at each side for what rounding does.
    private func part(around rect: Rect) -> ContextDescription? {
        func range(_ start: Double, _ end: Double, within limits: Range<Int>) -> Range<Int> {
            let (low, high) = (Double(limits.lowerBound), Double(limits.upperBound))
            let first = min(max(start.rounded(.down) - 1, low), high)
            let last = min(max(end.rounded(.up) + 1, first), high)
            return Int(first)..<Int(last)
        }
        let columns = range(
            rect.minX, rect.maxX,
            within: picture.pixelOriginX..<picture.pixelOriginX + picture.pixelWidth)
        let rows = range(
            rect.minY, rect.maxY,
            within: picture.pixelOriginY..<picture.pixelOriginY + picture.pixelHeight)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        return ContextDescription(
            pixelWidth: columns.count, pixelHeight: rows.count, scale: picture.scale,
            pixelOriginX: columns.lowerBound, pixelOriginY: rows.lowerBound)
    }

    private func toPixels(_ toRoot: LayerTransform) -> LayerTransform {
        toRoot.concatenating(.scale(x: picture.scale, y: picture.scale))
    }

    /// From the points of what a part became to the points of the whole.
    private static func place(of part: ContextDescription) -> LayerTransform {
        .translation(
            x: Double(part.pixelOriginX) / part.scale, y: Double(part.pixelOriginY) / part.scale)
    }

    private static func union(_ first: Rect, _ second: Rect) -> Rect {
        let (minX, minY) = (min(first.minX, second.minX), min(first.minY, second.minY))
        return Rect(
            x: minX, y: minY, width: max(first.maxX, second.maxX) - minX,
            height: max(first.maxY, second.maxY) - minY)
    }
}
