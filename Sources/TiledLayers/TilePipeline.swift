import AsyncLayers
import QueuePools
import Synchronization
import QueuePoolsTransactions

/// What the pipeline asks of the layer that owns it.
@MainActor
protocol TileSource: AnyObject {
    /// Takes what draws the content, if that has changed or there is nothing yet. Returns whether there is;
    /// nil if there is no delegate to ask.
    func takeContent(isDamaged: Bool) -> Bool?
    /// The bytes of a picture, at most.
    func byteCount(width: Int, height: Int, scale: Double) -> Int
    /// - Parameter frame: the pixels of the picture, of those of a level.
    func makePainter(_ frame: PixelRect, scale: Double) -> any TilePainting
}

/// Which tiles there are, which are drawn next, and when their pictures appear.
///
/// It does not know what the tiles are drawn with: code that is generic over another module's renderer is not
/// specialised, and a blink of a caret cost three times as much of the main thread in such code.
@MainActor
final class TilePipeline {
    /// A part of the content, in its points, and the pixels of the view per point.
    struct View: Equatable {
        let visible: Rect
        let scale: Double
    }

    nonisolated let host: DisplayHost
    let tileExtent: Int?
    weak var source: (any TileSource)?
    private nonisolated let list = DamageList()
    private nonisolated let isRequested = Atomic(false)
    private nonisolated let request = TileRequest()
    nonisolated let drawTimes = TileDrawTimes()

    var onChange: (@MainActor () -> Void)?
    var onFailure: (@MainActor (any Error) -> Void)?
    var damageOutset = 1.0
    var damagePixelOutset = 1
    var editLimit = Duration.milliseconds(33)
    var displayTimeLimit: Duration?
    /// How many edits, how many other tiles in view, and how many beyond it are drawn or wait at a time, at
    /// most: enough for all threads while the main thread is busy, and so few that their order is not old.
    var maximumDraws: Int
    /// As many for each tier as it has taken, once it has refused one.
    var tierLimits: [QoSTier: TierLimit] = [:]
    var byteLimit = 256 << 20 { didSet { scheduleUpdate() } }
    var overviewScale: Double? { didSet { scheduleUpdate() } }
    /// See ``TiledLayer/draft``.
    var draft: Double? = 1.0 / 16 { didSet { scheduleUpdate() } }
    var documentSize: Size {
        didSet { if documentSize != oldValue { documentSizeHasChanged(from: oldValue) } }
    }

    private(set) var view: View?
    private(set) var isMoving = false
    private var restTimer: HostTimer?
    /// Draws the overview again when the edits have ended.
    var overviewTimer: HostTimer?
    /// Runs after a tier of the pool had no room for a tile, until more are tried there.
    private var pause: HostTimer?
    private(set) var movement = ViewMovement()
    private(set) var hasContent = false
    /// The one that is wanted first.
    var levels: [Level] = []
    /// The one that covers what was never in view; among `levels`.
    var overview: Level?
    /// The one whose tiles are drawn as drafts in this turn; among `levels`.
    var draftLevel: Level?
    var tiles: [TileID: Tile] = [:]
    /// The tiles of the wanted level that are in view, and what they were found for.
    var inView: [Tile] = []
    var inViewOf: (view: View, grid: TileGrid, content: Size)?
    private(set) var lastTurn: UInt64 = 0
    private(set) var lastEdit: UInt64 = 0
    /// When something was damaged last.
    private(set) var damagedAt: Duration?
    var edit: Edit?
    /// See `GroupedLayer`.
    var member: GroupMember?
    var nextMember: GroupMember?
    var isSuspended = false
    /// Those that are being drawn.
    var drawing: Set<TileID> = []
    /// Of all pictures, with those that are being drawn.
    var byteCount = 0
    /// The most bytes, since the program asked for fewer, until the view changes.
    var trimLimit: Int?
    /// Whether there may be tiles beyond the end of the content.
    private var hasShrunk = false
    /// Whether there may be tiles that were passed before they were drawn.
    var mayHaveEmptyTiles = false
    /// Failures that the program is to be told when the update has ended.
    private var failures: [any Error] = []
    var counts = TileStatistics()
    var handOut = HandOut()
    var isAnnounced = false
    private(set) var isUpdating = false
    private var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
    private var lastWaiter: UInt64 = 0

    init(documentSize: Size, tileExtent: Int?, host: DisplayHost) {
        (self.documentSize, self.host) = (documentSize, host)
        self.tileExtent = tileExtent.map { min(max(16, $0), 4_096) }
        maximumDraws = 8 * host.threadCount
        request.pipeline = self
    }

    // MARK: In

    nonisolated func setNeedsDisplay(in rect: Rect) {
        guard !rect.isEmpty else { return }
        if list.insert(rect) { scheduleUpdate() }
    }

    nonisolated func setNeedsDisplay() {
        if list.insertWhole() { scheduleUpdate() }
    }

