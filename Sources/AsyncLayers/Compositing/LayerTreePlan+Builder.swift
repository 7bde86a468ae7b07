extension LayerTreePlan {
    /// Walks a tree and records what is visible of it. Iterative, so that a deep tree overflows no stack.
    struct Builder<R: Renderer> {
        /// A layer whose children are being visited.
        private struct Level {
            /// The layers within, from the lowest to the topmost, and how many were visited.
            let children: [Int]
            var visited = 0
            let toRoot: LayerTransform
            /// The clips of its children, up to the next group or the picture.
            let clips: [ContentsPlacement.Clip]
            /// The part of the picture within all clips, including those of groups.
            let region: VisibleRegion
            /// The extent of all that is visible so far, in pixels; nil for nothing.
            var extent: Rect?
            /// The entry that begins this layer's group, and how the group is placed.
            var group: (entry: Int, opacity: Double, clips: [ContentsPlacement.Clip])?
        }

        let tree: LayerTree<R>
        let picture: ContextDescription
        private var entries: [Entry] = []
        private var levels: [Level] = []

        init(tree: LayerTree<R>, picture: ContextDescription) {
            self.tree = tree
            self.picture = picture
        }

        mutating func build() throws(DisplayError) -> [Entry] {
            let root = tree.nodes[0]
            let mask = root.cornerRadius > 0 ? root.mask(toRoot: .identity) : nil
            if root.draw != nil { entries.append(.root(mask: mask)) }
            let whole = VisibleRegion(picture.frame)
            levels = [
                Level(
                    children: tree.childrenInOrder(of: 0), toRoot: .identity, clips: mask.map { [$0] } ?? [],
                    region: mask.map { whole.intersection(with: $0.rect, under: toPixels(.identity)) }
                        ?? whole)
            ]
            while let index = levels.indices.last {
                if levels[index].visited < levels[index].children.count {
                    levels[index].visited += 1
                    try enter(levels[index].children[levels[index].visited - 1], of: levels[index])
                } else {
                    leave(levels.removeLast())
                }
            }
            return entries
        }

        private mutating func enter(_ index: Int, of parent: Level) throws(DisplayError) {
            let node = tree.nodes[index]
            let opacity = node.visibleOpacity
            guard !node.isHidden, opacity > 0 else { return }
            let description =
                node.draw == nil
                ? nil : try ContextDescription(size: node.size, scale: node.scale, isOpaque: node.isOpaque)
            guard levels.count < LayerTreePlan.maximumDepth else {
                throw .treeTooDeep(limit: LayerTreePlan.maximumDepth)
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
                level.group = (entries.count, opacity, clips)
                entries.append(.beginGroup(extent: .zero))
            }
            if let description {
                let size = Size(
                    width: Double(description.pixelWidth) / description.scale,
                    height: Double(description.pixelHeight) / description.scale)
                let visible = region.intersection(with: Rect(size: size), under: toPixels(toRoot))
                if !visible.isEmpty {
                    let placement = ContentsPlacement(
                        transform: toRoot, opacity: isGroup ? 1 : opacity, clips: level.clips)
                    level.extent = visible.bounds.intersection(picture.frame)
                    entries.append(
                        .picture(
                            Picture(
                                node: index, description: description, placement: placement, region: visible,
                                bounds: level.extent ?? .zero, mayBeCut: node.oversizePolicy == .tiles)))
                }
            }
            levels.append(level)
        }

        private mutating func leave(_ level: Level) {
            if let extent = level.extent, let index = levels.indices.last {
                levels[index].extent = levels[index].extent?.union(extent) ?? extent
            }
            guard let group = level.group else { return }
            guard let extent = level.extent else { return entries.removeSubrange(group.entry...) }
            entries[group.entry] = .beginGroup(extent: extent)
            entries.append(.endGroup(extent: extent, opacity: group.opacity, clips: group.clips))
        }

        private func toPixels(_ toRoot: LayerTransform) -> LayerTransform {
            toRoot.concatenating(.scale(x: picture.scale, y: picture.scale))
        }
    }
}
