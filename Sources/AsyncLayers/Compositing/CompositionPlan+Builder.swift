extension CompositionPlan {
    /// Walks the parts and records what may be visible of them. Recursive: parts lie at most
    /// ``BasePart/maximumDepth`` levels deep.
    struct Builder {
        /// What parts lie in: the whole, or another part.
        private struct Space {
            let toRoot: LayerTransform
            /// The clips of the parts, up to the next group or the picture.
            let clips: [ContentsPlacement.Clip]
            /// The pixels within all clips, including those of groups.
            let region: Rect
        }

        let picture: ContextDescription
        private(set) var entries: [Entry] = []
        /// Of the visible parts that have one.
        private(set) var keys: [(key: PictureKey, description: ContextDescription)] = []
        private(set) var isUpright = true

        init(picture: ContextDescription) { self.picture = picture }

        mutating func build(_ parts: [BasePart]) throws(DisplayError) {
            entries.reserveCapacity(parts.count)
            keys.reserveCapacity(parts.count)
            let whole = Space(toRoot: .identity, clips: [], region: picture.frame)
            _ = try add(parts, in: whole, to: nil)
        }

        /// Records parts, from the lowest to the topmost. Returns the extent of all that may be visible, in
        /// pixels; nil for nothing.
        private mutating func add(
            _ parts: [BasePart], in space: Space, to extent: Rect?
        ) throws(DisplayError) -> Rect? {
            let (parts, order) = (parts.span, Self.order(of: parts))
            var extent = extent
            for index in parts.indices {
                let added = try add(parts[order?[index] ?? index], in: space)
                if let added { extent = extent?.union(added) ?? added }
            }
            return extent
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

        /// Records a part, with those within it. Returns the extent of what may be visible of them.
        private mutating func add(_ part: BasePart, in space: Space) throws(DisplayError) -> Rect? {
            let opacity = part.visibleOpacity
            guard !part.placement.isHidden, opacity > 0 else { return nil }
            if part.isTooDeep { throw .treeTooDeep(limit: BasePart.maximumDepth) }
            let description =
                part.work == nil
                ? nil
                : try ContextDescription(
                    size: part.size, scale: part.scale ?? picture.scale, isOpaque: part.background.isOpaque)
            let toRoot = part.toParent.concatenating(space.toRoot)
            guard toRoot.isInvertible else { return nil }
            var (clips, region) = (space.clips, space.region)
            if let mask = part.mask(toRoot: toRoot) {
                clips.append(mask)
                guard let seen = pixels(of: mask.rect, toRoot), let common = region.intersection(seen) else {
                    return nil
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
            let own = description.flatMap { append(part, $0, placement, within: region) }
            guard !part.parts.isEmpty else { return own }
            let space = Space(toRoot: toRoot, clips: clips, region: region)
            let extent = try add(part.parts, in: space, to: own)
            if isGroup { endGroup(from: start, extent) }
            return extent
        }

        /// Ends a group that begins with an entry; without it if nothing of it is visible.
        private mutating func endGroup(from start: Int, _ extent: Rect?) {
            guard let extent, case .beginGroup(var group) = entries[start] else {
                return entries.removeSubrange(start...)
            }
            group.extent = extent
            entries[start] = .beginGroup(group)
            entries.append(.endGroup(group))
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
            let key = PictureKey(
                part.key, size: part.size, scale: description.scale, background: part.background)
            if let key {
                slot = keys.count
                keys.append((key, description))
            }
            entries.append(
                .part(
                    PlannedPart(
                        size: part.size, description: description, slot: slot,
                        background: part.background, work: work, placement: placement, bounds: bounds)))
            return bounds
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
