/// Parts that are drawn one by one and blended into one picture, as a value: what a ``DisplayTask`` draws
/// instead of one closure.
///
///     DisplayTask(
///         composition: Composition(rows.map { row in
///             Composition.Part(
///                 key: row, size: row.size, placement: PartPlacement(origin: row.origin)
///             ) { context, scope in row.draw(in: context, scope.size) }
///         }))
///
/// The picture is that of drawing each part by itself and blending their pictures in order into the layer's
/// context, each over what is below it, by its ``PartPlacement``; the parts within a part follow it. Parts
/// that cannot be seen are not drawn.
///
/// **A part with a key** is drawn if the layer's ``ContentsCache`` has no picture of it, and kept there:
/// where one part of many has changed, one is drawn. The cache must have room for the parts' pictures. Parts
/// of one key in one composition are drawn once. A key of the task stands for the whole: where it is that of
/// the picture on show, or is in the cache, nothing is drawn, whatever the parts are.
///
/// **The main thread** makes the parts and releases their closures, and looks at none of them. Measured, a
/// part costs it 0.35 µs where it is made for each pass, and 0.06 µs where the program keeps it. The thread
/// that draws finds out which parts can be seen, compares their keys, and adds up their bytes. A fault
/// with a part, such as an invalid size, is thus an outcome of the draw. A layer that displays synchronously
/// does all of it on the main thread.
///
/// **Memory**: the layer's context, those of the groups that a part lies in, that of one part, and the new
/// pictures of parts with keys are alive at once. A group is a translucent part that holds others, or a part
/// with a soft mask around several pictures (see ``PartPlacement/masksToBounds``). More than
/// ``AsyncLayer/contextByteLimit`` for one context, or than the ``MemoryBudget`` for all, fails the pass
/// before any is made.
public struct Composition<R: CompositingRenderer>: Sendable {
    /// From the lowest to the topmost, where ``PartPlacement/zPosition`` does not say otherwise.
    public var parts: [Part]

    /// Makes a composition, which may have no parts.
    @inlinable
    public init(_ parts: [Part]) { self.parts = parts }

    /// A picture within a larger one, with the parts within it.
    ///
    /// Sizes and scales are as those of a layer. A part of less than one pixel has no picture; the parts
    /// within it are drawn. A part without `draw` only holds others.
    public struct Part: Sendable {
        @usableFromInline var base: BasePart

        /// In points.
        @inlinable public var size: Size {
            get { base.size }
            set { base.size = newValue }
        }

        /// Pixels per point of the part's own picture, which is interpolated where the layer has another
        /// scale. Default: nil, the layer's.
        @inlinable public var scale: Double? {
            get { base.scale }
            set { base.scale = newValue }
        }

        /// As ``AsyncLayer/background``. Default: ``Background/clear``.
        @inlinable public var background: Background {
            get { base.background }
            set { base.background = newValue }
        }

        /// Where and how the part lies in what it is in. Default: at its origin.
        @inlinable public var placement: PartPlacement {
            get { base.placement }
            set { base.placement = newValue }
        }

        /// What the part's own picture shows, by value, without the parts within it. Default: nil, which is
        /// drawn each time.
        @inlinable public var key: ContentKey? {
            get { base.key }
            set { base.key = newValue }
        }

        /// Draws the part's own picture, in its own points; see ``DisplayTask/draw``.
        public var draw: DisplayTask<R>.Draw? {
            get { base.work.map { unsafeDowncast($0, to: LayerWork<R>.self).draw } }
            set { base.work = newValue.map { LayerWork<R>($0) } }
        }

        /// The parts within, in the order of ``Composition/parts``. O(parts), to read and to set.
        ///
        /// Parts may lie 512 levels deep. The ones within a part that would have more are dropped, and a pass
        /// with such a part fails with ``DisplayError/treeTooDeep(limit:)``.
        public var parts: [Part] {
            get { base.parts.map { Part(base: $0) } }
            set { base.parts = newValue.map(\.base) }
        }

        @usableFromInline
        init(base: BasePart) { self.base = base }

        /// Describes a part that is drawn each time.
        @inlinable
        public init(
            size: Size, scale: Double? = nil, placement: PartPlacement = PartPlacement(), parts: [Part] = [],
            draw: DisplayTask<R>.Draw? = nil
        ) {
            // Not by `map`, which would wrap the closure twice.
            let work: DrawWork? = if let draw { LayerWork<R>(draw) } else { nil }
            base = BasePart(
                size: size, scale: scale, placement: placement, work: work, parts: parts.map(\.base))
        }

