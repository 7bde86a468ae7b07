extension CompositionPlan {
    /// Walks the parts and records what may be visible of them. Recursive: parts lie at most
    /// ``BasePart/maximumDepth`` levels deep.
    struct Builder {
        /// What parts lie in: the whole, or another part.
        private struct Space {
            var toRoot = LayerTransform.identity
            /// The clips of the parts, up to the next group or the picture.
            var clips: [ContentsPlacement.Clip] = []
            /// The region that all clips show, including those of groups.
            var region: VisibleRegion
            /// The entry that begins the group that the part is, if it is one.
            var group: Int?
            /// Whether that is only for a mask, and so not for a single picture.
            var isMaskGroup = false
            /// How many pictures are drawn into the part's context so far, those of groups included.
            var pictureCount = 0
            /// The pixels around all that may be visible so far; nil for nothing.
            var extent: Rect?
        }

        let picture: ContextDescription
        private(set) var entries: [Entry] = []
        /// Of the visible parts that have one.
        private(set) var keys: [(key: PictureKey, description: ContextDescription)] = []
        /// What the part that is being visited lies in, from the whole inwards. Not on the stack, of which a
        /// level so takes little: a main thread may have a small one.
        private var spaces: [Space]
        /// The entries that begin groups that turned out to be none.
        private var dissolved: Set<Int> = []

        init(picture: ContextDescription) {
            self.picture = picture
            spaces = [Space(region: VisibleRegion(picture.frame))]
        }

        mutating func build(_ parts: [BasePart]) throws(DisplayError) {
            entries.reserveCapacity(parts.count)
            keys.reserveCapacity(parts.count)
            try add(parts)
            guard !dissolved.isEmpty else { return }
            entries = entries.indices.filter { !dissolved.contains($0) }.map { entries[$0] }
        }

        /// Records parts, from the lowest to the topmost.
        private mutating func add(_ parts: [BasePart]) throws(DisplayError) {
            if let order = Self.order(of: parts) {
                for index in order { try add(parts.span[index]) }
            } else {
                for index in parts.indices { try add(parts.span[index]) }
            }
        }

        /// Records a part with those within it.
        private mutating func add(_ part: borrowing BasePart) throws(DisplayError) {
            guard try enter(part) else { return }
            try add(part.parts)
            leave()
        }

        /// The indices of parts from the lowest to the topmost; nil if they are in order.
        private static func order(of parts: [BasePart]) -> [Int]? {
            func height(_ index: Int) -> Double {
                let height = parts[index].placement.zPosition
                return height.isNaN ? 0 : height
            }
            if parts.indices.dropFirst().allSatisfy({ height($0 - 1) <= height($0) }) { return nil }
            return parts.indices.sorted { (height($0), $0) < (height($1), $1) }
        }

        /// Records a part's own picture, in a group if the part is one. Returns false if nothing of the part
        /// can be visible.
        @inline(never)
        private mutating func enter(_ part: borrowing BasePart) throws(DisplayError) -> Bool {
            let opacity = part.visibleOpacity
            guard !part.placement.isHidden, opacity > 0 else { return false }
            if part.isTooDeep { throw .treeTooDeep(limit: BasePart.maximumDepth) }
            let description =
                part.work == nil
                ? nil
                : try ContextDescription(
                    size: part.size, scale: part.scale ?? picture.scale, isOpaque: part.background.isOpaque)
            var space = spaces[spaces.count - 1]
            (space.group, space.isMaskGroup, space.pictureCount, space.extent) = (nil, false, 0, nil)
            space.toRoot = part.toParent.concatenating(space.toRoot)
            guard space.toRoot.inverted() != nil else { return false }
            var isSoft = false
            if let mask = part.mask(toRoot: space.toRoot) {
                let toPixels = self.toPixels(mask.transform)
                guard let region = space.region.intersection(with: mask.rect, under: toPixels) else {
                    return false
                }
                isSoft =
                    mask.cornerRadius > 0 || toPixels.cutsPixels(of: space.region.bounds, with: mask.rect)
                space.region = region
                space.clips.append(mask)
            }
            var placement = ContentsPlacement(
                transform: space.toRoot, opacity: opacity, clips: space.clips)
            if opacity < 1 || isSoft, !part.parts.isEmpty {
                (space.group, space.isMaskGroup) = (entries.count, opacity == 1)
                entries.append(.beginGroup(Group(extent: .zero, opacity: opacity, clips: space.clips)))
                space.clips = []
                (placement.opacity, placement.clips) = (1, [])
            }
            if let description, let extent = append(part, description, placement, in: space) {
                (space.extent, space.pictureCount) = (extent, 1)
            }
            spaces.append(space)
            return true
        }

        /// Ends a part; without its group if nothing of that is visible, or if that is for a mask around a
        /// single picture, which so needs no context.
        @inline(never)
        private mutating func leave() {
            let inner = spaces.removeLast()
            guard let extent = inner.extent else {
                if let start = inner.group { entries.removeSubrange(start...) }
                return
            }
            let outer = spaces.count - 1
            spaces[outer].extent = spaces[outer].extent?.union(extent) ?? extent
            spaces[outer].pictureCount += inner.group == nil ? inner.pictureCount : 1
            guard let start = inner.group, case .beginGroup(var group) = entries[start] else { return }
            if inner.isMaskGroup, inner.pictureCount == 1 { return dissolve(group, begunAt: start) }
            group.extent = extent
            entries[start] = .beginGroup(group)
            entries.append(.endGroup(group))
        }

        /// Applies a group's clips to the only picture in it, which is drawn by the last entry.
        private mutating func dissolve(_ group: Group, begunAt start: Int) {
            switch entries.removeLast() {
            case .part(var part):
                part.placement.clips = group.clips + part.placement.clips
                entries.append(.part(part))
            case .endGroup(var only):
                only.clips = group.clips + only.clips
                entries.append(.endGroup(only))
            case .beginGroup: preconditionFailure("The group has no picture.")
            }
            dissolved.insert(start)
        }

        /// Records the part's own picture. Returns its visible extent, nil for none.
        private mutating func append(
            _ part: borrowing BasePart, _ description: ContextDescription, _ placement: ContentsPlacement,
            in space: Space
        ) -> Rect? {
            let size = Size(
                width: Double(description.pixelWidth) / description.scale,
                height: Double(description.pixelHeight) / description.scale)
            guard let work = part.work,
                let extent = space.region.pixels(
                    in: Rect(size: size), under: toPixels(placement.transform))
            else { return nil }
            var slot: Int?
            let key = part.key.flatMap { [size = part.size, background = part.background] in
                PictureKey($0, size: size, scale: description.scale, background: background)
            }
            if let key {
                slot = keys.count
                keys.append((key, description))
            }
            entries.append(
                .part(
                    PlannedPart(
                        size: part.size, description: description, slot: slot,
                        background: part.background, work: work, placement: placement)))
            return extent
        }

        private func toPixels(_ toRoot: LayerTransform) -> LayerTransform {
            toRoot.concatenating(.scale(x: picture.scale, y: picture.scale))
        }
    }
}

extension LayerTransform {
    /// Whether an edge of a rectangle, under this map from its points to pixels, covers some pixels in part.
    /// Edges outside of these pixels do not count, and neither does noise at an edge between two pixels.
    fileprivate func cutsPixels(of pixels: Rect, with rect: Rect) -> Bool {
        guard isUpright else { return true }
        let area = bounds(of: rect)
        func cuts(_ edge: Double, from start: Double, to end: Double) -> Bool {
            start < edge && edge < end && abs(edge - edge.rounded()) >= 1e-6
        }
        return cuts(area.minX, from: pixels.minX, to: pixels.maxX)
            || cuts(area.maxX, from: pixels.minX, to: pixels.maxX)
            || cuts(area.minY, from: pixels.minY, to: pixels.maxY)
            || cuts(area.maxY, from: pixels.minY, to: pixels.maxY)
    }
}
