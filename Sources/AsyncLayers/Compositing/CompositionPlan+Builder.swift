extension CompositionPlan {
    /// Walks the parts and records what may be visible of them. Iterative, since parts may lie deep.
    struct Builder {
        /// Parts that are being visited: those of the whole, or within one part.
        private struct Level {
            let parts: [BasePart]
            /// The indices of the parts from the lowest to the topmost; nil if they are in order.
            let order: [Int]?
            var visited = 0
            let toRoot: LayerTransform
            /// The clips of the parts, up to the next group or the picture.
            let clips: [ContentsPlacement.Clip]
            /// The pixels within all clips, including those of groups.
            let region: Rect
            /// The extent of all that is visible so far, in pixels; nil for nothing.
            var extent: Rect?
            /// The entry that begins the group that the parts are in.
            var group: Int?

            init(
                _ parts: [BasePart], toRoot: LayerTransform, clips: [ContentsPlacement.Clip], region: Rect
            ) {
                (self.parts, self.toRoot, self.clips, self.region) = (parts, toRoot, clips, region)
                order = Self.order(of: parts)
            }

            private static func order(of parts: [BasePart]) -> [Int]? {
                func height(_ index: Int) -> Double {
                    let height = parts[index].placement.zPosition
                    return height.isNaN ? 0 : height
                }
                if parts.indices.dropFirst().allSatisfy({ height($0 - 1) <= height($0) }) { return nil }
                return parts.indices.sorted { (height($0), $0) < (height($1), $1) }
            }

            /// The next part; nil after the last.
            mutating func next() -> BasePart? {
                guard visited < parts.count else { return nil }
                defer { visited += 1 }
                return parts[order?[visited] ?? visited]
            }

            mutating func widen(by rect: Rect) { extent = extent?.union(rect) ?? rect }
        }

        let picture: ContextDescription
        private(set) var entries: [Entry] = []
        /// Of the visible parts that have one.
        private(set) var keys: [(key: PictureKey, description: ContextDescription)] = []
        private(set) var isUpright = true
        private var levels: [Level] = []

        init(picture: ContextDescription) { self.picture = picture }

        mutating func build(_ parts: [BasePart]) throws(DisplayError) {
            entries.reserveCapacity(parts.count)
            levels = [Level(parts, toRoot: .identity, clips: [], region: picture.frame)]
            while let index = levels.indices.last {
                if let part = levels[index].next() {
                    try enter(part, at: index)
                } else {
                    leave(levels.removeLast())
                }
            }
        }

        private mutating func enter(_ part: BasePart, at parent: Int) throws(DisplayError) {
            let opacity = part.visibleOpacity
            guard !part.placement.isHidden, opacity > 0 else { return }
            if part.isTooDeep { throw .treeTooDeep(limit: BasePart.maximumDepth) }
            let description =
                part.work == nil
                ? nil
                : try ContextDescription(
                    size: part.size, scale: part.scale ?? picture.scale, isOpaque: part.background.isOpaque)
            let toRoot = part.toParent.concatenating(levels[parent].toRoot)
            guard toRoot.inverted() != nil else { return }
            var (clips, region) = (levels[parent].clips, levels[parent].region)
            if let mask = part.mask(toRoot: toRoot) {
                clips.append(mask)
                guard let seen = pixels(of: mask.rect, toRoot), let common = region.intersection(seen) else {
                    return
                }
                region = common
            }

            let isGroup = opacity < 1 && !part.parts.isEmpty
            let start = entries.count
            if isGroup {
                entries.append(.beginGroup(Group(extent: .zero, opacity: opacity, clips: clips)))
                clips = []
            }
            let placement = ContentsPlacement(
                transform: toRoot, opacity: isGroup ? 1 : opacity, clips: clips)
            let extent = description.flatMap { append(part, $0, placement, within: region) }
            guard !part.parts.isEmpty else {
                if let extent { levels[parent].widen(by: extent) }
                return
            }
            var level = Level(part.parts, toRoot: toRoot, clips: clips, region: region)
            level.extent = extent
            level.group = isGroup ? start : nil
            levels.append(level)
        }

        /// Records the part's own picture. Returns its visible extent, nil for none.
        private mutating func append(
            _ part: BasePart, _ description: ContextDescription, _ placement: ContentsPlacement,
            within region: Rect
        ) -> Rect? {
            let size = Size(
                width: Double(description.pixelWidth) / description.scale,
                height: Double(description.pixelHeight) / description.scale)
            guard let work = part.work, let seen = pixels(of: Rect(size: size), placement.transform),
                let bounds = region.intersection(seen)
            else { return nil }
            var slot: Int?
            if let content = part.key, content.equalsItself {
                slot = keys.count
                let key = PictureKey(
                    PictureKey.Parts(
                        content: content, size: part.size, description: description,
                        background: part.background))
                keys.append((key, description))
            }
            entries.append(
                .part(
                    PlannedPart(
                        size: part.size, description: description, slot: slot,
                        background: part.background, work: work, placement: placement, bounds: bounds)))
            return bounds
        }

        private mutating func leave(_ level: Level) {
            if let extent = level.extent, let index = levels.indices.last { levels[index].widen(by: extent) }
            guard let start = level.group, case .beginGroup(var group) = entries[start] else { return }
            guard let extent = level.extent else { return entries.removeSubrange(start...) }
            group.extent = extent
            entries[start] = .beginGroup(group)
            entries.append(.endGroup(group))
        }

        /// The pixels of the whole that a rectangle touches.
        private mutating func pixels(of rect: Rect, _ toRoot: LayerTransform) -> Rect? {
            if !toRoot.isUpright { isUpright = false }
            return toRoot.concatenating(.scale(x: picture.scale, y: picture.scale)).pixels(touchedBy: rect)
        }
    }
}

extension LayerTransform {
    /// Whether an upright rectangle stays upright.
    var isUpright: Bool { b == 0 && c == 0 || a == 0 && d == 0 }

    /// The pixels that a rectangle touches under this map from its points to pixels, or somewhat more if that
    /// turns it; nil if it is empty or not finite.
    ///
    /// Noise at an edge between two pixels does not count.
    func pixels(touchedBy rect: Rect) -> Rect? {
        let area = bounds(of: rect)
        guard rect.size.width > 0, rect.size.height > 0, area.minX.isFinite, area.minY.isFinite,
            area.maxX.isFinite, area.maxY.isFinite
        else { return nil }
        let margin = isUpright ? -1e-6 : 1
        return Rect(
            from: Point(x: (area.minX - margin).rounded(.down), y: (area.minY - margin).rounded(.down)),
            to: Point(x: (area.maxX + margin).rounded(.up), y: (area.maxY + margin).rounded(.up)))
    }
}
