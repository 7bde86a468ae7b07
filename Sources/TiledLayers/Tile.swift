import AsyncLayers
import QueuePools
import Synchronization

/// Names a tile, for as long as it exists; never used again in the process.
public struct TileID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    // Relaxed: only the numbers matter.
    private static let last = Atomic<UInt64>(0)

    static func next() -> TileID {
        TileID(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Such as "tile 12".
    public var description: String { "tile \(number)" }
}

/// A tile: its place, its state, and its painter.
@MainActor
final class Tile {
    let id = TileID.next()
    let index: TileGrid.Index
    /// The pixels of the level that it covers, and those that are in its picture.
    let (frame, drawnFrame): (PixelRect, PixelRect)
    let grid: TileGrid
    /// The bytes of a picture, at most.
    let byteCount: Int
    let painter: any TilePainting
    private weak var pipeline: TilePipeline?

    private(set) var state = TileState() {
        didSet {
            let difference = state.pictureCount - oldValue.pictureCount
            if difference != 0 { pipeline?.byteCount += difference * byteCount }
        }
    }
    /// The picture that is shown, if ``TileState/Keeper/tile`` keeps it. Its type is the painter's.
    private(set) var former: AnyObject?
    /// Why it is drawn, or was drawn last.
    private(set) var reason = TileStatistics.Reason.first
    /// The turn in which it was wanted last.
    var lastWanted: UInt64 = 0
    /// Whether it is of the wanted level, and in view.
    var isInView = false
    /// The turn in which it came into view last, or that before, if it was between two.
    var cameIntoView: UInt64 = 0
    /// Whether a place in the view shows it.
    var isPlaced = false
    /// Whether, when its level was the wanted one, it was shown wherever it lies in the view.
    var isPlacedWhole = false

    init(
        _ index: TileGrid.Index, of level: Level, painter: any TilePainting, pipeline: TilePipeline
    ) {
        (self.index, grid, byteCount) = (index, level.grid, level.tileBytes)
        (self.painter, self.pipeline) = (painter, pipeline)
        (frame, drawnFrame) = (grid.frame(of: index), grid.drawnFrame(of: index))
        painter.tile = self
    }

    var pictureBytes: Int { state.pictureCount * byteCount }

    /// - Parameter pixels: of its picture.
    func addDamage(_ pixels: PixelRect, of edit: UInt64) { state.damaged(pixels, by: edit) }

    func draw(because reason: TileStatistics.Reason, timeLimit: Duration?) {
        self.reason = reason
        let pixels = state.isNewestOfPainter ? state.pixelsToDraw : nil
        state.began()
        painter.draw(pixels, because: reason, timeLimit: timeLimit)
    }

    /// Why it is drawn if it is in view.
    var reasonInView: TileStatistics.Reason { state.hasPicture ? .damage : .first }

    /// It is drawn for another reason from now on.
    func change(reason: TileStatistics.Reason) {
        guard reason != self.reason else { return }
        self.reason = reason
        painter.move(to: reason.tier)
    }

    /// - Parameter former: keeps the picture that the painter had.
    func pictureHasChanged(former: AnyObject) {
        if state.pictureCame() { self.former = former }
        if pipeline?.isHeldBack(self) != true { publish() }
    }

    func drawHasEnded(_ end: DrawEnd) {
        if state.ended(isFailure: end.isFailure) { painter.letGo() }
        pipeline?.tileHasEnded(self, end)
    }

    /// Shows the newest picture.
    func publish() {
        guard state.published() else { return }
        former = nil
        pipeline?.handOut.changed.insert(id)
    }

    func take() -> TileState.Change? { state.takes() }

    /// Lets the pixels go of what the program has uploaded, unless it has not taken them yet.
    func didUpload() {
        let letsGo = state.uploaded()
        if state.keeper == .program { former = nil }
        if letsGo { painter.letGo() }
    }

    /// The program has lost the picture that it took.
    func forget() {
        state.forgotten()
        if state.shown != nil { pipeline?.handOut.changed.insert(id) }
    }

    /// The tile exists no more: the end of its draw is ignored.
    func detach() { pipeline = nil }
}

extension TileStatistics.Reason {
    /// The tier of the draws. Edits and drafts come before tiles that come into view, and no tile out of view
    /// takes a thread from these.
    var tier: QoSTier {
        switch self {
        case .damage, .draft: .userInteractive
        case .first: .userInitiated
        case .ahead: .utility
        case .overview: .background
        }
    }

    /// Whether the tile is of the wanted level, and in view.
    var isOfView: Bool { self == .damage || self == .first }

    /// Whether the user waits for it. Its draws have room of their own.
    var isAwaited: Bool { isOfView || self == .draft }
}
