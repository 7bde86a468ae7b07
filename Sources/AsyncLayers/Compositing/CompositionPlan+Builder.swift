extension CompositionPlan {
    /// Walks the parts and records what may be visible of them. Recursive: parts lie at most
    /// ``BasePart/maximumDepth`` levels deep.
    struct Builder {
        /// What parts lie in: the whole, or another part.
        private struct Space {
            var toRoot = LayerTransform.identity
            /// The clips of the parts, up to the next group or the picture.
            var clips: [ContentsPlacement.Clip] = []
            /// The turned ones of all clips, including those of groups.
            var turned: [ContentsPlacement.Clip] = []
            /// The pixels around what all clips show.
            var region: Rect
            /// The entry that begins the group that the part is, if it is one.
            var group: Int?
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

        init(picture: ContextDescription) {
            self.picture = picture
            spaces = [Space(region: picture.frame)]
        }

        mutating func build(_ parts: [BasePart]) throws(DisplayError) {
            entries.reserveCapacity(parts.count)
            keys.reserveCapacity(parts.count)
            try add(parts)
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
            (space.group, space.extent) = (nil, nil)
            space.toRoot = part.toParent.concatenating(space.toRoot)
            guard space.toRoot.inverted() != nil else { return false }
            if let mask = part.mask(toRoot: space.toRoot) {
                guard let region = visible(mask, in: space) else { return false }
                space.region = region
                space.clips.append(mask)
                if !mask.transform.isUpright { space.turned.append(mask) }
            }
            var placement = ContentsPlacement(
                transform: space.toRoot, opacity: opacity, clips: space.clips)
            if opacity < 1, !part.parts.isEmpty {
                space.group = entries.count
                entries.append(.beginGroup(Group(extent: .zero, opacity: opacity, clips: space.clips)))
                space.clips = []
                (placement.opacity, placement.clips) = (1, [])
            }
            if let description { space.extent = append(part, description, placement, in: space) }
            spaces.append(space)
            return true
        }

        /// Ends a part; without its group if nothing of that is visible.
        @inline(never)
        private mutating func leave() {
            let inner = spaces.removeLast()
            guard let extent = inner.extent else {
                if let start = inner.group { entries.removeSubrange(start...) }
                return
            }
            let outer = spaces.count - 1
            spaces[outer].extent = spaces[outer].extent?.union(extent) ?? extent
            guard let start = inner.group, case .beginGroup(var group) = entries[start] else { return }
            group.extent = extent
            entries[start] = .beginGroup(group)
            entries.append(.endGroup(group))
        }

        /// Records the part's own picture. Returns its visible extent, nil for none.
        private mutating func append(
            _ part: borrowing BasePart, _ description: ContextDescription, _ placement: ContentsPlacement,
            in space: Space
        ) -> Rect? {
            let size = Size(
                width: Double(description.pixelWidth) / description.scale,
                height: Double(description.pixelHeight) / description.scale)
            let outline = ContentsPlacement.Clip(Rect(size: size), transform: placement.transform)
            guard let work = part.work, let extent = visible(outline, in: space) else { return nil }
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
                        background: part.background, work: work, placement: placement)))
            return extent
        }

        /// The pixels around what may be visible of a shape; nil for none.
        private func visible(_ shape: ContentsPlacement.Clip, in space: Space) -> Rect? {
            func toPixels(_ shape: ContentsPlacement.Clip) -> LayerTransform {
                shape.transform.concatenating(.scale(x: picture.scale, y: picture.scale))
            }
            let transform = toPixels(shape)
            guard let touched = transform.pixels(touchedBy: shape.rect),
                let common = space.region.intersection(touched)
            else { return nil }
            // What is cut by no turned edge: the rectangles say it all.
            let isTurned = !transform.isUpright
            let isWhole = space.turned.allSatisfy { mask in
                toPixels(mask).inverted().map { mask.rect.contains($0.bounds(of: common)) } ?? false
            }
            if isWhole, !isTurned || common == touched { return common }
            var region = VisibleRegion(common)
            for turned in isTurned ? space.turned + [shape] : space.turned {
                region = region.intersection(with: turned.rect, under: toPixels(turned))
            }
            return region.isEmpty ? nil : common.intersection(region.bounds)
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