        /// Describes a part whose own picture shows what a value stands for (see ``key``).
        @inlinable
        public init(
            key: some Hashable & Sendable, size: Size, scale: Double? = nil,
            placement: PartPlacement = PartPlacement(), parts: [Part] = [], draw: DisplayTask<R>.Draw? = nil
        ) {
            self.init(size: size, scale: scale, placement: placement, parts: parts, draw: draw)
            base.key = ContentKey(key)
        }
    }
}

/// A part without its renderer's type (see ``BaseTask``).
@usableFromInline
struct BasePart: Sendable {
    /// The most parts that lie within each other. So that releasing a value, which is recursive, overflows no
    /// stack.
    static let maximumDepth = 512

    @usableFromInline var size: Size
    @usableFromInline var scale: Double?
    @usableFromInline var background = Background.clear
    @usableFromInline var placement: PartPlacement
    @usableFromInline var key: ContentKey?
    @usableFromInline var work: DrawWork?
    @usableFromInline var parts: [BasePart] {
        get { nested }
        set { nest(newValue) }
    }
    private var nested: [BasePart] = []
    /// How many levels there are, with the part's own; one more than there may be if some were dropped.
    private var levelCount = 1

    @usableFromInline
    init(size: Size, scale: Double?, placement: PartPlacement, work: DrawWork?, parts: [BasePart]) {
        (self.size, self.scale, self.placement, self.work) = (size, scale, placement, work)
        nest(parts)
    }

    var isTooDeep: Bool { levelCount > Self.maximumDepth }

    private mutating func nest(_ parts: [BasePart]) {
        levelCount = 1
        for part in parts { levelCount = max(levelCount, part.levelCount + 1) }
        if isTooDeep {
            (nested, levelCount) = ([], Self.maximumDepth + 1)
        } else {
            nested = parts
        }
    }

    /// From the part's own points to those of what it lies in.
    var toParent: LayerTransform {
        // Without a transform the anchor would only add its rounding.
        guard placement.transform != .identity else {
            return .translation(x: placement.origin.x, y: placement.origin.y)
        }
        let anchor = Point(x: placement.anchor.x * size.width, y: placement.anchor.y * size.height)
        return LayerTransform.translation(x: -anchor.x, y: -anchor.y).concatenating(placement.transform)
            .concatenating(
                .translation(x: placement.origin.x + anchor.x, y: placement.origin.y + anchor.y))
    }

    /// The opacity from 0 to 1.
    var visibleOpacity: Double { placement.opacity > 0 ? min(placement.opacity, 1) : 0 }

    /// What the part is cut to, if it is, in the coordinates of the whole picture.
    func mask(toRoot: LayerTransform) -> ContentsPlacement.Clip? {
        guard placement.masksToBounds else { return nil }
        return ContentsPlacement.Clip(
            Rect(size: size), cornerRadius: placement.cornerRadius, transform: toRoot)
    }
}

/// Where and how a part lies in the one that it is in, or in the layer.
///
/// What is not finite or cannot be inverted is not visible.
public struct PartPlacement: Equatable, Sendable {
    /// Where the top left corner lies in the parent's coordinates, before the transform, in points. Default:
    /// zero.
    public var origin = Point.zero

    /// What the transform turns about, in fractions of the part's size. Default: the middle.
    public var anchor = Point(x: 0.5, y: 0.5)

    /// Turns, scales or skews the part with all within it. Default: identity.
    public var transform = LayerTransform.identity

    /// The opacity of the part with all within it, as one; clamped to 0…1, and NaN reads as 0. Default: 1.
    public var opacity = 1.0

    /// Cuts the part and all within it to its bounds, as one. Default: false.
    ///
    /// A mask is soft if it has round corners, is turned, or has an edge between two pixels. A soft mask
    /// around several pictures that can be seen costs a context of their visible extent while they are drawn,
    /// and one more blending of that extent. Other masks cost neither: those around a single picture, and
    /// those whose edges lie on pixels.
    public var masksToBounds = false

    /// The corner radius of the bounds that the part masks to, in points. Default: 0.
    public var cornerRadius = 0.0

    /// Parts of one parent are drawn from the smallest to the largest, equal ones in their order; NaN reads
    /// as 0. Default: 0.
    public var zPosition = 0.0

    /// Leaves the part out, with all within it. Default: false.
    public var isHidden = false

    /// A part at a place in its parent's coordinates; by default at their origin.
    public init(origin: Point = .zero) { self.origin = origin }
}