    // Acquiring and releasing: who finds it requested wrote before what the update will read.
    nonisolated func scheduleUpdate() {
        if !isRequested.exchange(true, ordering: .acquiringAndReleasing) { host.transactions.commit(request) }
    }

    func show(_ visible: Rect, scale: Double, isMoving: Bool) throws(TiledLayerError) {
        let extent = Double(TileGrid.maximumExtent)
        // Ratios of scales, and lengths divided by one, stay finite.
        guard (1e-12...1e12).contains(scale) else { throw .invalidScale(scale) }
        let edges = [visible.minX, visible.minY, visible.maxX, visible.maxY]
        guard !visible.isEmpty, edges.allSatisfy({ abs($0 * scale) <= 2 * extent }),
            max(visible.size.width, visible.size.height) * scale <= 65_536
        else { throw .invalidView(visible) }
        // The tile that begins last reaches beyond the content.
        guard max(size.width, size.height) * scale <= extent - Double((tileExtent ?? 512) + 1) else {
            throw .tooManyPixels(scale: scale)
        }
        // As it is shown: in whole pixels, all of which need a tile.
        func whole(_ length: Double) -> Double { (length * scale).rounded() / scale }
        let size = Size(width: whole(visible.size.width), height: whole(visible.size.height))
        let origin = Point(x: whole(visible.minX), y: whole(visible.minY))
        let new = View(visible: Rect(origin: origin, size: size), scale: scale)
        movement.note(visible, isZoom: scale != view?.scale, at: host.loop.now)
        if new != view { trimLimit = nil }
        let isSame = new == view && isMoving == self.isMoving
        (view, self.isMoving) = (new, isMoving)
        restTimer?.cancel()
        restTimer = nil
        if isMoving {
            let end = host.loop.now + .milliseconds(200)
            restTimer = host.loop.perform(at: end) { [weak self] in self?.rest() }
        }
        if isSame { return }
        if isMoving { scheduleUpdate() } else { rest() }
    }

    private func rest() {
        isMoving = false
        movement.stop()
        scheduleUpdate()
    }

    /// The size of the content, as far as it is one.
    var size: Size { Self.size(documentSize) }

    private static func size(_ size: Size) -> Size {
        func length(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }
        return Size(width: length(size.width), height: length(size.height))
    }

    /// The outset, as far as it is one; less than what overflows.
    private var outset: Double { damageOutset > 0 ? min(damageOutset, Double(TileGrid.maximumExtent)) : 0 }

    /// How far a drawing may reach beyond its rectangle in the content, in points, at a scale.
    func outset(at scale: Double) -> Double {
        outset + Double(min(max(0, damagePixelOutset), TileGrid.maximumExtent)) / scale
    }

    /// Tiles at the former edge show what came in as far as they reach.
    private func documentSizeHasChanged(from former: Size) {
        handOut.view = nil
        let (former, size) = (Self.size(former), size)
        let (width, height) = (max(former.width, size.width), max(former.height, size.height))
        setNeedsDisplay(in: Rect(x: former.width, y: 0, width: width - former.width, height: height))
        setNeedsDisplay(in: Rect(x: 0, y: former.height, width: width, height: height - former.height))
        hasShrunk = hasShrunk || size.width < former.width || size.height < former.height
        scheduleUpdate()
    }

    func forgetUploads() {
        for tile in tiles.values { tile.forget() }
        // Tiles whose pixels were released leave their places, and are drawn.
        (handOut.removed, handOut.view, handOut.composed) = ([], nil, nil)
        mayHaveEmptyTiles = true
        scheduleUpdate()
        announce()
    }

    // MARK: The end of the turn

    /// An update that was made meanwhile, for a group, has withdrawn the request.
    func turnEnds() {
        if isRequested.load(ordering: .acquiring) { update() }
    }

    func update() {
        _ = isRequested.exchange(false, ordering: .acquiringAndReleasing)
        guard let source else { return leaveIfSettled() }
        isUpdating = true
        lastTurn += 1
        if hasShrunk { dropTilesBeyondContent() }
        findTilesInView(source)
        takeDamage(source)
        startDraws(source)
        leaveEdit()
        trim(sparing: lastTurn)
        dropLevels()
        isUpdating = false
        resumeWaiters()
        announce()
    }

    /// They can never be shown again: where content grows, all is new.
    private func dropTilesBeyondContent() {
        hasShrunk = false
        for level in levels {
            let content = level.grid.frame(ofContent: size)
            for tile in level.tiles.values where tile.frame.intersection(content) == nil {
                level.tiles[tile.index] = nil
                remove(tile)
            }
        }
    }

    /// Whether damage is waiting that the next update takes.
    var isDamaged: Bool { !isDamageDeferred && !list.isEmpty }

