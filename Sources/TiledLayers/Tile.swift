/// Names a tile, for as long as it exists; never used again.
public struct TileID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Such as "tile 12".
    public var description: String { "tile \(number)" }
}

/// A tile: what of it is shown, what that lacks, and what draws it.
@MainActor
final class Tile {
    /// What a picture does not show yet.
    struct Damage {
        /// The number of the first edit that it does not show.
        var since: UInt64
        /// Of the picture's pixels.
        var pixels: PixelRect

        static func add(_ pixels: PixelRect, of edit: UInt64, to damage: inout Damage?) {
            damage = Damage(since: damage?.since ?? edit, pixels: damage?.pixels.union(pixels) ?? pixels)
        }
    }

    /// The picture that is placed on the screen.
    enum Shown {
        case nothing
        /// The painter's.
        case newest
        /// An older one, until the edit that the painter's belongs to appears. Its type is the painter's.
        case former(AnyObject)
        /// One that the program has uploaded.
        case uploaded

        var isNothing: Bool { if case .nothing = self { true } else { false } }
    }

    /// What the program knows of the picture that is shown.
    enum HandedOut {
        case nothing
        /// The picture, but for some pixels.
        case picture(changed: PixelRect?)
    }

    let id: TileID
    let index: TileGrid.Index
    /// The pixels of the level that it covers, and those that are in its picture.
    let (frame, drawnFrame): (PixelRect, PixelRect)
    let grid: TileGrid
    /// The bytes of a picture, at most.
    let byteCount: Int
    let painter: any TilePainting
    private weak var pipeline: TilePipeline?

    private(set) var shown = Shown.nothing
    /// Whether the painter has a newer picture than is shown.
    private var hasNewer = false
    private var isDrawing = false
    /// Whether the newest draw failed, and nothing has changed since.
    var hasFailed = false
    /// What the shown picture lacks.
    private(set) var damage: Damage?
    /// What the newer picture lacks.
    private(set) var newerDamage: Damage?
    /// What the picture lacks that is being drawn.
    private var drawnDamage: Damage?
    var handedOut = HandedOut.nothing
    /// Why it was drawn last.
    var reason = TileStatistics.Reason.first
    /// The turn in which it was wanted last.
    var lastWanted: UInt64 = 0
    /// Whether it is of the wanted level, and in view.
    var isInView = false
    /// Whether a place in the view shows it.
    var isPlaced = false

    init(
        _ id: TileID, _ index: TileGrid.Index, of level: Level, painter: any TilePainting,
        pipeline: TilePipeline
    ) {
        (self.id, self.index, grid, byteCount) = (id, index, level.grid, level.tileBytes)
        (self.painter, self.pipeline) = (painter, pipeline)
        (frame, drawnFrame) = (grid.frame(of: index), grid.drawnFrame(of: index))
        painter.tile = self
    }

    var isFresh: Bool { damage == nil && !shown.isNothing }

    /// Whether a draw would bring it nearer to what it is to show.
    var needsDrawing: Bool {
        guard !isDrawing, !hasFailed else { return false }
        return hasNewer ? newerDamage != nil : !isFresh
    }

    /// Whether nothing that is drawn or in flight will change it.
    var isAtRest: Bool { hasFailed || isFresh || hasNewer && newerDamage == nil }

    var isHandedOut: Bool { if case .picture = handedOut { true } else { false } }

    /// The bytes of its pictures.
    var pictureBytes: Int {
        ((hasNewer || isDrawing ? 1 : 0) + (shown.isNothing ? 0 : 1)) * byteCount
    }

    func addDamage(_ pixels: PixelRect, of edit: UInt64) {
        hasFailed = false
        if !shown.isNothing { Damage.add(pixels, of: edit, to: &damage) }
        if hasNewer { Damage.add(pixels, of: edit, to: &newerDamage) }
        if isDrawing { Damage.add(pixels, of: edit, to: &drawnDamage) }
    }

    /// Begins to draw what the newest edit has made of it.
    func draw(deadline: Duration?) {
        (isDrawing, drawnDamage) = (true, nil)
        painter.draw(deadline: deadline)
    }

    /// - Parameter former: keeps the picture that the painter had.
    func pictureHasChanged(former: AnyObject) {
        if case .newest = shown, !hasNewer { shown = .former(former) }
        (hasNewer, newerDamage) = (true, drawnDamage)
        if pipeline?.isHeldBack(self) != true { publish() }
    }

    func drawHasEnded(_ end: DrawEnd) {
        isDrawing = false
        // Damage that came meanwhile is a reason to try again.
        if case .failed = end { hasFailed = drawnDamage == nil }
        pipeline?.tileHasEnded(self, end)
    }

    /// Shows the newest picture.
    func publish() {
        guard hasNewer else { return }
        if case .picture(let changed) = handedOut {
            let pixels = damage?.pixels ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
            handedOut = .picture(changed: changed?.union(pixels) ?? pixels)
        }
        shown = .newest
        hasNewer = false
        damage = newerDamage
        pipeline?.handOut.changed.insert(id)
    }

    /// Lets the pixels go of what the program has uploaded, unless it has not taken them yet.
    func didUpload() {
        guard case .picture(changed: nil) = handedOut, !shown.isNothing else { return }
        shown = .uploaded
        if !hasNewer, !isDrawing { painter.letGo() }
    }
}
