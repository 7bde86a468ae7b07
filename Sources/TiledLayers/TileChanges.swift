public import AsyncLayers

/// What has changed since ``TiledLayer/takeChanges()`` was called last, and what to show.
///
/// Tiles come in the order in which to upload them: those in view first, from its middle.
public struct TileChanges: Sendable {
    /// Tiles that were not there: upload their contents whole (``TiledLayer/contents(of:)``).
    public var added: [TileID] = []
    /// Tiles whose contents differ within some pixels, counted from the contents' top left.
    public var changed: [(id: TileID, pixels: PixelRect)] = []
    /// Tiles that exist no more, those first that were made first.
    public var removed: [TileID] = []
    /// Tiles that lie elsewhere in the view than before, have come into it, or have left it; not those that
    /// were added or removed.
    public var moved: [TileID] = []
    /// What to show, in any order: the places do not overlap, so translucent tiles are blended once.
    public var placed: [PlacedTile] = []
    /// The pixels of the view that look different, as rectangles that do not overlap: all of the view if it
    /// has moved. A program that keeps its composed picture composes these.
    public var damage: [PixelRect] = []
    /// How much of the view is covered, and how.
    public var coverage = TileCoverage()

    /// Nothing.
    public init() {}

    /// True if the view looks as it did, but for ``coverage``.
    public var isEmpty: Bool {
        added.isEmpty && changed.isEmpty && removed.isEmpty && moved.isEmpty && damage.isEmpty
    }
}

/// A piece of a tile in the view.
public struct PlacedTile: Hashable, Sendable {
    /// Which tile.
    public let id: TileID
    /// The pixels of its contents, from their top left; whole numbers where one pixel of them is one of the
    /// view.
    public let source: Rect
    /// The pixels of the view, from its top left.
    public let destination: PixelRect
    /// Whether all edits of the turns that have ended are in it.
    public let isFresh: Bool
    /// Whether it is of the view's scale.
    public let isSharp: Bool

    /// The place without its freshness.
    var geometry: PlacedTile {
        PlacedTile(id: id, source: source, destination: destination, isFresh: true, isSharp: true)
    }
}

/// How much of the content in view is covered, in pixels.
public struct TileCoverage: Equatable, Sendable, CustomStringConvertible {
    /// Up to date, at the view's scale.
    public var sharp = 0
    /// Up to date, at another scale.
    public var coarse = 0
    /// Not up to date.
    public var stale = 0
    /// Without a picture.
    public var blank = 0

    /// Nothing.
    public init() {}

    /// Such as "sharp 65536, coarse 0, stale 256, blank 0".
    public var description: String { "sharp \(sharp), coarse \(coarse), stale \(stale), blank \(blank)" }

    mutating func add(_ area: Int, isFresh: Bool, isSharp: Bool) {
        if !isFresh { stale += area } else if isSharp { sharp += area } else { coarse += area }
    }
}

/// What a tiled layer has done so far.
public struct TileStatistics: Equatable, Sendable, CustomStringConvertible {
    /// Why a tile was drawn.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// It came into view.
        case first
        /// It was damaged.
        case damage
        /// It was drawn before it comes into view.
        case ahead
        /// It is of the overview.
        case overview
        /// It is a draft (``TiledLayer/draft``).
        case draft
    }

    /// How many pictures were drawn.
    public var draws: [Reason: Int] = [:]
    /// How many tiles have failed.
    public var failures = 0
    /// The area without a picture, over time, in pixels × seconds.
    public var blankPixelSeconds = 0.0
    /// The area that was not sharp, over time, in pixels × seconds.
    public var coarsePixelSeconds = 0.0
    /// The area that was not up to date, over time, in pixels × seconds.
    public var stalePixelSeconds = 0.0
    /// The area in view, over time, in pixels × seconds.
    public var visiblePixelSeconds = 0.0
    /// The bytes of all pictures, without former ones that wait to be released
    /// (`DisplayHost.unreleasedByteCount`).
    public var byteCount = 0

    /// Nothing.
    public init() {}

    /// Draws by reason, failures and bytes, such as "first 12, damage 3, failures 0, 1048576 bytes".
    public var description: String {
        let reasons: [Reason] = [.first, .damage, .ahead, .overview, .draft]
        let counts = reasons.compactMap { reason in draws[reason].map { "\(reason) \($0)" } }
        return (counts + ["failures \(failures)", "\(byteCount) bytes"]).joined(separator: ", ")
    }
}