    private func takeDamage(_ source: any TileSource) {
        let damage = isDamageDeferred ? DamageList.Damage() : list.take()
        let content = source.takeContent(isDamaged: !damage.isEmpty)
        hasContent = content ?? false
        guard content != nil, !damage.isEmpty else { return }
        lastEdit += 1
        damagedAt = host.loop.now
        for level in levels {
            if damage.isWhole {
                for tile in level.tiles.values { add(tile.drawnFrame, to: tile) }
                continue
            }
            for rect in damage.rects {
                let pixels = level.grid.pixels(in: rect.inset(by: -outset(at: level.grid.scale)))
                // The pixel around a tile is in its picture.
                let touched = PixelRect(
                    minX: pixels.minX - 1, minY: pixels.minY - 1, maxX: pixels.maxX + 1, maxY: pixels.maxY + 1
                )
                for tile in level.tiles(in: touched) { add(pixels, to: tile) }
            }
        }
    }

    private func add(_ pixels: PixelRect, to tile: Tile) {
        guard let common = tile.drawnFrame.intersection(pixels) else { return }
        tile.addDamage(common.moved(x: -tile.drawnFrame.minX, y: -tile.drawnFrame.minY), of: lastEdit)
        // One that comes into view in this turn has shown no earlier state, from which others could differ.
        if tile.isInView, tile.cameIntoView != lastTurn { join(tile) }
    }

    func tile(at index: TileGrid.Index, of level: Level, _ source: any TileSource) -> Tile {
        if let tile = level.tiles[index] { return tile }
        let painter = source.makePainter(level.grid.drawnFrame(of: index), scale: level.grid.scale)
        let tile = Tile(index, of: level, painter: painter, pipeline: self)
        level.tiles[index] = tile
        tiles[tile.id] = tile
        return tile
    }

    // MARK: Draws

    func tileHasEnded(_ tile: Tile, _ end: DrawEnd) {
        drawing.remove(tile.id)
        switch end {
        case .done:
            counts.draws[tile.reason, default: 0] += 1
            tierLimits[tile.reason.tier]?.accepts()
        case .cancelled: mayHaveEmptyTiles = true
        case .failed(let error):
            counts.failures += 1
            failures.append(error)
        case .refused:
            let tier = tile.reason.tier
            let others = drawing.count { tiles[$0]?.reason.tier == tier }
            tierLimits[tier, default: TierLimit()].refuses(beside: others, at: host.loop.now)
            mayHaveEmptyTiles = true
            // The newest refusal's time: an update before would find no room, and none would follow.
            pause?.cancel()
            pause = host.loop.perform(at: host.loop.now + TierLimit.pause) { [weak self] in
                self?.pause = nil
                self?.scheduleUpdate()
            }
        }
        endEditIfReady()
        scheduleUpdate()
        announce()
    }

    /// Notifies the group of what has changed, and the program of failures and changes, unless the layer is
    /// being changed.
    func announce() {
        guard !isUpdating else { return }
        if member != nil { host.enter { leaveIfSettled() } }
        while !failures.isEmpty {
            let failure = failures.removeFirst()
            onFailure?(failure)
        }
        // The program may have dropped the layer.
        guard source != nil, let onChange, !isAnnounced, let view, handOut.isNew || handOut.view != view
        else { return }
        isAnnounced = true
        onChange()
    }

    func remove(_ tile: Tile) {
        tiles[tile.id] = nil
        edit?.tiles[tile.id] = nil
        drawing.remove(tile.id)
        handOut.changed.remove(tile.id)
        byteCount -= tile.pictureBytes
        tile.detach()
        if tile.state.isTaken { handOut.removed.append(tile.id) }
    }

    // MARK: At rest

    var isComplete: Bool {
        guard let view, !isMoving, let level = levels.first, level.grid.scale == view.scale, edit == nil,
            list.isEmpty, let inViewOf, inViewOf == (view, level.grid, size)
        else { return false }
        return !hasContent || inView.allSatisfy { $0.state.isFresh || $0.state.hasFailed }
    }

    func settled() async {
        guard !isComplete else { return }
        lastWaiter += 1
        let number = lastWaiter
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                waiters[number] = continuation
                scheduleUpdate()
            }
        } onCancel: {
            host.loop.perform { [weak self] in self?.waiters.removeValue(forKey: number)?.resume() }
        }
    }

    func resumeWaiters() {
        guard !waiters.isEmpty, isComplete else { return }
        let present = waiters.values
        waiters = [:]
        for waiter in present { waiter.resume() }
    }

    isolated deinit {
        restTimer?.cancel()
        overviewTimer?.cancel()
        pause?.cancel()
        edit?.timer?.cancel()
        // Of one that is late: a group that waits keeps its layers.
        leaveGroup(.cancelled)
        for waiter in waiters.values { waiter.resume() }
    }
}

/// Represents the pipeline in the transaction queue, which retains pending targets. If the pipeline
/// were one, which retains the host and so the queue, all would stay when a window closes before a last turn.
final class TileRequest: TurnTarget {
    @MainActor weak var pipeline: TilePipeline?

    nonisolated init() {}

    func turnEnds() { pipeline?.turnEnds() }
}
