/// How a composition is drawn into one picture, decided before any memory is taken.
///
/// A part is drawn in a context of its own, whose contents are drawn into the whole with their transform,
/// clips and opacity; then the parts within it, from the lowest to the topmost. Two kinds of parts that hold
/// others are groups: translucent ones, and those with a soft mask around more than one picture. A group is
/// drawn into a context of its own first, no larger than what is visible, which is made translucent and
/// clipped as one.
///
/// A mask is soft if it covers pixels in part: with round corners, turned, or with an edge between pixels.
/// Applied to each picture, it would let what lies below through once for each: an edge of black over white
/// would be grey. A mask whose edges lie on pixels shows or hides each pixel, as a group or not.
///
/// The thread that draws walks the parts once, and decides what may be visible, which pictures exist already,
/// and how much memory the others take.
struct CompositionPlan: Sendable {
    enum Entry: Sendable {
        case part(PlannedPart)
        /// The entries up to the matching ``endGroup(_:)`` are drawn into a context of their own.
        case beginGroup(Group)
        /// The contents of the group are placed.
        case endGroup(Group)
    }

    struct Group: Sendable {
        /// Of all that is visible within, in pixels of the whole.
        var extent: Rect
        let opacity: Double
        var clips: [ContentsPlacement.Clip]
    }

    /// The picture of a key that is drawn.
    struct Missing: Sendable {
        let key: PictureKey
        let byteCount: Int
    }

    /// The whole picture.
    let picture: ContextDescription
    private(set) var entries: [Entry]
    /// For each visible part with a key: the picture that was found, and, where there is none, its index in
    /// ``missing``. Beside the entries, which so need not be changed.
    private(set) var found: [Picture?] = []
    private(set) var missingIndices: [Int] = []
    /// The keys of parts that are drawn, each once.
    private(set) var missing: [Missing] = []
    private var keys: [(key: PictureKey, description: ContextDescription)]

    /// Plans the drawing of parts; without their keys. O(parts · masks around a part), and where parts are
    /// not in the order of their heights O(parts · log parts).
    ///
    /// - Parameter picture: the whole, by ``ContextDescription/init(size:scale:isOpaque:)``.
    /// - Throws: if parts lie too deep, or one that is not hidden has an invalid size or scale.
    init(_ parts: [BasePart], picture: ContextDescription) throws(DisplayError) {
        var builder = Builder(picture: picture)
        try builder.build(parts)
        (self.picture, entries, keys) = (picture, builder.entries, builder.keys)
    }

    /// Looks the parts' keys up. O(parts with a key).
    ///
    /// - Parameters:
    ///   - find: returns the pictures of keys, each nil if there is none.
    ///   - byteCount: the bytes of a context.
    mutating func find(
        _ find: ([PictureKey]) -> [Picture?], byteCount: (ContextDescription) -> Int
    ) {
        guard !keys.isEmpty else { return }
        found = find(keys.map(\.key))
        missingIndices = [Int](repeating: 0, count: keys.count)
        var indices: [PictureKey: Int] = [:]
        for slot in keys.indices where found[slot] == nil {
            let (key, description) = keys[slot]
            let index = indices[key] ?? missing.count
            missingIndices[slot] = index
            guard index == missing.count else { continue }
            indices[key] = index
            missing.append(Missing(key: key, byteCount: byteCount(description)))
        }
        keys = []
    }

    /// Forgets all but the missing keys, once the plan was performed, and returns the pictures that were
    /// found.
    mutating func takeFound() -> [Picture] {
        let pictures = found.compactMap(\.self)
        (entries, found, missingIndices) = ([], [], [])
        return pictures
    }

    /// The most bytes of contexts and new pictures that are alive at once; `Int.max` where the sum does not
    /// fit. O(parts).
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes that any single context may take.
    ///   - byteCount: the bytes of a context.
    /// - Throws: `DisplayError.tooManyBytes` for a context that is larger than any may be.
    func peakByteCount(
        byteLimit: Int, byteCount: (ContextDescription) -> Int
    ) throws(DisplayError) -> Int {
        func bytes(of description: ContextDescription) throws(DisplayError) -> Int {
            let needed = byteCount(description)
            guard (0...max(0, byteLimit)).contains(needed) else {
                throw DisplayError.tooManyBytes(needed: needed, limit: byteLimit)
            }
            return needed
        }
        func sum(_ first: Int, _ second: Int) -> Int {
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? .max : sum
        }
        var contexts = [try bytes(of: picture)]
        var (pictures, peak) = (0, contexts[0])
        var isCounted = [Bool](repeating: false, count: missing.count)
        for entry in entries {
            let context = contexts[contexts.count - 1]
            switch entry {
            case .part(let part):
                guard let slot = part.slot else {
                    peak = max(peak, sum(sum(context, pictures), try bytes(of: part.description)))
                    continue
                }
                guard found[slot] == nil, !isCounted[missingIndices[slot]] else { continue }
                isCounted[missingIndices[slot]] = true
                pictures = sum(pictures, try bytes(of: part.description))
                peak = max(peak, sum(context, pictures))
            case .beginGroup(let group):
                contexts.append(sum(context, try bytes(of: picture.group(around: group.extent))))
                peak = max(peak, sum(contexts[contexts.count - 1], pictures))
            case .endGroup: contexts.removeLast()
            }
        }
        return peak
    }
}

/// A part that may be visible.
struct PlannedPart: Sendable {
    /// In points.
    let size: Size
    let description: ContextDescription
    /// Which of the plan's keyed parts it is; nil if it has no key, or one that does not equal itself.
    let slot: Int?
    let background: Background
    /// The draw closure. The task's parts, which the ``CompositionWork`` retains, retain it: a count for each
    /// copy of a part would be a quarter of what planning costs.
    unowned(unsafe) let work: DrawWork
    var placement: ContentsPlacement
}

extension ContextDescription {
    /// Its place in the whole picture, in pixels.
    var frame: Rect {
        Rect(
            x: Double(pixelOriginX), y: Double(pixelOriginY), width: Double(pixelWidth),
            height: Double(pixelHeight))
    }

    /// From the points of a part's contents to the points of the whole.
    var place: LayerTransform {
        .translation(x: Double(pixelOriginX) / scale, y: Double(pixelOriginY) / scale)
    }

    /// The context of a group that shows some pixels of the whole, with one more for rounding at each side.
    func group(around extent: Rect) -> ContextDescription {
        func range(_ start: Double, _ end: Double, _ whole: Range<Int>) -> Range<Int> {
            (Int(start) - 1..<Int(end) + 1).clamped(to: whole)
        }
        let columns = range(extent.minX, extent.maxX, pixelOriginX..<pixelOriginX + pixelWidth)
        let rows = range(extent.minY, extent.maxY, pixelOriginY..<pixelOriginY + pixelHeight)
        var group = self
        group.isOpaque = false
        (group.pixelOriginX, group.pixelWidth) = (columns.lowerBound, columns.count)
        (group.pixelOriginY, group.pixelHeight) = (rows.lowerBound, rows.count)
        return group
    }
}
